import { Result, Schema } from "effect"
import { TransitionNotAllowed } from "../documents/documentTransitions.ts"
import { type DeliveryFailure, type MailOutcome, type ReceiptDelivery, type ReceiptDeliveryStatus, shownError } from "./ReceiptDelivery.ts"

/** What can happen to a delivery: `deferred` may succeed later, `refused` never will, `exhausted` was tried too often or too long. */
export const DeliveryEvent = Schema.Literals(["sent", "deferred", "refused", "exhausted"])
export type DeliveryEvent = typeof DeliveryEvent.Type

/** The statuses of a delivery as one table; SENT and FAILED are final. Source: Decisions §5, Journal, reports, deliveries. */
export const deliveryTransitions = {
  QUEUED: { sent: "SENT", deferred: "QUEUED", refused: "FAILED", exhausted: "FAILED" },
  SENT: {},
  FAILED: {}
} as const satisfies Record<ReceiptDeliveryStatus, Partial<Record<DeliveryEvent, ReceiptDeliveryStatus>>>

/** The next status, or the refusal of the transition. */
export const nextDeliveryStatus = (
  from: ReceiptDeliveryStatus,
  event: DeliveryEvent
): Result.Result<ReceiptDeliveryStatus, TransitionNotAllowed> => {
  const row: Partial<Record<DeliveryEvent, ReceiptDeliveryStatus>> = deliveryTransitions[from]
  const to = row[event]
  return to === undefined ? Result.fail(new TransitionNotAllowed({ from, event })) : Result.succeed(to)
}

const minute = 60_000

/** The waits between the attempts of a delivery, in milliseconds: one more attempt than waits (Decisions §12). */
export const deliveryWaits: ReadonlyArray<number> = [1, 5, 30, 2 * 60, 6 * 60, 24 * 60].map((wait) => wait * minute)

/** The wait after a failure before the recipient was named. Such a failure says nothing about the message and is not counted as an attempt. */
export const transportWait = minute

/** A delivery that could not even be tried is given up after this long (RFC 5321, 4.5.4.1: four to five days). */
export const longestDeliveryMillis = 5 * 24 * 60 * minute

/** A message the server may have taken is sent once more, with the same Message-ID, and never a third time (Decisions §12). */
export const mostMaybeTaken = 2

/** The delivery after an attempt; `nextAttemptInMillis` is null when no other attempt follows. */
export interface AfterDeliveryAttempt {
  readonly event: DeliveryEvent
  readonly attempts: number
  readonly maybeTaken: number
  readonly lastError: string | null
  readonly failure: DeliveryFailure | null
  readonly nextAttemptInMillis: number | null
}

type Progress = Pick<ReceiptDelivery, "attempts" | "maybeTaken">

const reasonOf = (outcome: MailOutcome): string | null => (outcome._tag === "Taken" ? null : shownError(outcome.reason))

const isCounted = (outcome: MailOutcome): boolean => {
  if (outcome._tag === "Unreachable") return false
  return outcome._tag === "Taken" || outcome._tag === "MayBeTaken" || outcome.recipientNamed
}

/** The wait after `attempts` attempts; undefined when there were enough of them. */
const waitAfter = (outcome: MailOutcome, attempts: number): number | undefined => {
  if (!isCounted(outcome)) return transportWait
  // A message that may have been taken always gets one more attempt, however many attempts came before.
  return deliveryWaits[attempts - 1] ?? (outcome._tag === "MayBeTaken" ? transportWait : undefined)
}

/** Judges an attempt by how it ended. `ageMillis`: since the delivery was queued. Source: Decisions §12. */
export const afterDeliveryAttempt = (before: Progress, outcome: MailOutcome, ageMillis: number): AfterDeliveryAttempt => {
  const attempts = before.attempts + (isCounted(outcome) ? 1 : 0)
  const maybeTaken = before.maybeTaken + (outcome._tag === "MayBeTaken" ? 1 : 0)
  const after = { attempts, maybeTaken, lastError: reasonOf(outcome) }
  const failed = (event: DeliveryEvent, failure: DeliveryFailure): AfterDeliveryAttempt => ({ ...after, event, failure, nextAttemptInMillis: null })
  if (outcome._tag === "Taken") return { ...after, event: "sent", failure: null, nextAttemptInMillis: null }
  if (outcome._tag === "Refused") return failed("refused", "REFUSED")
  if (maybeTaken >= mostMaybeTaken && outcome._tag === "MayBeTaken") return failed("exhausted", "UNCERTAIN")
  const wait = waitAfter(outcome, attempts)
  return wait === undefined || ageMillis + wait > longestDeliveryMillis
    ? failed("exhausted", "EXHAUSTED")
    : { ...after, event: "deferred", failure: null, nextAttemptInMillis: wait }
}
