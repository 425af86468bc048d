import { layerDatabase, layerDeliveryOutbox, layerDeliveryStore, layerMailTransport, layerOperationStore, layerOversight } from "@overa/adapter-postgres"
import { DeliveryOutbox, DeliveryStore, InstallationOversight, type ReceiptDelivery, watchDeliveries } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { installationMetrics } from "../../hosts/kit/src/operational/installationMetrics.ts"
import { deliveriesContract } from "../src/ports/Deliveries.contract.ts"
import { layerIdentifiers } from "../src/support/postgresPorts.ts"
import { sampleDelivery } from "../src/support/sampleDeliveries.ts"
import { isReadOverAll, recordStatements, splitOffences } from "../src/support/splitRules.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

const recorder = recordStatements()
const at = (url: string) => Layer.merge(layerDatabase({ url: Redacted.make(url), applicationName: "contract" }), layerIdentifiers)

deliveriesContract("PostgreSQL", () =>
  Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox, layerMailTransport(true), layerOperationStore).pipe(Layer.provide(recorder.layer), Layer.provide(at(database.url)))
)

describe("what holds a delivery's key", () => {
  it("says nothing of its request: nothing is left there when the recipient is erased", async () => {
    const delivery = sampleDelivery()
    const store = Effect.flatMap(DeliveryStore, (it) => it.queue(delivery))
    await Effect.runPromise(store.pipe(Effect.provide(layerDeliveryStore.pipe(Layer.provide(at(database.url))))))
    const { rows } = await (await database.client()).query("select * from operations where operation_id = $1", [delivery.id])
    assert.lengthOf(rows, 1)
    assert.deepInclude(rows[0], { key: delivery.boundKey.key, key_body: "", content: "", fingerprint_digest: "" })
  })
})

describe("what an operator sees of deliveries", () => {
  let own: ThrowawayDatabase
  let runtime: ManagedRuntime.ManagedRuntime<DeliveryStore | DeliveryOutbox | InstallationOversight, unknown>
  beforeAll(async () => {
    own = await throwawayDatabase()
    runtime = ManagedRuntime.make(Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox, layerOversight).pipe(Layer.provide(at(own.url))))
  })
  afterAll(async () => {
    await runtime.dispose()
    await own.drop()
  })

  const queue = (...deliveries: ReadonlyArray<Partial<ReceiptDelivery>>) =>
    runtime.runPromise(Effect.flatMap(DeliveryStore, (store) => Effect.forEach(deliveries, (change) => store.queue(sampleDelivery(change)))))
  const set = async (change: string): Promise<void> => {
    await (await own.client()).query(`update receipt_deliveries set ${change}`)
  }
  /** The lines of `/metrics` about deliveries; the age in whole minutes. */
  const metrics = async () => {
    const figures = await runtime.runPromise(Effect.flatMap(InstallationOversight, (it) => it.figures))
    const lines = installationMetrics(figures, Date.now()).split("\n").filter((line) => line.startsWith("overa_deliveries"))
    return Object.fromEntries(lines.map((line) => {
      const [series = "", value] = line.split(" ")
      return [series, series === "overa_deliveries_oldest_seconds" ? Math.floor(Number(value) / 60) : Number(value)]
    }))
  }
  const nothing = {
    overa_deliveries_queued: 0,
    overa_deliveries_oldest_seconds: 0,
    overa_deliveries_sent: 0,
    "overa_deliveries_failed{reason=\"REFUSED\"}": 0,
    "overa_deliveries_failed{reason=\"EXHAUSTED\"}": 0,
    "overa_deliveries_failed{reason=\"UNCERTAIN\"}": 0
  }

  it("an installation without any has every series at zero", async () => {
    assert.deepStrictEqual(await metrics(), nothing)
  })

  it("counts what is queued, what was sent and what was given up in the last day, by reason", async () => {
    await queue({}, {}, {}, {}, {}, {}, {})
    const client = await own.client()
    const { rows } = await client.query("select delivery_id from receipt_deliveries order by delivery_id")
    const ids: ReadonlyArray<string> = rows.map((row) => row.delivery_id)
    const ended = (index: number, status: string, failure: string | null, ago: string) =>
      client.query("update receipt_deliveries set status = $2, failure = $3, updated_at = now() - $4::interval where delivery_id = $1", [ids[index], status, failure, ago])
    await ended(0, "SENT", null, "23 hours")
    await ended(1, "SENT", null, "25 hours")
    await ended(2, "FAILED", "REFUSED", "1 minute")
    await ended(3, "FAILED", "UNCERTAIN", "1 minute")
    await ended(4, "FAILED", "EXHAUSTED", "25 hours")
    await client.query("update receipt_deliveries set waiting_since = now() - interval '7 minutes' where delivery_id = $1", [ids[5]])
    assert.deepStrictEqual(await metrics(), {
      ...nothing,
      overa_deliveries_queued: 2,
      overa_deliveries_oldest_seconds: 7,
      overa_deliveries_sent: 1,
      "overa_deliveries_failed{reason=\"REFUSED\"}": 1,
      "overa_deliveries_failed{reason=\"UNCERTAIN\"}": 1
    })
  })

  it("the attention list names the longest waiting one once it waits for over 15 minutes, and again when somebody acknowledged it", async () => {
    const watch = () => runtime.runPromise(watchDeliveries())
    const open = async () => {
      const client = await own.client()
      return (await client.query("select kind, detail from attention where acknowledged_at is null")).rows
    }
    await set("waiting_since = now() - interval '14 minutes 50 seconds' where status = 'QUEUED'")
    assert.isFalse(await watch())
    assert.deepStrictEqual(await open(), [])
    await set("waiting_since = now() - interval '15 minutes 1 second' where status = 'QUEUED'")
    assert.isTrue(await watch())
    assert.isFalse(await watch())
    const items = await open()
    assert.lengthOf(items, 1)
    assert.deepInclude(items[0], { kind: "DELIVERY_WAITING" })
    assert.notInclude(items[0].detail, "@")
    await (await own.client()).query("update attention set acknowledged_at = now(), acknowledged_by = 'operator'")
    await set("waiting_since = now() - interval '16 minutes' where status = 'QUEUED'")
    assert.isTrue(await watch())
    assert.lengthOf(await open(), 1)
  })
})

describe("PostgreSQL: every statement the cases above ran fits a server that is split by organization", () => {
  it("names its organization where it writes or locks, computes nothing twice", async () => {
    assert.isAtLeast(recorder.statements.size, 15)
    assert.deepStrictEqual((await Promise.all([...recorder.statements].map(splitOffences))).flat(), [])
  })

  it("reads over all organizations only where a worker looks for its work", async () => {
    const found: Array<string> = []
    for (const sql of recorder.statements) if (await isReadOverAll(sql)) found.push(/ from (\w+)/.exec(sql)?.[1] ?? sql)
    // What is due, what waits too long, and whether an operator was informed of that.
    assert.deepStrictEqual(found.toSorted(), ["attention", "receipt_deliveries", "receipt_deliveries"])
  })
})
