import { Effect } from "effect"
import { shownError } from "../../delivery/ReceiptDelivery.ts"
import { longestHandOverMillis, MailTransport } from "../../ports/DeliveryStore.ts"
import { type ClaimedPersonMail, PersonMailer, PersonMailOutbox } from "../../ports/PersonMails.ts"
import { noteTransport } from "./sendDueDeliveries.ts"

/** Longer than handing one message over can take. */
const claimLeaseMillis = longestHandOverMillis + 60_000
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

const sendNext = Effect.gen(function*() {
  const [claimed] = yield* (yield* PersonMailOutbox).claimDue(1, claimLeaseMillis)
  return claimed === undefined ? "NOTHING_DUE" as const : (yield* sendOne(claimed)) ? "REACHABLE" as const : "UNREACHABLE" as const
})

/**
 * Sends the messages to people that are due, at most `limit`, one after another; answers how many were tried. Each is claimed when its turn comes, so
 * that no claim ends while its message waits for a slow server. While the mail server is out of reach one is tried at a time. A worker that is asked to stop
 * begins no other.
 */
export const sendPersonMails = Effect.fn("sendPersonMails")(function*(limit: number) {
  const transport = yield* (yield* MailTransport).state
  if (transport.failures > 0 && transport.mayTryInMillis > 0) return 0
  const most = transport.failures > 0 ? 1 : limit
  for (let tried = 0; tried < most; tried += 1) {
    const found = yield* Effect.uninterruptible(sendNext)
    if (found === "NOTHING_DUE") return tried
    if (found === "UNREACHABLE") return tried + 1
    // The pass as a whole is not interrupted; here it holds no claim.
    yield* Effect.interruptible(Effect.void)
  }
  return most
})
