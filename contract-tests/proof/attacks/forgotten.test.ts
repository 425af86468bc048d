import { SecondFactors } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { assert, describe, it, vi } from "vitest"
import { takeMails } from "../../src/portal/mailedLinks.ts"
import { password, type StagePerson } from "../../src/portal/portalStage.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal(() => Promise.resolve({ OVERA_TRUST_PROXY: "true" }))
const fresh = "sedam malih tigrova"

let asked = 0
const ask = (email: string, address = `100.64.0.${asked += 1}`) => client.ask("POST", "/sign-in/forgotten", { address, form: { email } })

const askedLines = (email: string) => rowsOf("select 1 from activity_log where act = 'new password asked for' and subject = $1", [email])

/** Asks, and answers the token of the message. */
const tokenFor = async ({ email }: StagePerson): Promise<string> => {
  await takeMails(stage)
  assert.strictEqual((await ask(email)).status, 200)
  const text = await vi.waitFor(async () => {
    const mail = (await takeMails(stage)).find(({ recipient, text: told }) => recipient === email && told.includes("#"))
    assert.isDefined(mail)
    return mail?.text ?? ""
  }, 5_000)
  return /new-password#([\w-]{43})/.exec(text)?.[1] ?? ""
}

const set = (token: string, next: string) => client.ask("POST", "/sign-in/new-password/set", { form: { token, next } })
const signIn = ({ email }: StagePerson, given: string) => client.ask("POST", "/sign-in", { address: `192.0.2.${Math.floor(Math.random() * 200)}`, form: { email, password: given } })

describe("a forgotten password", () => {
  it("gets a link that works once; a weak password does not use it up, and every session ends", async () => {
    const { SUPPORT } = stage.people
    const session = await stage.session(SUPPORT)
    const token = await tokenFor(SUPPORT)
    const weak = await set(token, "kratka")
    assert.strictEqual(weak.status, 422)
    const done = await set(token, fresh)
    assert.deepStrictEqual([done.status, done.location, done.cookies.get("session")], [303, "/sign-in?done=password-set", ""])
    assert.strictEqual((await client.get("/account", { session })).status, 303)
    assert.strictEqual((await signIn(SUPPORT, password)).status, 422)
    assert.strictEqual((await signIn(SUPPORT, fresh)).location, "/")
    assert.strictEqual((await set(token, `${fresh} dva`)).status, 404, "used")
    assert.strictEqual((await set("x".repeat(43), fresh)).status, 404, "made up")
    assert.strictEqual((await set("", fresh)).status, 404, "none")
  })

  it("is set once where the link is used twice at once", async () => {
    const token = await tokenFor(stage.people.ACCOUNTANT)
    const answers = await Promise.all(["jedan mali tigar", "dva mala tigra"].map((next) => set(token, next)))
    assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [303, 404])
  })

  it("has a link for an hour, the newest one only, and none after the password was changed", async () => {
    const { ADMINISTRATOR } = stage.people
    const first = await tokenFor(ADMINISTRATOR)
    const second = await tokenFor(ADMINISTRATOR)
    assert.strictEqual((await set(first, fresh)).status, 404, "replaced")
    await rowsOf("update portal_resets set expires_at = now() where person_id = $1", [ADMINISTRATOR.id])
    assert.strictEqual((await set(second, fresh)).status, 404, "too old")
    const third = await tokenFor(ADMINISTRATOR)
    const session = await stage.session(ADMINISTRATOR)
    assert.strictEqual((await client.send("/account/password", session, { current: password, next: "tri mala tigra, novo" })).status, 303)
    assert.strictEqual((await set(third, fresh)).status, 404, "the password was changed meanwhile")
    const [row] = await rowsOf<{ readonly hour: boolean }>("select max(expires_at) <= now() + interval '1 hour' as hour from portal_resets")
    assert.notStrictEqual(row?.hour, false)
  })

  it("does not get around the second factor", async () => {
    const { OPERATOR } = stage.people
    assert.strictEqual((await set(await tokenFor(OPERATOR), fresh)).status, 303)
    assert.match((await signIn(OPERATOR, fresh)).location, /^\/sign-in\/code/)
    assert.deepStrictEqual(await rowsOf("select totp_secrets is not null as kept from people where person_id = $1", [OPERATOR.id]), [{ kept: true }])
  })

  it("of an account that nobody had proven ends everything that was set in it", async () => {
    const { NOBODY } = stage.people
    await stage.run(Effect.flatMap(Effect.service(SecondFactors), (it) => it.setAuthenticator({ actor: "test", reason: "test" }, NOBODY.id, Redacted.make("A".repeat(32)), null)))
    await rowsOf("update people set email_proven_at = null where person_id = $1", [NOBODY.id])
    const session = await stage.session(NOBODY)
    assert.strictEqual((await set(await tokenFor(NOBODY), fresh)).status, 303)
    assert.strictEqual((await client.get("/account", { session })).status, 303)
    assert.deepStrictEqual(
      await rowsOf("select totp_secrets is null as empty, email_proven_at is not null as proven from people where person_id = $1", [NOBODY.id]),
      [{ empty: true, proven: true }]
    )
  })
})

describe("whoever asks for other people's passwords", () => {
  it("learns nothing about who has an account", async () => {
    const without = ({ text }: { readonly text: string }, email: string) => text.replaceAll(email, "…").replaceAll(/name="form" value="[^"]*"/g, "")
    const [known, unknown] = [stage.people.OTHER.email, "no-such-person@primer.example"]
    const [one, other] = [await ask(known, "192.0.2.40"), await ask(unknown, "192.0.2.41")]
    assert.strictEqual(one.status, other.status)
    assert.strictEqual(without(one, known), without(other, unknown))
    await vi.waitFor(async () => assert.lengthOf(await askedLines(known), 1), 5_000)
    assert.deepStrictEqual(await rowsOf("select 1 from portal_mail where recipient = $1", [unknown]), [])
  })

  it("fills nobody's mailbox from many networks, and is slowed down in one", async () => {
    const { email } = stage.people.OWNER
    for (let count = 1; count <= 20; count += 1) assert.strictEqual((await ask(email, `198.51.100.${count}`)).status, 200)
    await vi.waitFor(async () => assert.lengthOf(await askedLines(email), 3), 5_000)
    const statuses: Array<number> = []
    for (let count = 1; count <= 6; count += 1) statuses.push((await ask(`person-${count}@primer.example`, "203.0.113.5")).status)
    assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200, 429])
    assert.lengthOf(await askedLines(email), 3)
  })

  it("does not reach a link by the token's digest, and no row or log line has the token", async () => {
    await rowsOf("delete from portal_guesses")
    const { OTHER } = stage.people
    const token = await tokenFor(OTHER)
    const [row] = await rowsOf<{ readonly token_digest: string }>("select token_digest from portal_resets where person_id = $1", [OTHER.id])
    assert.strictEqual((await set(row?.token_digest ?? "", fresh)).status, 404)
    const tables = await rowsOf<{ readonly name: string }>("select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'")
    for (const { name } of tables) assert.deepStrictEqual(await rowsOf(`select from "${name}" t where strpos(t::text, $1) > 0`, [token]), [], name)
    assert.isFalse(stage.log.some((line) => line.includes(token)))
  })
})
