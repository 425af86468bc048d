import { People, RecoveryCodes, SecondFactors, SignInChecks } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { password, type StagePerson } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const act = { actor: "test", reason: "made for a test" }
const path = "/account/second-factor/recovery"
const codesIn = (text: string): ReadonlyArray<string> => [...text.matchAll(/<li>([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})<\/li>/g)].map(([, code = ""]) => code)

describe("recovery codes", () => {
  let owner: StagePerson
  const setAuthenticator = (on: boolean) => stage.run(Effect.gen(function*() {
    const secret = yield* (yield* SignInChecks).newTotpSecret
    yield* (yield* SecondFactors).setAuthenticator(act, owner.id, on ? secret : null, null)
  }))
  const left = () => stage.run(Effect.flatMap(RecoveryCodes, (codes) => codes.left(owner.id)))
  const make = async (): Promise<ReadonlyArray<string>> => {
    const made = await client.send(path, await stage.session(owner), { current: password })
    assert.strictEqual(made.status, 200)
    return codesIn(made.text)
  }
  const signInWith = async (code: string, session?: string) => client.send("/sign-in/recovery", session ?? await stage.session(owner, "PASSWORD"), { code })
  const opens = ({ cookies }: { readonly cookies: ReadonlyMap<string, string> }) => cookies.has("session")

  beforeAll(async () => {
    owner = stage.people.OWNER
    await setAuthenticator(true)
  })

  it("need the password, are shown once, and end the earlier ones", async () => {
    const session = await stage.session(owner)
    const wrong = await client.send(path, session, { current: "not the password" })
    assert.strictEqual(wrong.status, 422)
    assert.strictEqual(await left(), 0)
    const first = await make()
    assert.lengthOf(new Set(first), 10)
    const second = await make()
    assert.lengthOf(new Set([...first, ...second]), 20)
    const page = await client.get("/account/second-factor", { session })
    assert.include(page.text, "<strong>10</strong>")
    for (const code of second) assert.notInclude(page.text, code)
    assert.isFalse(opens(await signInWith(first[0] ?? "")), "an earlier one has ended")
    assert.isTrue(opens(await signInWith(second[0] ?? "")))
    const stored = JSON.stringify(await rowsOf("select * from portal_recovery_codes"))
    for (const code of second) assert.notInclude(stored, code.replaceAll("-", ""))
  })

  it("open once, however they are typed, and say so in the log and by a message", async () => {
    const [one = "", two = ""] = await make()
    await rowsOf("delete from portal_mail")
    const both = await Promise.all([signInWith(one.toLowerCase().replaceAll("-", " ")), signInWith(one.replaceAll("-", ""))])
    assert.lengthOf(both.filter(opens), 1, "of two requests in the same moment one opens")
    assert.isFalse(opens(await signInWith(one)))
    const used = await signInWith(two.replaceAll("0", "O").replaceAll("1", "l"))
    assert.strictEqual(used.location, "/account/second-factor?done=recovery-used")
    assert.strictEqual((await client.get("/account", { session: used.cookies.get("session") ?? "" })).status, 200)
    assert.strictEqual(await left(), 8)
    assert.deepStrictEqual(await rowsOf("select count(*)::int as n from activity_log where act = 'recovery code used' and subject = $1", [owner.email]), [{ n: 3 }])
    assert.isAtLeast((await rowsOf("select 1 from portal_mail where recipient = $1", [owner.email])).length, 2)
  })

  it("are nobody else's", async () => {
    const [code = ""] = await make()
    const person = stage.people.OPERATOR
    const other = await client.send("/sign-in/recovery", await stage.session(person, "PASSWORD"), { code })
    assert.strictEqual(other.status, 422)
    assert.isFalse(opens(other))
    assert.strictEqual(await left(), 10)
  })

  it("cannot be guessed: wrong ones are counted with wrong codes, and the half-finished sign-in ends", async () => {
    const [code = ""] = await make()
    const session = await stage.session(owner, "PASSWORD")
    const answers = []
    for (let turn = 0; turn < 6; turn += 1) answers.push(await signInWith("0000-0000-0000-0000", session))
    assert.deepStrictEqual(answers.slice(0, 5).map(({ status }) => status), [422, 422, 422, 422, 422])
    assert.isFalse(opens(await signInWith(code, session)), "not even with a right one")
    assert.strictEqual(await left(), 10)
    await rowsOf("delete from portal_guesses")
  })

  it("end with the last second factor, and with everything else where the account begins anew", async () => {
    await make()
    await setAuthenticator(false)
    assert.strictEqual(await left(), 0)
    assert.strictEqual((await client.send(path, await stage.session(owner), { current: password })).location, "/account/second-factor")
    await setAuthenticator(true)
    await make()
    await rowsOf("update people set email_proven_at = null where person_id = $1", [owner.id])
    await stage.run(Effect.gen(function*() {
      const passwordHash = yield* (yield* SignInChecks).hashPassword(Redacted.make(password))
      yield* (yield* People).proveAddress(act, owner.id, passwordHash)
    }))
    assert.strictEqual(await left(), 0)
  })
})
