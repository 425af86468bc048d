import { DeliveryStore, Identifiers, LicenseRegister, MailTransport, noDeliverySettings, OperationStore, type ReceiptDelivery, requestDelivery } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { describe, expect, it } from "vitest"
import { mintPlace, sampleOperation, sampleReservation, signed } from "../src/support/sampleOperations.ts"
import { memoryWebhookStage } from "../src/support/webhookStage.ts"
import { sampleDelivery } from "../src/support/sampleDeliveries.ts"

const place = mintPlace()
const sale = sampleOperation(place)
const { boundKey } = sampleDelivery()
const request = { tenant: { organizationId: place.organizationId, environment: place.environment }, clientId: "svc-sbx-tests", callerGone: new AbortController().signal, boundKey }
const asked = { fiscalDocumentId: sale.id, recipient: "kupac@example.rs", formats: null, locale: null }

/** Asks for a delivery; while its limits are looked at, another request queues `queued`, after which no limit has room. */
const askBeside = (queued: ReceiptDelivery) => {
  let isQueued = false
  const deliveries = Layer.mock(DeliveryStore, {
    findByKey: (_organization, key) => Effect.sync(() => isQueued && key === queued.boundKey.key ? Option.some(queued) : Option.none()),
    settings: () => Effect.succeed({ ...noDeliverySettings, enabled: true }),
    use: () =>
      Effect.sync(() => {
        isQueued = true
        return { otherRecipients: 0, deliveriesOfDocument: 1_000, inLastHour: 1_000_000 }
      })
  })
  const others = Layer.mergeAll(Layer.mock(LicenseRegister, {}), Layer.mock(Identifiers, {}), Layer.mock(MailTransport, { available: Effect.succeed(true) }))
  return Effect.runPromise(Effect.gen(function*() {
    const store = yield* OperationStore
    yield* Effect.andThen(store.reserve(sampleReservation(sale)), store.conclude(signed(sale)))
    return yield* Effect.result(Effect.provide(requestDelivery(request, asked), Layer.merge(deliveries, others)))
  }).pipe(Effect.provide(memoryWebhookStage)))
}

describe("a delivery that is asked for twice at once", () => {
  it("is answered with what the faster request has queued, though that has used up the limit", async () => {
    const queued = sampleDelivery({ organizationId: place.organizationId, fiscalDocumentId: sale.id, boundKey })
    expect(await askBeside(queued)).toMatchObject({ _tag: "Success", success: { replayed: true, delivery: { id: queued.id } } })
  })

  it("is refused by the limit where another key has used it up", async () => {
    expect(await askBeside(sampleDelivery({ organizationId: place.organizationId, fiscalDocumentId: sale.id }))).toMatchObject({ _tag: "Failure" })
  })
})
