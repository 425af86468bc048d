import { Cause, DateTime, Effect, Schedule } from "effect"
import { afterDeliveryAttempt } from "../../delivery/deliveryTransitions.ts"
import { type MailOutcome, shownError } from "../../delivery/ReceiptDelivery.ts"
import { type ClaimedDelivery, DeliveryOutbox, longestHandOverMillis, MailTransport, ReceiptMailer } from "../../ports/DeliveryStore.ts"
import { composeReceiptMail, type NoMessage } from "./composeReceiptMail.ts"

/** Longer than drawing the messages of a pass takes. When a worker crashes, the messages that it had only claimed become due again after this long. */
const claimLeaseMillis = 120_000

/** A message that could not be drawn or read is tried again after this long. */
const releasedForMillis = 60_000

/** How long storing the outcome of a message is retried: the outcome may be all that prevents a second copy from being sent. */
const storingMillis = 120_000

/** Longer than handing one message over and storing its outcome can take: until then no other worker has the message. */
const sendingLeaseMillis = longestHandOverMillis + storingMillis + 30_000

const longestTransportPause = 60_000

const pauseAfter = (failures: number): number => Math.min(1_000 * 2 ** Math.min(failures, 10), longestTransportPause)

type Sent = "DONE" | "TRANSPORT_DOWN"

const conclude = Effect.fnUntraced(function*(claimed: ClaimedDelivery, outcome: MailOutcome) {
  const outbox = yield* DeliveryOutbox
  const now = yield* DateTime.now
  const ageMillis = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(claimed.delivery.createdAt)
  const after = afterDeliveryAttempt(claimed.delivery, outcome, ageMillis)
  yield* outbox.conclude(claimed, after).pipe(
    Effect.retry({ times: storingMillis / 1_000, schedule: Schedule.spaced("1 second") }),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.logError("the outcome of a delivery was not stored; its claim ends by itself", { deliveryId: claimed.delivery.id, error }))
  )
})

/** Stores the state of the mail server, for the other workers and for callers. */
export const noteTransport = Effect.fnUntraced(function*(outcome: MailOutcome) {
  const transport = yield* MailTransport
  const { failures } = yield* transport.state
  if (outcome._tag === "Unreachable") {
    yield* transport.note({ detail: shownError(outcome.reason), tryInMillis: pauseAfter(failures) })
  } else if (failures > 0) yield* transport.note(null)
})

/**
 * A delivery is accepted for a receipt alone, so one whose receipt is not here waits for it, as for a mail server that cannot be reached: the search at the
 * tax authority finds it again, or an operator takes it back.
 */
const withoutMessage = (why: NoMessage): MailOutcome =>
  why === "RECIPIENT_ERASED"
    ? { _tag: "Refused", reason: "the recipient's address was erased", recipientNamed: false }
    : { _tag: "Deferred", reason: "the receipt is not known at the moment", recipientNamed: false }

const sendComposed = Effect.fnUntraced(function*(claimed: ClaimedDelivery) {
  const outbox = yield* DeliveryOutbox
  const mail = yield* composeReceiptMail(claimed.delivery)
  if (typeof mail === "string") {
    yield* conclude(claimed, withoutMessage(mail))
    return "DONE" as const
  }
  if (!(yield* outbox.beginSending(claimed, sendingLeaseMillis))) return "DONE" as const
  const outcome = yield* (yield* ReceiptMailer).send(mail)
  yield* conclude(claimed, outcome)
  yield* noteTransport(outcome)
  return outcome._tag === "Unreachable" ? "TRANSPORT_DOWN" as const : "DONE" as const
})

/** Returns a message that could not be drawn or read to the queue, untried. */
const giveBack = Effect.fnUntraced(function*(claimed: ClaimedDelivery, cause: Cause.Cause<unknown>) {
  // A library's error text may contain the recipient, and no log may name a recipient.
  const why = shownError(String(Cause.squash(cause)))
  yield* Effect.logWarning("a delivery could not be prepared; it is tried again", { deliveryId: claimed.delivery.id, why })
  yield* Effect.ignore((yield* DeliveryOutbox).release(claimed, releasedForMillis))
  return "DONE" as Sent
})

const interruptedReason = "the worker ended while it was handing the message over; the mail server may have it"

/** Sends one claimed message; a defect with one message does not stop the others. */
const sendOne = (claimed: ClaimedDelivery) =>
  claimed.interrupted
    ? Effect.as(conclude(claimed, { _tag: "MayBeTaken", reason: interruptedReason }), "DONE" as Sent)
    : sendComposed(claimed).pipe(Effect.catchCause((cause) => giveBack(claimed, cause)))

/**
 * Claims due messages and sends them, at most `limit` with `concurrency` at once; answers how many were claimed. While the transport is down only one
 * message at a time is tried, with growing pauses, and this counts as no attempt of any message. Source: Decisions §12.
 */
export const sendDueDeliveries = Effect.fn("sendDueDeliveries")(function*(options: { readonly limit: number; readonly concurrency: number }) {
  const outbox = yield* DeliveryOutbox
  const transport = yield* (yield* MailTransport).state
  if (transport.failures > 0 && transport.mayTryInMillis > 0) return 0
  const claims = yield* outbox.claimDue(transport.failures > 0 ? 1 : options.limit, claimLeaseMillis)
  let isDown = false
  const sending = Effect.forEach(claims, (claimed) =>
    Effect.suspend(() =>
      isDown && !claimed.interrupted
        ? Effect.ignore(outbox.release(claimed, 0))
        : Effect.map(sendOne(claimed), (sent) => {
          if (sent === "TRANSPORT_DOWN") isDown = true
        })
    ).pipe(Effect.uninterruptible), { concurrency: options.concurrency, discard: true })
  // A worker that is asked to stop finishes the message it is handing over, begins no other, and returns the rest to the queue.
  yield* Effect.interruptible(sending).pipe(
    Effect.onInterrupt(() => Effect.forEach(claims, (claimed) => Effect.ignore(outbox.release(claimed, 0)), { discard: true }))
  )
  return claims.length
})

const waitingTooLongMillis = 900_000

/** Puts the longest waiting message on the attention list when it has waited over 15 minutes; answers whether it did. */
export const watchDeliveries = Effect.fn("watchDeliveries")(function*() {
  return yield* (yield* DeliveryOutbox).raiseWaiting(waitingTooLongMillis)
})
