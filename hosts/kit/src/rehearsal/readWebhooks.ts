import { testWebhookEndpoint, type WebhookEndpoint, type WebhookFound, WebhookMessages, WebhookStore } from "@overa/domain"
import { Clock, Effect } from "effect"
import type { Shop } from "./readPlace.ts"

/** A worker looks for new messages each second, and the slowest attempt takes fifteen. */
const waitMillis = 20_000
const pauseMillis = 250
/** Attempts among which the test event's own is looked for. */
const newest = 20

/** Queues a test event for the address, and waits for what a worker writes down of it. */
const tryEndpoint = Effect.fnUntraced(function*({ tenant }: Shop, { id, status, url }: WebhookEndpoint) {
  const found = (became: WebhookFound["became"], detail = ""): WebhookFound => ({ url, became, detail })
  if (status !== "ACTIVE") return found("PAUSED")
  const eventId = yield* testWebhookEndpoint(tenant, id)
  const until = (yield* Clock.currentTimeMillis) + waitMillis
  while ((yield* Clock.currentTimeMillis) < until) {
    const attempt = (yield* (yield* WebhookMessages).attempts(tenant, id, newest)).find((one) => one.eventId === eventId)
    if (attempt !== undefined) return attempt.taken ? found("TAKEN") : found("REFUSED", attempt.error ?? `HTTP ${attempt.statusCode}`)
    yield* Effect.sleep(pauseMillis)
  }
  return found("NOT_SENT")
}, (effect, _shop, { url }) => Effect.catchTag(effect, "WebhookEndpointNotFound", () => Effect.succeed<WebhookFound>({ url, became: "PAUSED", detail: "" })))

/** A test event to every address of the shop's environment, all at once. */
export const readWebhooks = Effect.fnUntraced(function*(shop: Shop) {
  const endpoints = (yield* (yield* WebhookStore).list(shop.tenant)).filter(({ status }) => status !== "REMOVED")
  return yield* Effect.forEach(endpoints, (endpoint) => tryEndpoint(shop, endpoint), { concurrency: "unbounded" })
})
