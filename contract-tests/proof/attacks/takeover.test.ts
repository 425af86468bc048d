import { afterAll, assert, describe, it } from "vitest"
import { type IdentityIssuer, startIdentityIssuer } from "../../src/portal/identityIssuer.ts"
import { issuerVisits } from "../../src/portal/issuerVisits.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
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

/** The owner of A invites an address that is not his, opens the link himself and sets a password. */
const takeAddress = async (email: string): Promise<string> => {
  const { text } = await client.send("/members/invite", await stage.session(stage.people.OWNER), { email, role: "SUPPORT" })
  const token = /\/invitation\/([\w-]+)/.exec(text)?.[1] ?? ""
  const accepted = await client.ask("POST", `/invitation/${token}`, { form: { ...await formOf(`/invitation/${token}`), name: "Неко", next: attackers } })
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

const addMember = (organization: string, email: string) => stage.desk.admin(["organizations", "add-member", organization, email, "--role", "OWNER", ...because])

describe("nobody becomes the owner of another shop by its owner's address", () => {
  it("a role is never kept for an address that has no account", async () => {
    const email = "owner@pekara.example"
    const b = await organizationB()
    assert.deepInclude(await addMember(b, email), { code: 2 })
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
  }, 60_000)

  it("a token that somebody on the way has changed opens nothing", async () => {
    issuer.forge({ email: stage.people.OPERATOR.email, email_verified: true })
    const { cookies, status } = await signInWith("eve@pekara.example")
    issuer.forge(null)
    assert.strictEqual(status, 422)
    assert.isFalse(cookies.has("session"))
  }, 60_000)

  it("the operator gives no role to an account whose address nobody has shown to be its own, and a new password ends all that was set", async () => {
    const email = "mara@pekara.example"
    const session = await takeAddress(email)
    const [{ person_id: id } = { person_id: "" }] = await rowsOf<{ readonly person_id: string }>("select person_id from people where email = $1", [email])
    await rowsOf("insert into portal_passkeys (passkey_id, person_id, name, public_key, counter, transports, created_at) values ('attacker', $1, 'кључ', 'x', 0, '{}', now())", [id])
    const b = await organizationB()
    const refused = await addMember(b, email)
    assert.deepInclude(refused, { code: 2 })
    assert.include(refused.err, "give the person a new password first")
    assert.strictEqual((await stage.desk.admin(["people", "reset-password", email, "--yes", ...because])).code, 0)
    assert.strictEqual((await client.get("/account", { session })).status, 303)
    assert.deepStrictEqual(await rowsOf("select 1 from portal_passkeys where person_id = $1", [id]), [])
    assert.strictEqual((await addMember(b, email)).code, 0)
    assert.include(await namesOf(email), "Пекара Б")
  }, 60_000)
})
