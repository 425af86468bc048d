import { SentForms } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { digestOf, password, type StagePerson } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const typed = { "line-0": "1,5", "payment-0": "OTHER", "amount-0": "", buyer: "10:100000008", cashier: "Каса <7>" }

const valueOf = (text: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""

const place = (): string => `/o/${stage.shop.organizationId}/sandbox`

/** The fields of the form as a page of the person has them, marks included. */
const opened = async (path: string, session: string): Promise<Readonly<Record<string, string>>> => {
  const { text } = await client.get(place() + path, { session })
  const marks = Object.fromEntries(["author", "form", "proof", "place"].map((name) => [name, valueOf(text, name)]))
  assert.notStrictEqual(marks["form"], "")
  return marks
}

const endByTime = (session: string) => rowsOf("update portal_sessions set seen_at = now() - interval '31 minutes' where digest = $1", [digestOf(session)])

const signIn = async (person: StagePerson, next: string, kept: string) =>
  await client.ask("POST", "/sign-in", { form: { email: person.email, password, next }, kept })

const documents = async () => (await rowsOf("select from operations")).length

/** A refund is typed and sent, and the session has ended meanwhile. */
const sentTooLate = async (more: Readonly<Record<string, string>> = {}) => {
  const sale = await issueSale(stage)
  const path = `/receipts/${sale.id}/refund/${randomUUID()}`
  const session = await stage.session(stage.people.OWNER)
  const form: Readonly<Record<string, string>> = { ...await opened(path, session), ...typed, ...more }
  await endByTime(session)
  return { path, form, session, answer: await client.ask("POST", `${place() + path}/entry`, { session, form }) }
}

describe("a form that is sent when its session has ended", () => {
  it("is shown again with what was typed, after the same person has signed in; nothing is done by itself", async () => {
    const { answer, form, path } = await sentTooLate()
    const before = await documents()
    assert.strictEqual(answer.status, 303)
    const address = new URL(answer.location, client.origin)
    assert.strictEqual(address.pathname, "/sign-in")
    assert.include((await client.get(answer.location)).text, "Образац овог пута није извршен")
    const kept = answer.cookies.get("kept") ?? ""
    for (const word of ["100000008", "Каса"]) assert.notInclude(decodeURIComponent(kept) + Buffer.from(kept, "base64url").toString(), word)
    const signedIn = await signIn(stage.people.OWNER, address.searchParams.get("next") ?? "", kept)
    assert.strictEqual(signedIn.place + signedIn.location, place() + path)
    const session = signedIn.cookies.get("session") ?? ""
    const shown = await client.get(place() + path, { session, kept })
    assert.strictEqual(shown.status, 200)
    for (const [name, value] of Object.entries({ "line-0": "1,5", buyer: "10:100000008", cashier: "Каса &lt;7>" })) {
      assert.match(shown.text, new RegExp(`name="${name}"[^>]* value="${value}"`))
    }
    assert.match(shown.text, /<option[^>]*selected[^>]*value="OTHER"|<option[^>]*value="OTHER"[^>]*selected/)
    assert.include(shown.text, "прегледајте, па пошаљите")
    // The same form: had it been sent before, it would act once.
    assert.include(shown.text, `name="form" value="${form["form"] ?? ""}"`)
    // It is of the new session, and is used once.
    assert.notStrictEqual(valueOf(shown.text, "proof"), form["proof"])
    assert.strictEqual(shown.cookies.get("kept"), "")
    assert.strictEqual(await documents(), before)
    const fresh: Readonly<Record<string, string>> = Object.fromEntries(["author", "form", "proof", "place"].map((name) => [name, valueOf(shown.text, name)]))
    assert.include((await client.ask("POST", `${place() + path}/entry`, { session, form: { ...typed, ...fresh, act: "preview" } })).text, "ОВО НИЈЕ ФИСКАЛНИ РАЧУН")
  })

  it("is never shown to another person, nor on another page", async () => {
    const { answer, path } = await sentTooLate()
    const kept = answer.cookies.get("kept") ?? ""
    const other = await client.get(place() + path, { session: await stage.session(stage.people.ADMINISTRATOR), kept })
    assert.strictEqual(other.status, 200)
    assert.strictEqual(other.cookies.get("kept"), "")
    const elsewhere = await client.get(`${place()}/receipts/${(await issueSale(stage)).id}/refund/${randomUUID()}`, { session: await stage.session(stage.people.OWNER), kept })
    for (const { text } of [other, elsewhere]) {
      assert.notInclude(text, 'value="1,5"')
      assert.notInclude(text, "била истекла")
    }
    assert.isFalse(elsewhere.cookies.has("kept"))
    // What was changed, or sealed for another use, opens nothing.
    for (const cookie of [`${kept.slice(0, -4)}AAAA`, "x"]) {
      assert.notInclude((await client.get(place() + path, { session: await stage.session(stage.people.OWNER), kept: cookie })).text, 'value="1,5"')
    }
  })

  it("is given back at once where the person is signed in anew already, and to nobody else", async () => {
    const { form, path } = await sentTooLate()
    const again = await client.ask("POST", `${place() + path}/entry`, { session: await stage.session(stage.people.OWNER), form })
    assert.strictEqual(again.place + again.location, place() + path)
    assert.isTrue(again.cookies.has("kept"))
    const stranger = await client.ask("POST", `${place() + path}/entry`, { session: await stage.session(stage.people.ADMINISTRATOR), form })
    assert.isFalse(stranger.cookies.has("kept"))
    assert.include(stranger.text, "Ништа није промењено")
  })

  it("is not kept where it asks for a secret, names no person of ours, or is too long", async () => {
    const owner = await stage.session(stage.people.OWNER)
    const [, passwordForm = ""] = /action="[^"]*\/account\/password"(.*?)<\/form>/s.exec((await client.get(`${place()}/account/password`, { session: owner })).text) ?? []
    assert.include(passwordForm, 'name="proof"')
    assert.notInclude(passwordForm, 'name="author"')
    const { form, path, session } = await sentTooLate()
    const strange = await client.ask("POST", `${place() + path}/entry`, { session, form: { ...form, author: stage.people.OWNER.id } })
    assert.isFalse(strange.cookies.has("kept"))
    assert.strictEqual(new URL(strange.location, client.origin).searchParams.get("next"), place() + path)
    const noise = Array.from({ length: 6_000 }, (_, at) => String.fromCodePoint(0x4e00 + (at * 7_919) % 20_000)).join("")
    const long = await sentTooLate({ note: noise })
    assert.isFalse(long.answer.cookies.has("kept"))
    assert.include((await client.get(long.answer.location)).text, "Предуг")
  })
})

