import { type ClaimedWebhook, sendWebhook, WebhookOutbox, webhookLeaseMillis, webhookLogDays } from "@overa/domain"
import { Effect, FiberSet, Latch } from "effect"

/** Messages of one worker on their way at once: the slowest takes fifteen seconds, and holds its own place only. */
const atOnce = 256

/** Endpoints that get new events in one pass. */
const endpointsPerPass = 200

const reported = (claimed: ClaimedWebhook) =>
  Effect.catchCause(sendWebhook(claimed), (cause) => Effect.logError("worker: a webhook was not concluded; it is sent again", cause).pipe(Effect.annotateLogs({ eventId: claimed.eventId })))

/**
 * Events are queued for the endpoints and sent (docs/adr/0203). A pass starts what is due and does not wait for it, so that a receiver that never answers
 * delays nobody; what is on its way when the worker stops is finished first. Each attempt that ends wakes the job, because its endpoint may get the next message.
 */
export const sendWebhooks = Effect.gen(function*() {
  const onTheirWay = yield* FiberSet.make<boolean | void>()
  const ended = yield* Latch.make()
  return {
    name: "sendWebhooks",
    pass: Effect.gen(function*() {
      yield* ended.close
      const outbox = yield* WebhookOutbox
      const more = yield* outbox.enqueue(endpointsPerPass)
      const room = atOnce - (yield* FiberSet.size(onTheirWay))
      if (room <= 0) return false
      const claims = yield* outbox.claimDue(room, webhookLeaseMillis)
      for (const claimed of claims) yield* FiberSet.run(onTheirWay, Effect.uninterruptible(Effect.ensuring(reported(claimed), ended.open)))
      return more
    }),
    pauseMillis: 1_000,
    busyPauseMillis: 50,
    woken: ended.await
  }
})

/** The log of attempts is kept for thirty days. */
export const forgetWebhooks = {
  name: "forgetWebhooks",
  pass: Effect.as(Effect.flatMap(WebhookOutbox, (outbox) => outbox.forget(webhookLogDays)), false),
  pauseMillis: 3_600_000,
  busyPauseMillis: 3_600_000
}
