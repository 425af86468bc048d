import { layerIdentifiers } from "@overa/adapter-identity"
import { layerDatabase, layerPortalStore } from "@overa/adapter-postgres"
import { mostPasskeys, type NewPasskey, People, SecondFactors } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type ThrowawayDatabase, throwawayDatabase } from "../src/support/throwawayDatabase.ts"

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

const factors = <A, E>(use: (it: SecondFactors["Service"]) => Effect.Effect<A, E>): Promise<A> => runtime.runPromise(Effect.flatMap(SecondFactors, use))

const newPerson = (operator = false): Promise<string> =>
  runtime.runPromise(Effect.flatMap(People, (it) => it.add(act, { email: `${randomUUID()}@primer.example`, name: "Ана", operator, passwordHash: Redacted.make("x") })))

const newPasskey = (more: Partial<NewPasskey> = {}): NewPasskey =>
  ({ id: randomBytes(16).toString("base64url"), publicKey: new Uint8Array(randomBytes(77)), counter: 0, transports: ["internal", "hybrid"], name: "телефон", ...more })

const reasonOf = (made: Promise<unknown>): Promise<string> => made.then(() => "done", (error: { readonly reason?: string }) => String(error.reason))

describe("the store of second factors", () => {
  it("gives back what was added, oldest first, to its person alone", async () => {
    const [ana, pera] = [await newPerson(), await newPerson()]
    const [first, second] = [newPasskey({ counter: 4_294_967_295 }), newPasskey({ transports: [], name: "<b>\"'" })]
    for (const passkey of [first, second]) await factors((it) => it.addPasskey(act, ana, passkey, null))
    const found = await factors((it) => it.passkeysOf(ana))
    assert.deepStrictEqual(found.map(({ counter, id, name, publicKey, transports }) => ({ counter, id, name, publicKey, transports })), [first, second])
    assert.deepStrictEqual(await factors((it) => it.passkeysOf(pera)), [])
    assert.strictEqual(await reasonOf(factors((it) => it.addPasskey(act, pera, first, null))), "ALREADY_ADDED")
    assert.strictEqual(await reasonOf(factors((it) => it.removePasskey(act, pera, first.id, null))), "NOT_FOUND")
    assert.lengthOf(await factors((it) => it.passkeysOf(ana)), 2)
  })

  it("takes a counter that grew, once, however many try it at the same time; zeros from one that does not count always", async () => {
    const ana = await newPerson()
    const [counting, other] = [newPasskey({ counter: 5 }), newPasskey()]
    for (const passkey of [counting, other]) await factors((it) => it.addPasskey(act, ana, passkey, null))
    const use = (id: string, counter: number) => factors((it) => it.usePasskey(ana, id, counter, DateTime.makeUnsafe("2026-11-22T12:00:00Z")))
    assert.deepStrictEqual([await use(counting.id, 5), await use(counting.id, 4), await use(counting.id, 0)], [false, false, false])
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => use(counting.id, 6)))
    assert.lengthOf(atOnce.filter(Boolean), 1)
    assert.deepStrictEqual([await use(other.id, 0), await use(other.id, 0), await use(other.id, 1), await use(other.id, 0)], [true, true, true, false])
  })

  it("leaves an operator one second factor, also when the last two are removed at the same time", async () => {
    for (let round = 0; round < 5; round += 1) {
      const ana = await newPerson(true)
      const both = [newPasskey(), newPasskey()]
      for (const passkey of both) await factors((it) => it.addPasskey(act, ana, passkey, null))
      const outcomes = await Promise.all(both.map(({ id }) => reasonOf(factors((it) => it.removePasskey(act, ana, id, null)))))
      assert.deepStrictEqual(outcomes.toSorted(), ["LAST_SECOND_FACTOR", "done"])
      assert.lengthOf(await factors((it) => it.passkeysOf(ana)), 1)
    }
  })

  it("lets an operator with an authenticator app, and everybody else, remove the last passkey", async () => {
    for (const operator of [true, false]) {
      const ana = await newPerson(operator)
      if (operator) await factors((it) => it.setAuthenticator(act, ana, Redacted.make("A".repeat(32)), null))
      const passkey = newPasskey()
      await factors((it) => it.addPasskey(act, ana, passkey, null))
      await factors((it) => it.removePasskey(act, ana, passkey.id, null))
      assert.lengthOf(await factors((it) => it.passkeysOf(ana)), 0)
    }
  })

  it("ends every known device with each change, the removal of a passkey included", async () => {
    const ana = await newPerson()
    const passkey = newPasskey()
    const since = async () => (await runtime.runPromise(Effect.flatMap(People, (it) => it.find(ana)))).pipe(Option.getOrThrow).devicesSince
    const changes: ReadonlyArray<(it: SecondFactors["Service"]) => Effect.Effect<void, unknown>> = [
      (it) => it.addPasskey(act, ana, passkey, null),
      (it) => it.removePasskey(act, ana, passkey.id, null),
      (it) => it.setAuthenticator(act, ana, Redacted.make("A".repeat(32)), null),
      (it) => it.setAuthenticator(act, ana, null, null),
      (it) => it.removeAll(act, ana)
    ]
    const client = await database.client()
    for (const [at, change] of changes.entries()) {
      await client.query("update people set devices_since = '2026-01-01T00:00:00Z' where person_id = $1", [ana])
      await factors(change)
      assert.isAbove(DateTime.toEpochMillis(await since()), DateTime.toEpochMillis(DateTime.makeUnsafe("2026-01-01T00:00:00Z")), `change ${at}`)
    }
  })

  it("holds no more than are allowed, also when many are added at the same time", async () => {
    const ana = await newPerson()
    const outcomes = await Promise.all(Array.from({ length: mostPasskeys + 4 }, () => reasonOf(factors((it) => it.addPasskey(act, ana, newPasskey(), null)))))
    assert.lengthOf(outcomes.filter((it) => it === "TOO_MANY"), 4)
    assert.lengthOf(await factors((it) => it.passkeysOf(ana)), mostPasskeys)
  })

  it("removes all of a person who lost one, in one act of the log", async () => {
    const ana = await newPerson(true)
    await factors((it) => it.setAuthenticator(act, ana, Redacted.make("A".repeat(32)), null))
    await factors((it) => it.addPasskey(act, ana, newPasskey(), null))
    await factors((it) => it.removeAll(act, ana))
    const client = await database.client()
    const { rows } = await client.query("select totp_secrets is null as gone, (select count(*)::int from portal_passkeys k where k.person_id = p.person_id) as passkeys from people p where person_id = $1", [ana])
    assert.deepStrictEqual(rows, [{ gone: true, passkeys: 0 }])
  })
})
