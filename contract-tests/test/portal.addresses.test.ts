import { assert, beforeAll, describe, it } from "vitest"
import { password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const kosta = "kosta@primer.example"
/** The same in the eyes of whoever folds more than ASCII: the sign of the unit kelvin, and a dotted capital I. */
const lookAlikes = ["\u212Aosta@primer.example", "kosta@pr\u0130mer.example", "KO\u017FTA@primer.example"]

beforeAll(async () => {
  const added = await stage.desk.admin(["people", "add", kosta, "--name", "Коста", "--reason", "test", "--json"], { environment: { OVERA_PORTAL_PASSWORD: password } })
  assert.strictEqual(added.code, 0, added.err)
})

describe("an address with a letter outside ASCII is nobody's", () => {
  it.each(lookAlikes)("%s: no sign-in, no link, no invitation, in the portal", async (email) => {
    assert.strictEqual((await client.ask("POST", "/sign-in", { form: { email: "KOSTA@primer.example", password } })).status, 303, "capitals of ASCII are the same address")
    const signIn = await client.ask("POST", "/sign-in", { form: { email, password } })
    assert.strictEqual(signIn.status, 422)
    assert.isUndefined(signIn.cookies.get("session"))
    await client.ask("POST", "/sign-in/forgotten", { form: { email } })
    assert.deepStrictEqual(await rowsOf("select 1 from portal_resets"), [])
    const invited = await client.send("/members/invite", await stage.session(stage.people.OWNER), { email, role: "SUPPORT" })
    assert.strictEqual(invited.status, 422)
    assert.deepStrictEqual(await rowsOf("select 1 from invitations"), [])
  })

  it.each(lookAlikes)("%s: no person, no role, no session, by the command", async (email) => {
    const acts: ReadonlyArray<ReadonlyArray<string>> = [
      ["people", "add", email, "--name", "Други"], ["people", "reset-password", email, "--yes"], ["people", "reset-second-factor", email, "--yes"], ["people", "erase", email, "--yes"],
      ["organizations", "add-member", stage.shop.organizationId, email, "--role", "OWNER"]
    ]
    for (const command of acts) {
      const answer = await stage.desk.admin([...command, "--reason", "test"], { environment: { OVERA_PORTAL_PASSWORD: password } })
      assert.notStrictEqual(answer.code, 0, command.join(" "))
      assert.match(answer.err, /is no e-mail address|an e-mail address\./, command.join(" "))
    }
    const signIn = await stage.desk.admin(["sign-in", email], { lines: [password] })
    assert.notStrictEqual(signIn.code, 0)
    assert.deepStrictEqual((await rowsOf<{ readonly email: string }>("select email from people where email like '%osta@%' or name = 'Други'")).map((row) => row.email), [kosta])
  })
})

describe("the log of the portal", () => {
  it("says who signed in and which passwords were refused, without the address, the password or the cookie", async () => {
    const from = stage.log.length
    const done = await client.ask("POST", "/sign-in", { form: { email: kosta, password } })
    await client.ask("POST", "/sign-in", { form: { email: kosta, password: "pogrešna lozinka 7" } })
    await client.ask("POST", "/sign-in", { form: { email: "niko@primer.example", password: "pogrešna lozinka 7" } })
    const lines = stage.log.slice(from).map((line) => JSON.parse(line) as { readonly event: string; readonly personId?: string | null; readonly time: string })
    const [person] = await rowsOf<{ readonly id: string }>("select person_id::text as id from people where email = $1", [kosta])
    const told = lines.filter(({ event }) => event === "signed in" || event === "password refused").map(({ event, personId }) => [event, personId])
    assert.deepStrictEqual(told, [["signed in", person?.id], ["password refused", person?.id], ["password refused", null]])
    for (const { time } of lines) assert.match(time, /Z$/)
    for (const secret of [kosta, password, "pogrešna", done.cookies.get("session") ?? "none", done.cookies.get("device") ?? "none"]) assert.notInclude(stage.log.join("\n"), secret)
  })
})
