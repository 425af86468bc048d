import { People, SecondFactors, SignInChecks } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { newPerson } from "../src/portal/newPerson.ts"
import type { PortalAnswer } from "../src/portal/PortalClient.ts"
import { digestOf, password, type StagePerson } from "../src/portal/portalStage.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { totpCode } from "../src/support/totpCode.ts"
import { untilLocked } from "../src/support/untilLocked.ts"

const { client, rowsOf, stage } = sharedPortal()

const act = { actor: "test", reason: "made for a test" }
const next = "sasvim drugačija rečenica"

const signIn = (person: StagePerson): Promise<PortalAnswer> => client.ask("POST", "/sign-in", { form: { email: person.email, password } })

const changePassword = ({ id }: StagePerson) => stage.run(Effect.gen(function*() {
  const hash = yield* (yield* SignInChecks).hashPassword(Redacted.make(next))
  yield* (yield* People).changePassword(act, id, hash, null)
}))

const setAuthenticator = async ({ id }: StagePerson): Promise<string> => stage.run(Effect.gen(function*() {
  const secret = yield* (yield* SignInChecks).newTotpSecret
  yield* (yield* SecondFactors).setAuthenticator(act, id, secret, null)
  return Redacted.value(secret)
}))

/** Sends a form that compares a secret: the account is read already, and the comparison waits until `meanwhile` is done. */
const compared = async (send: () => Promise<PortalAnswer>, meanwhile: () => Promise<unknown>): Promise<PortalAnswer> => {
  const [holder, observer] = [await stage.desk.database.client(), await stage.desk.database.client()]
  await holder.query("begin")
  await holder.query("lock table portal_guesses in share mode")
  const answer = send()
  await untilLocked(observer, "overa-portal portal")
  await meanwhile()
  await holder.query("commit")
  return answer
}

const sessionsOf = ({ id }: StagePerson) => rowsOf("select digest from portal_sessions where person_id = $1", [id])

describe("a sign-in that is under way", () => {
  it("lets nobody in with a password that is changed meanwhile, and says so", async () => {
    const person = await newPerson(stage, "SUPPORT")
    const answer = await compared(() => signIn(person), () => changePassword(person))
    assert.deepStrictEqual([answer.status, answer.location, answer.cookies.has("session")], [303, "/sign-in?ended=changed", false])
    assert.lengthOf(await sessionsOf(person), 0)
    assert.include((await client.get(answer.location)).text, "у међувремену променила")
  })

  it("does not go around a second factor that is set meanwhile", async () => {
    const person = await newPerson(stage, "SUPPORT")
    const answer = await compared(() => signIn(person), () => setAuthenticator(person))
    assert.deepStrictEqual([answer.location, answer.cookies.has("session")], ["/sign-in?ended=changed", false])
    assert.strictEqual((await signIn(person)).location, "/sign-in/code?next=%2F")
  })

  it("ends at the code where the password is changed meanwhile", async () => {
    const person = await newPerson(stage, "SUPPORT")
    const secret = await setAuthenticator(person)
    const half = (await signIn(person)).cookies.get("session") ?? ""
    const proof = /name="proof" value="([^"]*)"/.exec((await client.get("/sign-in/code", { session: half })).text)?.[1] ?? ""
    const code = () => client.ask("POST", "/sign-in/code", { session: half, form: { proof, code: totpCode(secret) } })
    const answer = await compared(code, () => changePassword(person))
    assert.deepStrictEqual([answer.location, answer.cookies.has("session")], ["/sign-in?ended=changed", false])
    assert.lengthOf(await sessionsOf(person), 0)
  })

  it("is not stopped by the end of the session that the browser had before", async () => {
    const person = await newPerson(stage, "SUPPORT")
    const former = await stage.session(person)
    const end = () => rowsOf("delete from portal_sessions where digest = $1", [digestOf(former)])
    const answer = await compared(() => client.send("/sign-in", former, { email: person.email, password }), end)
    assert.strictEqual(answer.location, "/")
    assert.lengthOf(await sessionsOf(person), 1)
  })
})

describe("a session that gets a new token", () => {
  it("keeps the time of its sign-in: twelve hours are not prolonged", async () => {
    const person = await newPerson(stage, "SUPPORT")
    const session = (await signIn(person)).cookies.get("session") ?? ""
    await rowsOf("update portal_sessions set created_at = now() - interval '11 hours 59 minutes' where digest = $1", [digestOf(session)])
    const changed = await client.send("/account/password", session, { current: password, next })
    assert.strictEqual(changed.location, "/account?done=password-changed")
    const renewed = changed.cookies.get("session") ?? ""
    const [row] = await rowsOf<{ readonly minutes: number }>("select (extract(epoch from now() - created_at) / 60)::int as minutes from portal_sessions where digest = $1", [digestOf(renewed)])
    assert.isAtLeast(row?.minutes ?? 0, 11 * 60 + 59)
    await rowsOf("update portal_sessions set created_at = now() - interval '12 hours' where digest = $1", [digestOf(renewed)])
    assert.match((await client.get("/account", { session: renewed })).location, /^\/sign-in/)
  })
})
