import { layerIdentifiers } from "@overa/adapter-identity"
import { layerDatabase, layerPortalStore } from "@overa/adapter-postgres"
import { type NewSession, People, PersonDevices, PersonSessions, PortalSessions, SecondFactors, type SessionBasis } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { digestOf } from "../src/portal/portalStage.ts"
import { type ThrowawayDatabase, throwawayDatabase } from "../src/support/throwawayDatabase.ts"
import { untilLocked } from "../src/support/untilLocked.ts"

const act = { actor: "test", reason: "made for a test" }
const store = (database: ThrowawayDatabase) =>
  ManagedRuntime.make(layerPortalStore(Redacted.make(`one:${randomBytes(32).toString("base64")}`)).pipe(
    Layer.provide(Layer.merge(layerIdentifiers, layerDatabase({ url: Redacted.make(database.url), applicationName: "test" })))
  ))

let database: ThrowawayDatabase
let runtime: ReturnType<typeof store>
beforeAll(async () => {
  database = await throwawayDatabase()
  runtime = store(database)
})
afterAll(async () => {
  await runtime.dispose()
  await database.drop()
})

const newPerson = () => runtime.runPromise(Effect.flatMap(People, (it) => it.add(act, { email: `${randomUUID()}@primer.example`, name: "Ана", operator: false, passwordHash: Redacted.make("x") })))

const sinceOf = async (personId: string) => (await runtime.runPromise(Effect.flatMap(People, (it) => it.find(personId)))).pipe(Option.getOrThrow).devicesSince

const noon = DateTime.makeUnsafe("2026-11-22T12:00:00Z")
const later = DateTime.makeUnsafe("2026-11-22T23:59:00Z")

/** Opens a session; answers its digest, or the tag of why it was refused. */
const open = (personId: string, basis: SessionBasis, more: Partial<NewSession> = {}): Promise<string> => {
  const digest = digestOf(randomUUID())
  const session = { digest, personId, stage: "COMPLETE", at: noon, address: "127.0.0.1", device: "test", basis, ...more } as const
  return runtime.runPromise(Effect.flatMap(PortalSessions, (it) => it.open(session))).then(() => digest, (error: { readonly _tag?: string }) => String(error._tag))
}
const signIn = async (personId: string, more: Partial<NewSession> = {}) => open(personId, { checked: await sinceOf(personId), replaces: null }, more)
const found = async (digest: string) => Option.getOrNull(await runtime.runPromise(Effect.flatMap(PortalSessions, (it) => it.find(digest))))
const endedAt = (personId: string, keep: string) => runtime.runPromise(Effect.flatMap(PersonSessions, (it) => it.endOthers(act, personId, keep)))

describe("a session that continues another one", () => {
  it("ends it, and began when it did: twelve hours are counted from the sign-in", async () => {
    const ana = await newPerson()
    const first = await signIn(ana)
    const next = await open(ana, { continues: first }, { at: later })
    assert.isNull(await found(first))
    const { session } = await found(next) ?? assert.fail("it is open")
    assert.deepStrictEqual([DateTime.formatIso(session.createdAt), DateTime.formatIso(session.seenAt)], ["2026-11-22T12:00:00.000Z", "2026-11-22T23:59:00.000Z"])
  })

  it("begins with the second factor where the other one waited for it", async () => {
    const ana = await newPerson()
    const half = await signIn(ana, { stage: "PASSWORD" })
    const next = await open(ana, { continues: half }, { at: DateTime.add(noon, { minutes: 9 }) })
    assert.strictEqual(DateTime.formatIso((await found(next))?.session.createdAt ?? noon), "2026-11-22T12:09:00.000Z")
  })

  it("is refused where the other one has ended, is continued already, or is somebody else's", async () => {
    const [ana, pera] = [await newPerson(), await newPerson()]
    const [ended, kept, strange] = [await signIn(ana), await signIn(ana), await signIn(pera)]
    await endedAt(ana, kept)
    assert.strictEqual(await open(ana, { continues: ended }), "SessionRefused")
    assert.strictEqual(await open(ana, { continues: strange }), "SessionRefused")
    assert.isNotNull(await found(strange), "and nothing of it was changed")
    const atOnce = await Promise.all(Array.from({ length: 6 }, () => open(ana, { continues: kept })))
    assert.lengthOf(atOnce.filter((it) => it !== "SessionRefused"), 1)
  })
})

