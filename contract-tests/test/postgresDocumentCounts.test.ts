import { layerDatabase, layerOperationStore } from "@overa/adapter-postgres"
import { DocumentCounts, formatDecimal, type Operation, OperationStore, type SignedAnswer } from "@overa/domain"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { layerDocumentCounts } from "../../adapters/postgres/src/PgDocumentCounts.ts"
import { mintPlace, noAnswer, rejected, sampleAnswer, sampleContent, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

const invoiceTypes = ["NORMAL", "COPY", "ADVANCE", "PROFORMA", "TRAINING"] as const
const march = { from: DateTime.makeUnsafe("2026-02-28T23:00:00Z"), to: DateTime.makeUnsafe("2026-03-31T22:00:00Z") }

describe("PostgreSQL: how many receipts a tenant has issued", () => {
  let database: ThrowawayDatabase
  let runtime: ManagedRuntime.ManagedRuntime<DocumentCounts | OperationStore, unknown>
  beforeAll(async () => {
    database = await throwawayDatabase()
    const connection = layerDatabase({ url: Redacted.make(database.url), applicationName: "counts" })
    runtime = ManagedRuntime.make(Layer.mergeAll(layerDocumentCounts, layerOperationStore).pipe(Layer.provide(connection)))
  })
  afterAll(async () => {
    await runtime.dispose()
    await database.drop()
  })

  const document = (place: ReturnType<typeof mintPlace>, invoiceType: Operation["content"]["invoiceType"], transactionType: Operation["content"]["transactionType"]) =>
    sampleOperation(place, { content: { ...sampleContent(1), invoiceType, transactionType } })

  const signedAt = (operation: Operation, sdcTime: string) => {
    const answer = sampleAnswer()
    return signed(operation, { answer: { ...answer, pfr: { ...answer.pfr, sdcTime: sdcTime as SignedAnswer["pfr"]["sdcTime"] } } })
  }

  const store = (operation: Operation, conclusion: ReturnType<typeof signed>) =>
    runtime.runPromise(Effect.gen(function*() {
      const operations = yield* OperationStore
      yield* operations.reserve(sampleReservation(operation))
      assert.strictEqual((yield* operations.conclude(conclusion))._tag, "Applied")
    }))

  const counted = (place: ReturnType<typeof mintPlace>) =>
    runtime.runPromise(Effect.gen(function*() {
      const counts = yield* DocumentCounts
      const refunds = yield* counts.refunds(place, march)
      return { fiscalized: yield* counts.fiscalized(place, march), refunds: refunds.map((day) => ({ ...day, amount: formatDecimal(day.amount) })) }
    }))

  it("counts receipts of the month; a proforma and a training document never, nor what is no receipt", async () => {
    const place = mintPlace()
    for (const invoiceType of invoiceTypes) {
      for (const transactionType of ["SALE", "REFUND"] as const) {
        const operation = document(place, invoiceType, transactionType)
        await store(operation, signedAt(operation, "2026-03-04T06:06:08.4551405+01:00"))
      }
    }
    const [refused, unknown] = [document(place, "NORMAL", "SALE"), document(place, "NORMAL", "SALE")]
    await store(refused, rejected(refused))
    await store(unknown, noAnswer(unknown))
    assert.deepStrictEqual(await counted(place), { fiscalized: 6, refunds: [{ day: "2026-03-04", receipts: 2, amount: "502" }] })
  })

  it("takes the month and the day from the PFR time, in Belgrade, and nothing of another environment or organization", async () => {
    const place = mintPlace()
    const times = ["2026-02-28T23:59:59.9999999+01:00", "2026-03-01T00:00:00.0000000+01:00", "2026-03-31T23:59:59.9999999+02:00", "2026-04-01T00:00:00.0000000+02:00"]
    for (const time of times) {
      const refund = document(place, "NORMAL", "REFUND")
      await store(refund, signedAt(refund, time))
    }
    const beside = { ...place, environment: "production" as const }
    for (const elsewhere of [beside, mintPlace()]) {
      const other = document(elsewhere, "NORMAL", "SALE")
      await store(other, signedAt(other, "2026-03-04T06:06:08.4551405+01:00"))
    }
    const { fiscalized, refunds } = await counted(place)
    assert.deepStrictEqual([fiscalized, refunds.map(({ day }) => day)], [2, ["2026-03-01", "2026-03-31"]])
  })
})
