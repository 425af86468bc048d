import { layerEventFeed, layerWebhookOutbox, layerWebhookStore, type Secrets } from "@overa/adapter-postgres"
import { type ChangeEvent, EventFeed, sendWebhook, type WebhookEndpointId, WebhookOutbox, WebhookSender, webhookLeaseMillis, WebhookStore } from "@overa/domain"
import { type Context, DateTime, Effect, Layer, Option, Random as Drawn } from "effect"
import { sampleEndpoint } from "../../../src/support/webhookStage.ts"
import { tenant } from "../place.ts"
import type { EventsBehind } from "../StoreBehind.ts"
import type { World } from "../World.ts"

const act = { actor: "owner:ana", reason: "the shop wants to be told" }
const endpointId = "01900000-0000-7000-8000-0000000000f1" as WebhookEndpointId
const eventsAtOnce = 500

/** The ports of events, over the layers of a world's worker. */
export const layerEvents = (secrets: Secrets) => Layer.mergeAll(layerEventFeed, layerWebhookStore(secrets), layerWebhookOutbox({ secrets, isConfigured: false }))

export type EventPorts = Layer.Success<ReturnType<typeof layerEvents>>

const certain = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> => Effect.orDie(effect)

/** The product's own statements for events and webhooks, as a worker and an owner use them in a world. */
export const eventsBehind = (world: World, writes: EventsBehind["writes"], ports: Context.Context<EventPorts>, catchUp: Effect.Effect<void>): EventsBehind => {
  const provide = <A, E>(effect: Effect.Effect<A, E, EventPorts>) => Effect.provide(effect, ports)
  // The waits between attempts are drawn from the seed too.
  const drawn = { nextDoubleUnsafe: () => world.random.next(), nextIntUnsafe: () => world.random.between(0, 2 ** 31 - 1) }
  const now = Effect.sync(() => DateTime.toUtc(DateTime.makeUnsafe(world.now)))
  const pageBehind = Effect.fnUntraced(function*(after: number) {
    return (yield* (yield* EventFeed).page(tenant, { after, limit: eventsAtOnce })).items
  })
  const everything = Effect.gen(function*() {
    const events: Array<ChangeEvent> = []
    for (let page = yield* pageBehind(0); page.length > 0; page = yield* pageBehind(events.at(-1)?.sequence ?? 0)) events.push(...page)
    return events
  })
  return {
    writes,
    open: (url) =>
      certain(provide(Effect.gen(function*() {
        yield* (yield* WebhookStore).create(act, sampleEndpoint(tenant, endpointId, url, yield* now))
      }))),
    move: (url) =>
      provide(Effect.gen(function*() {
        const moved = yield* (yield* WebhookStore).replace(act, tenant, endpointId, { url, description: null, eventTypes: null, status: "ACTIVE" }, yield* now)
        if (Option.isNone(moved)) return yield* Effect.die(new Error("the endpoint is gone"))
      })).pipe(Effect.catchTag("WebhookEndpointAlreadyExists", Effect.die)),
    claim: provide(Effect.gen(function*() {
      const outbox = yield* WebhookOutbox
      yield* outbox.enqueue(1)
      return yield* outbox.claimDue(4, webhookLeaseMillis)
    })),
    send: (claimed, sender, committing) =>
      provide(Effect.gen(function*() {
        const outbox = yield* WebhookOutbox
        const faulty = WebhookOutbox.of({ ...outbox, conclude: (...given) => committing(outbox.conclude(...given)) })
        yield* sendWebhook(claimed).pipe(Effect.provideService(WebhookOutbox, faulty), Effect.provideService(WebhookSender, sender), Effect.provideService(Drawn.Random, drawn))
      })),
    catchUp,
    all: certain(provide(everything))
  }
}
