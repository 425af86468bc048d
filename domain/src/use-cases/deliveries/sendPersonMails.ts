import { Effect } from "effect"
import { shownError } from "../../delivery/ReceiptDelivery.ts"
import { MailTransport } from "../../ports/DeliveryStore.ts"
import { type ClaimedPersonMail, PersonMailer, PersonMailOutbox } from "../../ports/PersonMails.ts"
import { noteTransport } from "./sendDueDeliveries.ts"

/** Longer than handing one message over can take. */
const claimLeaseMillis = 600_000
const minute = 60_000
/** Before the second, third, fourth and every later attempt. */
const pauses = [minute, 5 * minute, 30 * minute, 120 * minute] as const

const sendOne = Effect.fnUntraced(function*(claimed: ClaimedPersonMail) {
  const outbox = yield* PersonMailOutbox
  const outcome = yield* (yield* PersonMailer).send(claimed.id, claimed.mail)
  if (outcome._tag === "Taken") yield* outbox.remove(claimed)
  else if (outcome._tag === "Refused") {
    yield* outbox.remove(claimed)
    yield* Effect.logWarning("a message to a person was refused by the mail server", { mailId: claimed.id, why: shownError(outcome.reason) })
  } else yield* outbox.putBack(claimed, pauses[Math.min(claimed.attempts, pauses.length - 1)] ?? minute, shownError(outcome.reason))
  yield* noteTransport(outcome)
  return outcome._tag !== "Unreachable"
})

/** Sends the messages to people that are due, one after another; answers how many were claimed. While the mail server is out of reach nothing is tried. */
export const sendPersonMails = Effect.fn("sendPersonMails")(function*(limit: number) {
  const outbox = yield* PersonMailOutbox
  const transport = yield* (yield* MailTransport).state
  if (transport.failures > 0 && transport.mayTryInMillis > 0) return 0
  const claims = yield* outbox.claimDue(transport.failures > 0 ? 1 : limit, claimLeaseMillis)
  let isReachable = true
  for (const claimed of claims) {
    if (isReachable) isReachable = yield* Effect.uninterruptible(sendOne(claimed))
    else yield* outbox.putBack(claimed, 0, null)
  }
  return claims.length
})
