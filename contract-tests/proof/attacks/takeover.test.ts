import { Invitations } from "@overa/domain"
import { DateTime, Effect, Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { type IdentityIssuer, startIdentityIssuer } from "../../src/portal/identityIssuer.ts"
import { issuerVisits } from "../browser/issuerVisits.ts"
import { digestOf } from "../../src/portal/portalStage.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { mailedToken, takeMails } from "../../src/portal/mailedLinks.ts"
import { freePort } from "../../src/support/freePort.ts"

let issuer: IdentityIssuer
afterAll(() => issuer.stop())
const { client, rowsOf, stage } = sharedPortal(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  issuer = await startIdentityIssuer(`${url}/sign-in/issuer/back`)
  return {
    OVERA_PORTAL_PORT: String(port),
    OVERA_PORTAL_URL: url,
    OVERA_PORTAL_OIDC_ISSUER: issuer.url,
    OVERA_PORTAL_OIDC_CLIENT_ID: "portal",
    OVERA_PORTAL_OIDC_CLIENT_SECRET: issuer.clientSecret
  }
})
const { signInWith } = issuerVisits(() => issuer, client)

const attackers = "lozinka koju zna napadač"
const because = ["--reason", "contract 17", "--json"]
const organizationB = async (): Promise<string> => {
  const made = await stage.desk.admin(["organizations", "add", "Пекара Б", ...because])
  assert.strictEqual(made.code, 0, made.err)
  return made.json.id
}

const invite = async (email: string, person = stage.people.OWNER) => client.send("/members/invite", await stage.session(person), { email, role: "SUPPORT" })

const accept = async (token: string, next: string) =>
  client.ask("POST", "/invitation/accept", { form: { ...await formOf("/invitation"), token, name: "Неко", next } })

/** The owner of A has invited an address that is not his in an earlier release, which showed him the link; he opens it himself and sets a password. */
const takeAddress = async (email: string): Promise<string> => {
  await invite(email)
  await rowsOf("update invitations set proves_address = false where email = $1", [email])
  const accepted = await accept(await mailedToken(stage, email), attackers)
  assert.strictEqual(accepted.status, 303)
  return accepted.cookies.get("session") ?? ""
}

const formOf = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const { text } = await client.get(path)
  return { proof: /name="proof" value="([^"]*)"/.exec(text)?.[1] ?? "" }
}

const namesOf = async (email: string): Promise<ReadonlyArray<string>> =>
  (await rowsOf<{ readonly name: string }>(
    "select o.name from people p join members m on m.person_id = p.person_id join organizations o using (organization_id) where p.email = $1 order by 1",
    [email]
  )).map(({ name }) => name)

const addMember = (organization: string, email: string) => stage.desk.admin(["organizations", "add-member", organization, email, "--role", "OWNER", "--portal", "https://portal.example", "--json", ...because])

/** The token of an invitation that the operator's command has shown, because no mail server is configured for it. */
const shownToken = (answer: { readonly json: { readonly link?: string } }): string => /#([\w-]{43})$/.exec(answer.json.link ?? "")?.[1] ?? ""

/** Whether any row of the database, or the log of the portal, says a text. */
const isSaid = async (text: string): Promise<boolean> => {
  const tables = await rowsOf<{ readonly name: string }>("select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'")
  for (const { name } of tables) if ((await rowsOf(`select from "${name}" t where strpos(t::text, $1) > 0 limit 1`, [text])).length > 0) return true
  return stage.log.some((line) => line.includes(text))
}

