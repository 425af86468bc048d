import { type DeliveryOutbox, OperationStore } from "@overa/domain"
import { Effect, Option } from "effect"

/** Bugs of deliveries that the checks must find. */
export type PlantedInMail = "mail-counts-as-sent" | "mail-before-the-receipt" | "mail-again-and-again"

type Outbox = DeliveryOutbox["Service"]

/** A planted bug: a message counts as sent although the mail server has put it off. */
const countsAsSent = (outbox: Outbox): Outbox => ({
  ...outbox,
  conclude: (claimed, after) => outbox.conclude(claimed, after.event === "deferred" ? { ...after, event: "sent", nextAttemptInMillis: null } : after)
})

/** A planted bug: that the mail server may have a message is forgotten. */
const againAndAgain = (outbox: Outbox): Outbox => ({
  ...outbox,
  claimDue: (limit, lease) => Effect.map(outbox.claimDue(limit, lease), (claims) => claims.map((claimed) => ({ ...claimed, interrupted: false }))),
  conclude: (claimed, after) =>
    outbox.conclude(claimed, after.failure === "UNCERTAIN" ? { ...after, maybeTaken: 1, event: "deferred", failure: null, nextAttemptInMillis: 60_000 } : after)
})

/** The queue with one planted bug, or as it is. */
export const plantInOutbox = (bug: string | null) => (outbox: Outbox): Outbox => {
  if (bug === "mail-counts-as-sent") return countsAsSent(outbox)
  return bug === "mail-again-and-again" ? againAndAgain(outbox) : outbox
}

/** A request for a delivery with one planted bug, every document being a receipt for it, or as it is. */
export const plantInRequests = (bug: string | null) => <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | OperationStore> =>
  bug !== "mail-before-the-receipt" ? request : Effect.updateService(request, OperationStore, (store) => ({
    ...store,
    get: (tenant, id) => Effect.map(store.get(tenant, id), Option.map((operation) => ({ ...operation, status: "FISCALIZED" as const })))
  }))
