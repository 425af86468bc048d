import { PersonSessions } from "@overa/domain"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { holdForm } from "../src/portal/heldForm.ts"
import { mailedToken } from "../src/portal/mailedLinks.ts"
import { newPerson } from "../src/portal/newPerson.ts"
import { digestOf, password } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { untilLocked } from "../src/support/untilLocked.ts"

const portal = sharedPortal(() => Promise.resolve({ OVERA_MAIL_FROM: "fiskal@primer.example" }))
const { client, rowsOf, stage } = portal

const place = (): string => `/o/${stage.shop.organizationId}/sandbox`

const opens = async (session: string): Promise<boolean> => (await rowsOf("select from portal_sessions where digest = $1", [digestOf(session)])).length > 0

const end = (session: string) => rowsOf("delete from portal_sessions where digest = $1", [digestOf(session)])

describe("a form whose body is on its way", () => {
  it("does nothing with a session that ended meanwhile", async () => {
    const person = await newPerson(stage, "SUPPORT")
    const stolen = await stage.session(person)
    const held = await holdForm(portal, `${place()}/account/sessions/end`, stolen, {})
    const changed = await client.send("/account/password", await stage.session(person), { current: password, next: "sasvim drugačija rečenica" })
    assert.strictEqual(changed.location, "/account?done=password-changed")
    const own = changed.cookies.get("session") ?? ""
    const answer = await held.finish()
    assert.strictEqual(answer.status, 303)
    assert.match(answer.location, /^\/sign-in\?/)
    assert.deepStrictEqual([await opens(own), await opens(stolen), answer.cookies.has("session")], [true, false, false])
  })

  it("makes no session of one that ended meanwhile, also where the password was right", async () => {
    const person = await newPerson(stage, "SUPPORT")
    const stolen = await stage.session(person)
    const held = await holdForm(portal, `${place()}/account/password`, stolen, { current: password, next: "jedna sasvim druga rečenica" })
    await stage.run(Effect.flatMap(PersonSessions, (it) => it.endAll({ actor: "test", reason: "made for a test" }, person.id)))
    const answer = await held.finish()
    assert.match(answer.location, /^\/sign-in\?/)
    assert.isFalse(answer.cookies.has("session"))
    assert.strictEqual((await client.ask("POST", "/sign-in", { form: { email: person.email, password } })).location, "/", "the password was not changed")
  })

  it("does nothing with a role that ended meanwhile, and nothing with one that is too low by then", async () => {
    const owner = await stage.session(stage.people.OWNER)
    const changes: ReadonlyArray<readonly [path: string, fields: Readonly<Record<string, string>>, status: number]> = [["/members/remove", {}, 303], ["/members/role", { role: "SUPPORT" }, 403]]
    for (const [path, fields, status] of changes) {
      const bad = await newPerson(stage, "OWNER")
      const held = await holdForm(portal, `${place()}/members/invite`, await stage.session(bad), { email: "accomplice@primer.example", role: "OWNER", place: place() })
      assert.match((await client.send(path, owner, { person: bad.email, ...fields })).location, /^\/members\?done=/)
      assert.strictEqual((await held.finish()).status, status)
    }
    assert.deepStrictEqual(await rowsOf("select from invitations where email = 'accomplice@primer.example'"), [])
  })

  it("keeps what was typed where the session ended meanwhile, as a form does that comes too late", async () => {
    const person = await newPerson(stage, "OWNER")
    const session = await stage.session(person)
    const author = /name="author" value="([^"]*)"/.exec((await client.get(`${place()}/members`, { session })).text)?.[1] ?? ""
    const held = await holdForm(portal, `${place()}/members/invite`, session, { author, email: "nova@primer.example", role: "SUPPORT", place: place() })
    await end(session)
    const answer = await held.finish()
    assert.strictEqual(answer.location, `/sign-in?ended=kept&next=${encodeURIComponent(`${place()}/members`)}`)
    assert.isTrue(answer.cookies.has("kept"))
  })

  it("acts as before where nothing ended", async () => {
    const owner = await stage.session(stage.people.OWNER)
    const held = await holdForm(portal, `${place()}/members/invite`, owner, { email: "prava@primer.example", role: "SUPPORT", place: place() })
    await held.finish()
    assert.lengthOf(await rowsOf("select from invitations where email = 'prava@primer.example'"), 1)
  })
})

describe("a form that waits for its turn among those of strangers", () => {
  it("gives no role to a session that ended meanwhile", async () => {
    const { NOBODY } = stage.people
    const owner = await stage.session(stage.people.OWNER)
    await client.send("/members/invite", owner, { email: NOBODY.email, role: "OWNER" })
    const token = await mailedToken(stage, NOBODY.email)
    const stolen = await stage.session(NOBODY)
    const [holder, observer] = [await stage.desk.database.client(), await stage.desk.database.client()]
    await holder.query("begin")
    await holder.query("lock table portal_guesses in share mode")
    const wrong = [1, 2].map((at) => client.ask("POST", "/sign-in", { form: { email: `nobody${at}@primer.example`, password } }))
    // Both places are taken by comparisons that wait for the lock.
    await untilLocked(observer, "overa-portal portal", 2)
    const accepting = await holdForm(portal, "/invitation/accept", stolen, { token })
    const answer = accepting.finish()
    // A page of another session is asked for and read meanwhile: the form waits in the queue by now.
    await client.get("/account", { session: owner })
    await end(stolen)
    await holder.query("commit")
    await Promise.all(wrong)
    assert.strictEqual((await answer).status, 200, "the page of the invitation, which asks to sign in")
    assert.deepStrictEqual(await rowsOf("select from members where person_id = $1", [NOBODY.id]), [])
  })
})
