import { Result, Schema } from "effect"
import { TransitionNotAllowed } from "../documents/documentTransitions.ts"
import type { ReceiptDeliveryStatus } from "./ReceiptDelivery.ts"

/** What can happen to a delivery: `deferred` may succeed later, `refused` never will, `exhausted` was deferred too often. */
export const DeliveryEvent = Schema.Literals(["sent", "deferred", "refused", "exhausted"])
export type DeliveryEvent = typeof DeliveryEvent.Type

/** The delivery's life as one table; what is SENT or FAILED stays so. Source: Decisions §5, Journal, reports, deliveries. */
export const deliveryTransitions = {
  QUEUED: { sent: "SENT", deferred: "QUEUED", refused: "FAILED", exhausted: "FAILED" },
  SENT: {},
  FAILED: {}
} as const satisfies Record<ReceiptDeliveryStatus, Partial<Record<DeliveryEvent, ReceiptDeliveryStatus>>>

/** The status that follows, or the refusal of the move. */
export const nextDeliveryStatus = (
  from: ReceiptDeliveryStatus,
  event: DeliveryEvent
): Result.Result<ReceiptDeliveryStatus, TransitionNotAllowed> => {
  const row: Partial<Record<DeliveryEvent, ReceiptDeliveryStatus>> = deliveryTransitions[from]
  const to = row[event]
  return to === undefined ? Result.fail(new TransitionNotAllowed({ from, event })) : Result.succeed(to)
}

const minutes = 60_000

/** The waits between the attempts of a delivery, in milliseconds: one more attempt than waits, within about a day. */
export const deliveryWaits: ReadonlyArray<number> = [1, 5, 30, 2 * 60, 8 * 60, 12 * 60].map((wait) => wait * minutes)

/** How handing a message to the transport ended. */
export type DeliveryAttemptOutcome = "SENT" | "DEFERRED" | "REFUSED"

/** What an attempt did to its delivery, and when the next one is due: null when none follows. */
export interface AfterDeliveryAttempt {
  readonly event: DeliveryEvent
  readonly nextAttemptInMillis: number | null
}

/** Judges an attempt. `attempts` counts it too. A message that cannot go now is tried again for about a day, then given up. */
export const afterDeliveryAttempt = (attempts: number, outcome: DeliveryAttemptOutcome): AfterDeliveryAttempt => {
  if (outcome === "SENT") return { event: "sent", nextAttemptInMillis: null }
  if (outcome === "REFUSED") return { event: "refused", nextAttemptInMillis: null }
  const wait = deliveryWaits[attempts - 1]
  return wait === undefined ? { event: "exhausted", nextAttemptInMillis: null } : { event: "deferred", nextAttemptInMillis: wait }
}
