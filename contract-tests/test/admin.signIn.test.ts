import { layerIdentifiers } from "@overa/adapter-identity"
import { layerDatabase, layerPortalStore } from "@overa/adapter-postgres"
import { People, SecondFactors } from "@overa/domain"
import { Effect, Layer, Option, Redacted } from "effect"
import { Secret } from "otpauth"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OperatorDesk, operatorDesk } from "../src/support/operatorDesk.ts"
import { totpCode } from "../src/support/totpCode.ts"
import { untilLocked } from "../src/support/untilLocked.ts"

const email = "mira@example.rs"
const password = "tri plave kornjače"
const secret = new Secret({ size: 20 }).base32
const because = ["--reason", "contract 17"]
let desk: OperatorDesk

/** The code of the given number of steps from now: each may be used once. */
const code = (steps = 0): string => totpCode(secret, Date.now() + steps * 30_000)

const people = <A, E>(body: Effect.Effect<A, E, People | SecondFactors>): Promise<A> => {
  const store = layerPortalStore(Redacted.make(desk.environment["OVERA_SECRET_KEYS"] ?? "")).pipe(
    Layer.provide(Layer.merge(layerIdentifiers, layerDatabase({ url: Redacted.make(desk.database.url), applicationName: "test" })))
  )
  return Effect.runPromise(Effect.provide(body, store))
}

const addOrganization = (name: string, session = "") =>
  desk.admin(["organizations", "add", name, ...because, "--operator", "mira@example.rs", "--json"], { environment: { OVERA_OPERATOR_SESSION: session } })

const signIn = (lines: ReadonlyArray<string>, who = email) => desk.admin(["sign-in", who, "--json"], { lines })

const actors = async (): Promise<ReadonlyArray<string>> =>
  (await (await desk.database.client()).query("select actor from activity_log where act = 'organization created' order by at")).rows.map(({ actor }) => actor as string)

beforeAll(async () => {
  desk = await operatorDesk()
})
afterAll(() => desk.close())

describe("who acts by the operator's command", () => {
  it("is whoever says so while nobody can sign in, and the log says that it was said", async () => {
    expect(await addOrganization("Prva")).toMatchObject({ code: 0 })
    const environment = { OVERA_PORTAL_PASSWORD: password }
    expect(await desk.admin(["people", "add", email, "--name", "Mira", "--installation", ...because], { environment })).toMatchObject({ code: 0 })
    expect(await desk.admin(["people", "add", "pera@example.rs", "--name", "Pera", ...because], { environment })).toMatchObject({ code: 0 })
    expect(await signIn([password, code()])).toMatchObject({ code: 2, err: "Set a second factor in the portal first; operators act with both.\n" })
    expect(await actors()).toEqual(["operator:mira@example.rs (not signed in)"])
  })

  it("is nobody without a session, once an operator has a second factor", async () => {
    const { id } = await people(Effect.flatMap(People, (it) => Effect.map(it.findByEmail(email), (found) => Option.getOrThrow(found).person)))
    await people(Effect.flatMap(SecondFactors, (it) => it.setAuthenticator({ actor: "test", reason: "test" }, id, Redacted.make(secret), null)))
    expect(await addOrganization("Druga")).toMatchObject({ code: 2, err: expect.stringMatching(/^Sign in first: sign-in <email>\./) })
    for (const made of ["x", "0".repeat(43), "'; drop table people; --"]) {
      expect(await addOrganization("Druga", made)).toMatchObject({ code: 2, err: expect.stringMatching(/has ended, or is not an operator's/) })
    }
    expect(await desk.admin(["organizations", "list"])).toMatchObject({ code: 0 })
    expect(await actors()).toHaveLength(1)
  })

  it("is not known by a wrong password, a wrong code, or as a person who is no operator; which one it was is not said", async () => {
    const refused = { code: 2, err: "E-mail address, password or code is wrong, or this is no operator.\n" }
    expect(await signIn(["wrong password wrong", code()])).toMatchObject(refused)
    expect(await signIn([password, "000000"])).toMatchObject(refused)
    expect(await signIn([password])).toMatchObject(refused)
    expect(await signIn([password, code()], "pera@example.rs")).toMatchObject(refused)
    expect(await signIn([password, code()], "nobody@example.rs")).toMatchObject(refused)
  })

  it("signs in with both factors, and the log names the person, whatever name is said", async () => {
    const used = code()
    const { json } = await signIn([password, used])
    expect(json).toMatchObject({ email, session: expect.stringMatching(/^[\w-]{43}$/) })
    expect(await signIn([password, used])).toMatchObject({ code: 2 })
    const session = json.session as string
    expect(await addOrganization("Treća", session)).toMatchObject({ code: 0 })
    expect(await actors()).toEqual(["operator:mira@example.rs (not signed in)", "operator:mira@example.rs"])
    const kept = (await (await desk.database.client()).query("select digest, device from portal_sessions")).rows
    expect(kept).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/), device: "the operator's command" }])
    expect(await desk.admin(["sign-out"], { environment: { OVERA_OPERATOR_SESSION: session } })).toMatchObject({ code: 0 })
    expect(await addOrganization("Četvrta", session)).toMatchObject({ code: 2 })
  })

  it("is nobody where the password is changed while the code is asked for", async () => {
    const [holder, observer] = [await desk.database.client(), await desk.database.client()]
    const before = (await observer.query("select from portal_sessions")).rowCount
    await observer.query("update people set totp_last_step = null where email = $1", [email])
    await holder.query("begin")
    await holder.query("update people set devices_since = now() where email = $1", [email])
    const signedIn = signIn([password, code()])
    // The password is compared already: the code's step waits for the person's row.
    await untilLocked(observer, "overa-admin")
    await holder.query("commit")
    expect(await signedIn).toMatchObject({ code: 2, err: "The password or the second factor was changed meanwhile. Nobody was signed in; sign in again.\n" })
    expect((await observer.query("select from portal_sessions")).rowCount).toBe(before)
  })

  it("is nobody any more once the person's password was changed, or the person is no operator, or thirty minutes are over", async () => {
    const client = await desk.database.client()
    const { json } = await signIn([password, code(1)])
    expect(await addOrganization("Peta", json.session)).toMatchObject({ code: 0 })
    for (const [take, give] of [
      ["update people set operator = false where email = $1", "update people set operator = true where email = $1"],
      ["update portal_sessions set stage = 'PASSWORD' where $1 <> ''", "update portal_sessions set stage = 'COMPLETE' where $1 <> ''"],
      ["update portal_sessions set seen_at = now() - interval '31 minutes' where $1 <> ''", "update portal_sessions set seen_at = now() where $1 <> ''"],
      ["update portal_sessions set created_at = now() - interval '13 hours' where $1 <> ''", "update portal_sessions set created_at = now() where $1 <> ''"]
    ] as const) {
      await client.query(take, [email])
      // While there is no operator, nobody could sign in; a session that is given is checked nevertheless.
      expect(await addOrganization("Šesta", json.session)).toMatchObject({ code: 2 })
      await client.query(give, [email])
    }
    const reset = ["people", "reset-password", email, ...because, "--yes"]
    expect(await desk.admin(reset, { environment: { OVERA_OPERATOR_SESSION: json.session } })).toMatchObject({ code: 0 })
    expect(await addOrganization("Sedma", json.session)).toMatchObject({ code: 2 })
    expect((await actors()).filter((actor) => actor === "operator:mira@example.rs")).toHaveLength(2)
  })
})
