import { Effect, Option } from "effect"
import type { DeliveryFilter } from "../../delivery/DeliveryFilter.ts"
import { ReceiptDeliveryNotFound } from "../../delivery/errors.ts"
import type { ReceiptDeliveryId } from "../../delivery/ReceiptDelivery.ts"
import { journalPage, type JournalPlace } from "../../journal/JournalCursor.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import type { Tenant } from "../../tenancy/Caller.ts"

/** One delivery of the caller's organization and environment. */
export const readDelivery = Effect.fn("readDelivery")(function*(tenant: Tenant, id: ReceiptDeliveryId) {
  const found = yield* (yield* DeliveryStore).get(tenant, id)
  return Option.isSome(found) ? found.value : yield* new ReceiptDeliveryNotFound({ deliveryId: id })
})

/** A page of deliveries, latest first, by the journal's keyset (Spec, Limits). */
export const listDeliveries = Effect.fn("listDeliveries")(function*(tenant: Tenant, filter: DeliveryFilter, place: JournalPlace) {
  const rows = yield* (yield* DeliveryStore).list(tenant, filter, { after: place.cursor, limit: place.pageSize + 1 })
  return journalPage(rows, place.pageSize)
})