describe("a form that is sent twice acts once", () => {
  const path = "/operator/organizations/add"
  /** The form's marks, as a page shows them. */
  const marksIn = (text: string) => {
    const main = text.slice(text.indexOf("<main"))
    return Object.fromEntries(["author", "form", "proof", "state"].map((name) => [name, valueOf(main, name)]).filter(([, value]) => value !== ""))
  }
  const typedIn = async (session: string, name: string): Promise<Readonly<Record<string, string>>> => ({ ...marksIn((await client.get(path, { session })).text), name, reason: "уговор 7" })
  const added = async (name: string) => (await rowsOf("select from organizations where name = $1", [name])).length

  it("also where it was carried out, its answer was lost, and it is given back after the session's end; the notice does not say that nothing was done", async () => {
    const first = await stage.session(stage.people.OPERATOR)
    const form = await typedIn(first, "Двострука")
    assert.strictEqual((await client.ask("POST", path, { session: first, form })).status, 303)
    await endByTime(first)
    const kept = (await client.ask("POST", path, { session: first, form })).cookies.get("kept") ?? ""
    const second = await stage.session(stage.people.OPERATOR)
    const shown = await client.get(path, { session: second, kept })
    for (const sentence of ["образац овог пута није извршен", "можда је тада извршен", 'value="Двострука"']) assert.include(shown.text, sentence)
    const again: Readonly<Record<string, string>> = { ...form, ...marksIn(shown.text) }
    assert.strictEqual(again["form"], form["form"])
    assert.include((await client.ask("POST", path, { session: second, form: again })).location, "done=already")
    assert.strictEqual(await added("Двострука"), 1)
  })

  it("also where a host of the release before carried it out, which notes it with the session alone", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const form = await typedIn(session, "Ранија")
    await rowsOf("insert into portal_forms (digest, form_id, claimed_at) values ($1, $2, now())", [digestOf(session), form["form"]])
    assert.include((await client.ask("POST", path, { session, form })).location, "done=already")
    const next = await typedIn(session, "Садашња")
    assert.notInclude((await client.ask("POST", path, { session, form: next })).location, "done=already")
    assert.lengthOf(await rowsOf("select from portal_forms where digest = $1 and form_id = $2", [digestOf(session), next["form"]]), 1, "that host finds it, too")
    assert.deepStrictEqual([await added("Ранија"), await added("Садашња")], [0, 1])
  })

  it("also where its session ends between the last look at it and the claim", async () => {
    const digest = digestOf(await stage.session(stage.people.OPERATOR))
    await rowsOf("delete from portal_sessions where digest = $1", [digest])
    const claim = (formId: string) => stage.run(Effect.flatMap(SentForms, (forms) => forms.claim({ digest, personId: stage.people.OPERATOR.id }, formId, DateTime.nowUnsafe())))
    const id = randomUUID()
    assert.deepStrictEqual([await claim(id), await claim(id)], [true, false])
  })

  it("of one person; what was sent is forgotten after thirty days, and without an id of ours nothing is done", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const { OPERATOR, OWNER } = stage.people
    const form = await typedIn(session, "Своја")
    for (const [person, id, days] of [[OWNER, form["form"], 0], [OPERATOR, "old", 31], [OPERATOR, "young", 29]] as const) {
      await rowsOf("insert into portal_sent_forms values ($1, $2, now() - make_interval(days => $3))", [person.id, id, days])
    }
    assert.notInclude((await client.ask("POST", path, { session, form })).location, "done=already")
    const left = await rowsOf<{ readonly id: string }>("select form_id as id from portal_sent_forms where form_id in ('old', 'young')")
    assert.deepStrictEqual(left, [{ id: "young" }])
    assert.include((await client.ask("POST", path, { session, form: { ...form, name: "Ничија", form: "x" } })).location, "done=already")
    assert.deepStrictEqual([await added("Своја"), await added("Ничија")], [1, 0])
  })
})