describe("an invitation's link reaches the invited mailbox alone", () => {
  it("and neither the inviter nor a copy of the database has it; by it the address is proven, once", async () => {
    const email = "jelena@pekara.example"
    const { status, text } = await invite(email)
    assert.strictEqual(status, 200)
    assert.include(text, email)
    assert.notMatch(text, /invitation[#/][\w-]/)
    const [mail] = (await takeMails(stage)).filter(({ recipient }) => recipient === email)
    const token = /\/invitation#([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? ""
    assert.match(token, /^[\w-]{43}$/)
    assert.isFalse(await isSaid(token))
    const accepted = await accept(token, "cetiri zelena kofera")
    assert.strictEqual(accepted.status, 303)
    assert.deepStrictEqual(await rowsOf("select email_proven_at is not null as proven from people where email = $1", [email]), [{ proven: true }])
    assert.strictEqual((await accept(token, attackers)).status, 404)
    assert.isFalse(await isSaid(token), "no address that is logged has the token")
  }, 60_000)

  it("and ends what somebody else has set in an account with that address", async () => {
    const email = "petar@pekara.example"
    const session = await takeAddress(email)
    const other = await stage.session(stage.people.OTHER)
    await client.send("/members/invite", other, { email, role: "OWNER" })
    const token = await mailedToken(stage, email)
    // The attacker cannot accept it from his session.
    const proof = await client.proof(session)
    assert.strictEqual((await client.ask("POST", "/invitation/accept", { session, form: { proof, token: "x".repeat(43) } })).status, 404)
    const own = await accept(token, "cetiri zelena kofera")
    assert.strictEqual(own.status, 303)
    assert.strictEqual((await client.get("/account", { session })).status, 303, "the attacker's session has ended")
    const again = await client.ask("POST", "/sign-in", { form: { ...await formOf("/sign-in"), email, password: attackers } })
    assert.strictEqual(again.status, 422, "the attacker's password opens nothing")
    assert.strictEqual((await client.get("/account", { session: own.cookies.get("session") ?? "" })).status, 200)
  }, 60_000)

  it("and a link of an earlier release, which an inviter has seen, sets no password of an account that exists, not even in the same moment", async () => {
    const email = "rada@pekara.example"
    const session = await takeAddress(email)
    await client.send("/members/invite", await stage.session(stage.people.OTHER), { email, role: "OWNER" })
    const token = await mailedToken(stage, email)
    await rowsOf("update invitations set proves_address = false where email = $1", [email])
    assert.include((await accept(token, "cetiri zelena kofera")).text, "Пријавите се овом адресом")
    // The page has looked before somebody else made the account: the store refuses it.
    const newcomer = { name: "Неко", passwordHash: Redacted.make("x") }
    const refused = await stage.run(Effect.flip(Effect.flatMap(DateTime.now, (now) =>
      Effect.flatMap(Effect.service(Invitations), (it) => it.accept({ actor: "test", reason: "test" }, digestOf(token), newcomer, now)))))
    assert.deepInclude(refused, { reason: "PERSON_ALREADY_EXISTS" })
    assert.strictEqual((await client.get("/account", { session })).status, 200)
  }, 60_000)

  it("is not sent any more once the invitation is replaced or withdrawn", async () => {
    const email = "vera@pekara.example"
    await takeMails(stage)
    await invite(email)
    await invite(email)
    assert.strictEqual((await rowsOf("select 1 from portal_mail where recipient = $1", [email])).length, 1)
    const [{ id } = { id: "" }] = await rowsOf<{ readonly id: string }>("select invitation_id as id from invitations where email = $1 and ended_at is null", [email])
    await client.send("/members/withdraw", await stage.session(stage.people.OWNER), { invitation: id })
    assert.deepStrictEqual(await takeMails(stage), [])
  })

  it("opens old links, which have the token in the path", async () => {
    const { location, status } = await client.get("/invitation/abc-DEF_123")
    assert.deepStrictEqual([status, location], [303, "/invitation#abc-DEF_123"])
  })
})

describe("nobody becomes the owner of another shop by its owner's address", () => {
  it("a role is never kept for an address that has no account", async () => {
    const email = "owner@pekara.example"
    const b = await organizationB()
    const invited = await addMember(b, email)
    assert.strictEqual(invited.code, 0)
    assert.deepStrictEqual(await rowsOf("select 1 from members where organization_id = $1", [b]), [], "an invitation is no role")
    // What an earlier release has stored opens nothing either.
    await rowsOf("insert into members (organization_id, person, role, added_at) values ($1, $2, 'OWNER', now() - interval '1 day')", [b, email])
    const session = await takeAddress(email)
    assert.notInclude(await namesOf(email), "Пекара Б")
    assert.notInclude((await client.get("/organization", { session })).text, "Пекара Б")
    assert.include((await stage.desk.admin(["organizations", "members", b])).out, "waits")
  }, 60_000)

  it("the person who signs in at the issuer ends what somebody else has set in the account", async () => {
    const email = "bob@pekara.example"
    const session = await takeAddress(email)
    assert.strictEqual((await client.get("/account", { session })).status, 200)
    const signedIn = await signInWith(email)
    assert.strictEqual((await client.get("/account", { session })).status, 303, "the attacker's session has ended")
    const again = await client.ask("POST", "/sign-in", { form: { ...await formOf("/sign-in"), email, password: attackers } })
    assert.strictEqual(again.status, 422, "the attacker's password opens nothing")
    const own = signedIn.cookies.get("session") ?? ""
    assert.strictEqual((await client.get("/account", { session: own })).status, 200)
    // The second sign-in ends nothing of the person's own.
    await signInWith(email)
    assert.strictEqual((await client.get("/account", { session: own })).status, 200)
    assert.strictEqual((await addMember(await organizationB(), email)).code, 0)
    assert.notInclude(await namesOf(email), "Пекара Б", "not before the person has accepted")
  }, 60_000)

  it("an account at the issuer stays the person's when its address changes, and whoever gets the address then is somebody else", async () => {
    const email = "lena@pekara.example"
    await takeAddress(email)
    const first = await signInWith(email)
    assert.strictEqual((await client.get("/account", { session: first.cookies.get("session") ?? "" })).status, 200)
    assert.deepStrictEqual(await rowsOf("select count(*)::int as n from activity_log where act = 'account at the issuer linked' and subject = $1", [email]), [{ n: 1 }])
    issuer.changeAddress(email, "lena.nova@pekara.example")
    issuer.changeAddress("the next employee", email)
    const renamed = await signInWith(email)
    assert.include((await client.get("/account", { session: renamed.cookies.get("session") ?? "" })).text, email, "the same person, found by the account")
    const other = await signInWith("the next employee")
    assert.strictEqual(other.status, 422)
    assert.isFalse(other.cookies.has("session"), "the address alone opens nothing")
    assert.include(other.text, "припада другој пријави")
    // The operator, who knows the person, opens the way to another account there.
    const reset = await stage.desk.admin(["people", "reset-password", email, "--yes", ...because])
    assert.strictEqual(reset.code, 0, reset.err)
    assert.isTrue((await signInWith("the next employee")).cookies.has("session"))
    assert.isFalse((await signInWith(email)).cookies.has("session"), "the earlier account there is nobody's now, and its address has no account here")
  }, 60_000)

  it("two first sign-ins in the same moment are one person's", async () => {
    const email = "dva@pekara.example"
    await takeAddress(email)
    const both = await Promise.all([signInWith(email), signInWith(email)])
    for (const { cookies } of both) assert.isTrue(cookies.has("session"))
    assert.deepStrictEqual(await rowsOf("select count(*)::int as n from portal_issuer_accounts where subject = $1", [email]), [{ n: 1 }])
  }, 60_000)

  it("a token that somebody on the way has changed opens nothing", async () => {
    issuer.forge({ email: stage.people.OPERATOR.email, email_verified: true })
    const { cookies, status } = await signInWith("eve@pekara.example")
    issuer.forge(null)
    assert.strictEqual(status, 422)
    assert.isFalse(cookies.has("session"))
  }, 60_000)

  it("the natural next step of the operator gives nothing away: an invitation to an account that somebody else has made ends all that was set in it", async () => {
    const email = "mara@pekara.example"
    const session = await takeAddress(email)
    const [{ person_id: id } = { person_id: "" }] = await rowsOf<{ readonly person_id: string }>("select person_id from people where email = $1", [email])
    await rowsOf("insert into portal_passkeys (passkey_id, person_id, name, public_key, counter, transports, created_at) values ('attacker', $1, 'кључ', 'x', 0, '{}', now())", [id])
    const token = shownToken(await addMember(await organizationB(), email))
    assert.match(token, /^[\w-]{43}$/)
    assert.notInclude(await namesOf(email), "Пекара Б")
    assert.notInclude((await client.get("/organization", { session })).text, "Пекара Б")
    const own = await accept(token, "cetiri zelena kofera")
    assert.strictEqual(own.status, 303)
    assert.strictEqual((await client.get("/account", { session })).status, 303, "the attacker's session has ended")
    assert.deepStrictEqual(await rowsOf("select 1 from portal_passkeys where person_id = $1", [id]), [])
    assert.include(await namesOf(email), "Пекара Б")
  }, 60_000)
})
