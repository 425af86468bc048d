import { DateTime, Effect, Random } from "effect"
import { type ClaimedWebhook, WebhookOutbox, WebhookSender } from "../ports/Webhooks.ts"
import { afterWebhookAttempt } from "../webhooks/webhookAttempts.ts"
import { validSecrets } from "../webhooks/WebhookEndpoint.ts"

/** Longer than the longest attempt: a claim ends only where its worker has. */
export const webhookLeaseMillis = 60_000

/** Attempts and messages that have ended are kept so long. */
export const webhookLogDays = 30

/** Sends one message and writes down how that ended. */
export const sendWebhook = Effect.fn("sendWebhook")(function*(claimed: ClaimedWebhook) {
  const sender = yield* WebhookSender
  const outcome = yield* sender.send(claimed, validSecrets(claimed.endpoint.secrets, yield* DateTime.now))
  const random = yield* Random.next
  return yield* (yield* WebhookOutbox).conclude(claimed, outcome, (health, now) =>
    afterWebhookAttempt(health, { attempts: claimed.attempts + 1, now, outcome, random }))
})