describe("a session after the first factor", () => {
  it("replaces the browser's former one, whoever's it was, and needs none", async () => {
    const [ana, pera] = [await newPerson(), await newPerson()]
    const former = await signIn(pera)
    const next = await open(ana, { checked: await sinceOf(ana), replaces: former }, { at: later })
    assert.isNull(await found(former))
    assert.strictEqual(DateTime.formatIso((await found(next))?.session.createdAt ?? noon), "2026-11-22T23:59:00.000Z")
    assert.isNotNull(await found(await open(ana, { checked: await sinceOf(ana), replaces: former })))
  })

  const changes: ReadonlyArray<readonly [name: string, change: (id: string) => Effect.Effect<unknown, unknown, People | SecondFactors | PersonDevices | PersonSessions>]> = [
    ["the password was changed", (id) => Effect.flatMap(People, (it) => it.changePassword(act, id, Redacted.make("y"), null))],
    ["an authenticator app was set", (id) => Effect.flatMap(SecondFactors, (it) => it.setAuthenticator(act, id, Redacted.make("A".repeat(32)), null))],
    ["the second factors were removed", (id) => Effect.flatMap(SecondFactors, (it) => it.removeAll(act, id))],
    ["a passkey was added", (id) => Effect.flatMap(SecondFactors, (it) => it.addPasskey(act, id, { id: randomUUID(), publicKey: new Uint8Array([1]), counter: 0, transports: [], name: "кључ" }, null))],
    ["the account was begun anew", (id) => Effect.flatMap(People, (it) => it.proveAddress(act, id, Redacted.make("y")))],
    ["every device was forgotten", (id) => Effect.flatMap(PersonDevices, (it) => it.forgetAll(act, id, ""))],
    ["the person signed out everywhere", (id) => Effect.flatMap(PersonSessions, (it) => it.endAll(act, id))]
  ]
  for (const [name, change] of changes) {
    it(`is refused where ${name} since it was compared`, async () => {
      const ana = await newPerson()
      const checked = await sinceOf(ana)
      await runtime.runPromise(change(ana))
      assert.strictEqual(await open(ana, { checked, replaces: null }), "SessionRefused")
      assert.isNotNull(await found(await signIn(ana)))
    })
  }

  it("waits for a change that is being committed, and is refused then", async () => {
    const ana = await newPerson()
    const checked = await sinceOf(ana)
    const [holder, observer] = [await database.client(), await database.client()]
    await holder.query("begin")
    await holder.query("update people set password_hash = 'y', devices_since = now() where person_id = $1", [ana])
    const opened = open(ana, { checked, replaces: null })
    await untilLocked(observer, "test")
    await holder.query("commit")
    assert.strictEqual(await opened, "SessionRefused")
  })
})

describe("sessions that are opened, continued and ended at the same time", () => {
  it("never make a deadlock, and none of those that a change of the password ended is open afterwards", async () => {
    const ana = await newPerson()
    const client = await database.client()
    const deadlocks = async () => (await client.query<{ readonly n: number }>("select deadlocks::int as n from pg_stat_database where datname = current_database()")).rows[0]?.n
    const before = await deadlocks()
    for (let round = 0; round < 6; round += 1) {
      const deviceId = digestOf(`device ${round}`)
      const sessions = await Promise.all(Array.from({ length: 4 }, () => signIn(ana, { deviceId })))
      const checked = await sinceOf(ana)
      const acts: ReadonlyArray<Effect.Effect<unknown, unknown, People | PersonDevices | PersonSessions>> = [
        Effect.flatMap(People, (it) => it.changePassword(act, ana, Redacted.make(`${round}`), null)),
        Effect.flatMap(PersonDevices, (it) => it.forget(act, ana, deviceId, "")),
        Effect.flatMap(PersonSessions, (it) => it.endOthers(act, ana, ""))
      ]
      const opened = [...sessions.map((continues) => open(ana, { continues }, { deviceId })), open(ana, { checked, replaces: null }, { deviceId })]
      await Promise.all([...opened, ...acts.map((it) => runtime.runPromise(it))])
      assert.strictEqual((await client.query("select from portal_sessions where person_id = $1", [ana])).rowCount, 0, `round ${round}`)
    }
    assert.strictEqual(await deadlocks(), before)
  })
})
