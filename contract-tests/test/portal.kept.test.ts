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
    assert.include((await client.get(answer.location)).text, "Образац није послат")
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
    assert.include((await client.get(long.answer.location)).text, "предуг")
  })
})
