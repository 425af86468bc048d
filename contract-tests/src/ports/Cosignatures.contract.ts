import { Cosignatures, JournalLog, JournalSealer, OperationStore, type Tenant } from "@overa/domain"
import { Effect, type Layer, ManagedRuntime } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../support/sampleOperations.ts"

type Stores = Cosignatures | OperationStore | JournalLog | JournalSealer

interface Started {
  readonly layer: Layer.Layer<Stores, unknown>
  /** Makes an organization known to the store. */
  readonly register: (organizationId: string) => Promise<void>
  /** Makes the store believe that the tenant's log was last shown more than a minute ago. */
  readonly aMinuteLater: (tenant: Tenant) => Effect.Effect<void>
}

const [a, b] = ["witness.example/a+00000000+AAAA", "witness.example/b+00000000+AAAA"] as const
const most = 10_000

/** What every store of cosignatures does. */
export const cosignaturesContract = (name: string, start: () => Started) =>
  describe(`Cosignatures on ${name}`, () => {
    let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
    let started: Started
    const run = <A, E>(body: Effect.Effect<A, E, Stores>): Promise<A> => runtime.runPromise(body)
    const store = <A, E>(use: (store: Cosignatures["Service"]) => Effect.Effect<A, E>) => run(Effect.flatMap(Effect.service(Cosignatures), use))

    beforeAll(() => {
      started = start()
      runtime = ManagedRuntime.make(started.layer)
    })
    afterAll(() => runtime.dispose())

    const grow = (tenant: ReturnType<typeof mintPlace>) => run(Effect.gen(function*() {
      const operation = sampleOperation(tenant)
      yield* (yield* OperationStore).reserve(sampleReservation(operation))
      yield* (yield* OperationStore).conclude(signed(operation))
      yield* (yield* JournalSealer).seal({ limit: most })
      return yield* (yield* JournalLog).checkpoint(tenant)
    }))

    const newLog = async () => {
      const tenant = mintPlace()
      await started.register(tenant.organizationId)
      return { tenant, checkpoint: await grow(tenant) }
    }

    /** Other cases' logs are taken too; this answers the one asked for. */
    const take = async (tenant: Tenant, witnesses: ReadonlyArray<string> = [a, b]) =>
      (await store((it) => it.take(witnesses, most))).find((log) => log.tenant.organizationId === tenant.organizationId && log.tenant.environment === tenant.environment)
    const later = async (tenant: Tenant, witnesses?: ReadonlyArray<string>) => {
      await run(started.aMinuteLater(tenant))
      return take(tenant, witnesses)
    }

    it("takes a log at most once a minute, and one without entries never", async () => {
      const { tenant } = await newLog()
      const empty = mintPlace()
      await started.register(empty.organizationId)
      assert.isUndefined(await take(empty))
      assert.deepStrictEqual([...(await later(tenant))?.sizes ?? ["not taken"]], [])
      assert.isUndefined(await take(tenant))
      assert.isDefined(await later(tenant))
    })

    it("of workers that take at once one gets a log", async () => {
      const { tenant } = await newLog()
      await run(started.aMinuteLater(tenant))
      const taken = await Promise.all(Array.from({ length: 8 }, () => take(tenant)))
      assert.lengthOf(taken.filter((log) => log !== undefined), 1)
    })

    it("does not take more than it was asked for, and those first that have waited longest", async () => {
      const logs = [await newLog(), await newLog(), await newLog()]
      await store((it) => it.take([a], most))
      for (const { tenant } of logs) await run(started.aMinuteLater(tenant))
      const taken = [...await store((it) => it.take([a], 1)), ...await store((it) => it.take([a], 1))]
      assert.lengthOf(taken, 2)
      assert.lengthOf(new Set(taken.map(({ tenant }) => tenant.organizationId)), 2)
    })

    it("has a newest cosigned checkpoint when every witness has cosigned one and the same", async () => {
      const { checkpoint, tenant } = await newLog()
      assert.isNull(await store((it) => it.newest(tenant)))
      await take(tenant)
      await store((it) => it.keep(tenant, checkpoint, [{ witness: b, line: "— b 1\n" }], [a, b]))
      assert.isNull(await store((it) => it.newest(tenant)))
      const grown = await grow(tenant)
      assert.deepStrictEqual([...(await later(tenant))?.sizes ?? []], [[b, checkpoint.size]])
      await store((it) => it.keep(tenant, grown, [{ witness: a, line: "— a 2\n" }], [a, b]))
      assert.isNull(await store((it) => it.newest(tenant)), "each has cosigned another one")
      await store((it) => it.keep(tenant, grown, [{ witness: b, line: "— b 2\n" }], [a, b]))
      assert.strictEqual(await store((it) => it.newest(tenant)), `${grown.note}— a 2\n— b 2\n`)
      assert.isUndefined(await later(tenant), "nothing is left to cosign")
      await grow(tenant)
      assert.deepStrictEqual(new Map((await later(tenant))?.sizes), new Map([[a, grown.size], [b, grown.size]]))
    })

    it("never replaces a cosignature or a cosigned checkpoint by one of a smaller size", async () => {
      const { checkpoint, tenant } = await newLog()
      const grown = await grow(tenant)
      await take(tenant)
      const both = (size: string) => [{ witness: a, line: `— a ${size}\n` }, { witness: b, line: `— b ${size}\n` }]
      await store((it) => it.keep(tenant, grown, both("grown"), [a, b]))
      await store((it) => it.keep(tenant, checkpoint, both("late"), [a, b]))
      assert.strictEqual(await store((it) => it.newest(tenant)), `${grown.note}— a grown\n— b grown\n`)
      await grow(tenant)
      assert.deepStrictEqual(new Map((await later(tenant))?.sizes), new Map([[a, grown.size], [b, grown.size]]))
    })

    it("a witness that is set later must cosign too, and one that is asked no more is not waited for", async () => {
      const { checkpoint, tenant } = await newLog()
      await take(tenant, [a])
      await store((it) => it.keep(tenant, checkpoint, [{ witness: a, line: "— a 1\n" }], [a]))
      assert.isUndefined(await later(tenant, [a]))
      assert.isDefined(await later(tenant, [a, b]))
      const grown = await grow(tenant)
      await store((it) => it.keep(tenant, grown, [{ witness: a, line: "— a 2\n" }], [a, b]))
      assert.strictEqual(await store((it) => it.newest(tenant)), `${checkpoint.note}— a 1\n`)
      assert.isDefined(await later(tenant, [a]))
      await store((it) => it.keep(tenant, grown, [], [a]))
      assert.strictEqual(await store((it) => it.newest(tenant)), `${grown.note}— a 2\n`)
      assert.isUndefined(await later(tenant, [a]))
    })

    it("keeps the logs of organizations and environments apart", async () => {
      const [home, stranger] = [await newLog(), await newLog()]
      const production: Tenant = { ...home.tenant, environment: "production" }
      await take(home.tenant)
      await store((it) => it.keep(home.tenant, home.checkpoint, [{ witness: a, line: "— a 1\n" }], [a]))
      assert.isNotNull(await store((it) => it.newest(home.tenant)))
      assert.isNull(await store((it) => it.newest(production)))
      assert.isNull(await store((it) => it.newest(stranger.tenant)))
    })

    it("raises the same item once", async () => {
      const { tenant } = await newLog()
      const item = { kind: "LOG_NOT_COSIGNED", detail: "The witness has cosigned 9 entries." }
      assert.isTrue(await store((it) => it.raise(tenant, item)))
      assert.isFalse(await store((it) => it.raise(tenant, item)))
    })
  })
