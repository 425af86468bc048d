import { type ChangeEvent, changeEvent, changesOf, deliveryChange, type ReceiptDelivery } from "@overa/domain"
import type { StoredOperation } from "@overa/adapter-memory"
import { Effect } from "effect"
import type { FinishedRun, Violation } from "./FinishedRun.ts"
import { tenant } from "./place.ts"

/** The events that follow from what is stored of a document, in their order. */
const eventsOf = ({ operation, transitions }: StoredOperation): ReadonlyArray<ChangeEvent> =>
  transitions.flatMap((transition, index) =>
    changesOf(transition, operation.workflow?.type ?? null).map((type) =>
      changeEvent(tenant, {
        sequence: 0, type, at: transition.at, documentId: operation.id, position: index + 1, workflow: operation.workflow,
        clientReference: operation.content.clientReference, invoiceNumber: operation.answer?.pfr.invoiceNumber ?? null
      }))
  )

const isOfDelivery = ({ resource }: ChangeEvent): boolean => resource.type === "RECEIPT_DELIVERY"

/** No event of a change that is not stored, none missing for one that is, each once, numbered from 1 without gaps. */
const checkFeed = ({ store }: FinishedRun, feed: ReadonlyArray<ChangeEvent>): ReadonlyArray<Violation> => {
  const ofDocuments = feed.filter((event) => !isOfDelivery(event))
  const stored = new Map([...store.memory.byId.values()].flatMap(eventsOf).map((event) => [event.id, event]))
  const told = new Set(feed.map(({ id }) => id))
  const nameOf = ({ clientReference, fiscalDocumentId, type }: ChangeEvent) => `${type} of ${clientReference ?? fiscalDocumentId ?? "nothing"}`
  return [
    ...feed.flatMap((event, index) => (event.sequence === index + 1 ? [] : [`the event with number ${event.sequence} is the ${index + 1}th`])),
    ...(told.size === feed.length ? [] : ["an event is there twice"]),
    ...ofDocuments.flatMap((event) => {
      const change = stored.get(event.id)
      if (change === undefined) return [`event ${event.sequence}, ${nameOf(event)}, is of a change that is not stored`]
      return change.invoiceNumber === event.invoiceNumber && change.resource.url === event.resource.url ? [] : [`event ${event.sequence}, ${nameOf(event)}, says something else than what is stored`]
    }),
    ...[...stored.values()].flatMap((event) => (told.has(event.id) ? [] : [`${nameOf(event)} is stored and has no event`]))
  ]
}

/** Each delivery was queued, and has come to its end: one event for each, and none of a delivery that is not there. */
const checkDeliveries = (deliveries: ReadonlyArray<ReceiptDelivery>, feed: ReadonlyArray<ChangeEvent>): ReadonlyArray<Violation> => {
  const told = new Set(feed.filter(isOfDelivery).map(({ resource: { id }, type }) => `${type} ${id}`))
  const stored = new Set(deliveries.flatMap((delivery) =>
    [...new Set(["QUEUED" as const, delivery.status])].map((status) => deliveryChange({ ...delivery, status }, delivery.updatedAt).source)))
  return [
    ...[...told].filter((one) => !stored.has(one)).map((one) => `an event says ${one}, and that is not stored`),
    ...[...stored].filter((one) => !told.has(one)).map((one) => `${one} is stored and has no event`)
  ]
}

/** A receiver gets every event, the events of a document in their order, and none that is not there, unless a failover or a restore has lost its change since. */
const checkArrivals = ({ store, webhooks }: FinishedRun, feed: ReadonlyArray<ChangeEvent>): ReadonlyArray<Violation> => {
  if (!webhooks.isPlanned) return []
  const places = new Map(feed.map(({ id, sequence }) => [id, sequence]))
  const firsts = webhooks.arrivals.filter(({ eventId }, index) => webhooks.arrivals.findIndex((one) => one.eventId === eventId) === index)
  const arrived = new Set(firsts.map(({ eventId }) => eventId))
  const missing = [...webhooks.due].filter((id) => !arrived.has(id))
  const invented = firsts.filter(({ eventId }) => !places.has(eventId))
  const byDocument = Map.groupBy(firsts.filter(({ eventId }) => places.has(eventId)), ({ documentId, resourceId }) => `${documentId ?? ""} ${resourceId}`)
  return [
    ...missing.map((id) => `event ${places.get(id) ?? id} has not arrived at the shop`),
    ...(store.hasGoneBack ? [] : invented.map(({ eventId, type }) => `${type} ${eventId} has arrived and is of a change that is not stored`)),
    ...[...byDocument].flatMap(([document, own]) => {
      const order = own.map(({ eventId }) => places.get(eventId) ?? 0)
      return order.every((place, index) => index === 0 || place > (order[index - 1] ?? 0)) ? [] : [`the events of ${document} have arrived in the order ${order.join(", ")}`]
    })
  ]
}

/** The promises about events and webhooks (docs/adr/0176, 0203), where the store has them. */
export const checkEvents = (run: FinishedRun): Effect.Effect<ReadonlyArray<Violation>> => {
  const { events } = run.store.behind
  if (events === null) return Effect.succeed([])
  return Effect.map(Effect.all([events.all, run.store.behind.mail.all]), ([feed, deliveries]) =>
    [...checkFeed(run, feed), ...checkDeliveries(deliveries, feed), ...checkArrivals(run, feed)])
}
