import {
  type AfterWebhookAttempt, type ChangeEvent, type ClaimedWebhook, EventFeed, eventMessage, isTaken, mostEndpoints, mostOnTheirWay, mostWaitingTests, rotated, type Tenant,
  type WebhookAttempt, type WebhookEndpoint, WebhookEndpointAlreadyExists, type WebhookEndpointId, WebhookEndpointLimitReached, WebhookMessages, WebhookOutbox, WebhookStore
} from "@overa/domain"
import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"

interface Message {
  readonly position: number
  readonly eventId: string
  readonly sequence: number | null
  readonly resource: string
  readonly body: string
  status: AfterWebhookAttempt["status"]
  attempts: number
  dueAt: number
  claim: string | null
  claimedUntil: number
  readonly createdAt: number
}

interface Kept {
  endpoint: WebhookEndpoint
  failures: number
  tryAt: number
  readonly messages: Array<Message>
  attempts: Array<WebhookAttempt>
}

/** The endpoints of every tenant in memory. */
export class MemoryWebhooks extends Context.Service<MemoryWebhooks, Map<WebhookEndpointId, Kept>>()("@overa/adapter-memory/MemoryWebhooks") {
  static readonly layer = Layer.sync(MemoryWebhooks, () => new Map())
}

const messageOf = (event: ChangeEvent) => ({
  eventId: event.id,
  sequence: event.sequence,
  resource: `${event.resource.type} ${event.resource.id}`,
  body: JSON.stringify(eventMessage(event))
})

const queue = (kept: Kept, now: number, messages: ReadonlyArray<Pick<Message, "eventId" | "sequence" | "resource" | "body">>): void => {
  for (const message of messages) {
    kept.messages.push({ ...message, position: kept.messages.length + 1, status: "PENDING", attempts: 0, dueAt: now, claim: null, claimedUntil: 0, createdAt: now })
  }
}

const waits = ({ status }: Message): boolean => status === "PENDING"

const dropOldestTests = ({ messages }: Kept, now: number): void => {
  const tests = messages.filter((message) => waits(message) && message.sequence === null)
  for (const message of tests.slice(0, Math.max(0, tests.length - (mostWaitingTests - 1)))) if (message.claimedUntil <= now) message.status = "FAILED"
}

/** One that waits is due at once instead. */
const queueAgain = (kept: Kept, now: number, events: ReadonlyArray<ChangeEvent>): void => {
  const asked = new Set(events.map(({ sequence }) => sequence))
  const waiting = kept.messages.filter((message) => waits(message) && message.sequence !== null && asked.has(message.sequence))
  for (const message of waiting) Object.assign(message, { dueAt: now, attempts: 0 })
  const queued = new Set(waiting.map(({ sequence }) => sequence))
  queue(kept, now, events.filter(({ sequence }) => !queued.has(sequence)).map(messageOf))
}

const isLive = (tenant: Tenant, { endpoint }: Kept): boolean =>
  endpoint.organizationId === tenant.organizationId && endpoint.environment === tenant.environment && endpoint.status !== "REMOVED"

const layerEndpoints: Layer.Layer<WebhookStore, never, MemoryWebhooks | EventFeed> = Layer.effect(
  WebhookStore,
  Effect.gen(function*() {
    const memory = yield* MemoryWebhooks
    const feed = yield* EventFeed
    const own = (tenant: Tenant) => [...memory.values()].filter((kept) => isLive(tenant, kept))
    const find = (tenant: Tenant, id: WebhookEndpointId) => own(tenant).find(({ endpoint }) => endpoint.id === id)
    const refuseUrl = (tenant: Tenant, url: string, id: WebhookEndpointId) => {
      const other = own(tenant).find(({ endpoint }) => endpoint.url === url && endpoint.id !== id)
      return other === undefined ? Effect.void : Effect.fail(new WebhookEndpointAlreadyExists({ webhookEndpointId: other.endpoint.id }))
    }
    return WebhookStore.of({
      create: Effect.fnUntraced(function*(_act, created) {
        if (own(created).length >= mostEndpoints) return yield* new WebhookEndpointLimitReached({ limit: mostEndpoints })
        yield* refuseUrl(created, created.url, created.id)
        const { last } = yield* feed.page(created, { after: 0, limit: 1 })
        const endpoint = { ...created, sequence: last }
        memory.set(created.id, { endpoint, failures: 0, tryAt: 0, messages: [], attempts: [] })
        return endpoint
      }),
      list: (tenant) => Effect.sync(() => own(tenant).map(({ endpoint }) => endpoint)),
      get: (tenant, id) => Effect.sync(() => Option.fromUndefinedOr(find(tenant, id)?.endpoint)),
      replace: Effect.fnUntraced(function*(_act, tenant, id, content, at) {
        const kept = find(tenant, id)
        if (kept === undefined) return Option.none()
        yield* refuseUrl(tenant, content.url, id)
        const moves = content.url !== kept.endpoint.url
        const wakes = content.status === "ACTIVE" && (kept.endpoint.status !== "ACTIVE" || moves)
        const pausedBecause = content.status === "PAUSED" ? kept.endpoint.pausedBecause ?? "REQUESTED" : null
        kept.endpoint = { ...kept.endpoint, ...content, pausedBecause, updatedAt: at }
        if (content.status === "REMOVED") for (const message of kept.messages.filter(waits)) Object.assign(message, { status: "FAILED", claim: null, claimedUntil: 0 })
        if (moves) for (const message of kept.messages) Object.assign(message, { claim: null, claimedUntil: 0 })
        if (wakes) {
          const now = yield* Clock.currentTimeMillis
          Object.assign(kept, { failures: 0, tryAt: now, endpoint: { ...kept.endpoint, failingSince: null } })
          for (const message of kept.messages) if (message.status === "PENDING") Object.assign(message, { dueAt: now, attempts: 0 })
        }
        return Option.some(kept.endpoint)
      }),
      rotate: (_act, tenant, id, { at, secret, until }) =>
        Effect.sync(() => {
          const kept = find(tenant, id)
          if (kept === undefined) return Option.none()
          kept.endpoint = { ...kept.endpoint, secrets: rotated(kept.endpoint.secrets, secret, at, until), updatedAt: at }
          return Option.some(kept.endpoint)
        })
    })
  })
)

const layerMessages: Layer.Layer<WebhookMessages, never, MemoryWebhooks | EventFeed> = Layer.effect(
  WebhookMessages,
  Effect.gen(function*() {
    const memory = yield* MemoryWebhooks
    const feed = yield* EventFeed
    const find = (tenant: Tenant, id: WebhookEndpointId) => [...memory.values()].find((kept) => kept.endpoint.id === id && isLive(tenant, kept))
    return WebhookMessages.of({
      queueTest: (tenant, id, { body, eventId }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const kept = find(tenant, id)
          if (kept !== undefined) dropOldestTests(kept, now)
          if (kept !== undefined) queue(kept, now, [{ eventId, sequence: null, resource: eventId, body }])
          return kept !== undefined
        }),
      resend: Effect.fnUntraced(function*(tenant, id, { from, to }) {
        const kept = find(tenant, id)
        if (kept === undefined) return Option.none()
        const { items } = yield* feed.page(tenant, { after: from - 1, limit: to - from + 1 })
        const events = items.filter(({ sequence }) => sequence <= to)
        queueAgain(kept, yield* Clock.currentTimeMillis, events)
        return Option.some(events.length)
      }),
      attempts: (tenant, id, limit) => Effect.sync(() => (find(tenant, id)?.attempts ?? []).slice(-limit).toReversed())
    })
  })
)

/** Endpoints and what waits for them, in memory. */
export const layerWebhookStore = Layer.merge(layerEndpoints, layerMessages)

/** What may be sent to an endpoint now, in its order: nothing while an earlier message of the same resource waits. */
const sendable = ({ endpoint, failures, messages, tryAt }: Kept, now: number): ReadonlyArray<Message> => {
  if (endpoint.status !== "ACTIVE" || tryAt > now) return []
  const waiting = messages.filter(({ status }) => status === "PENDING")
  const firsts = new Map<string, number>()
  for (const { position, resource } of waiting) if (!firsts.has(resource)) firsts.set(resource, position)
  const onTheirWay = waiting.filter(({ claimedUntil }) => claimedUntil > now).length
  return waiting
    .filter(({ claimedUntil, dueAt, position, resource }) => dueAt <= now && claimedUntil <= now && firsts.get(resource) === position)
    .slice(0, Math.max(0, mostOnTheirWay(failures) - onTheirWay))
}

const settle = (kept: Kept, message: Message, after: AfterWebhookAttempt, now: number): void => {
  Object.assign(message, { status: after.status, attempts: message.attempts + (after.counts ? 1 : 0), dueAt: after.dueAt, claim: null, claimedUntil: 0 })
  const { failures, failingSince } = after.health
  const paused = after.pause !== null && kept.endpoint.status === "ACTIVE" ? { status: "PAUSED" as const, pausedBecause: after.pause } : {}
  kept.endpoint = { ...kept.endpoint, ...paused, failingSince: failingSince === null ? null : DateTime.makeUnsafe(failingSince) }
  Object.assign(kept, { failures, tryAt: after.tryAt })
  if (after.recovered) for (const one of kept.messages) if (one.status === "PENDING") one.dueAt = Math.min(one.dueAt, now)
}

/** The queues of endpoints as workers see them, in memory. */
export const layerWebhookOutbox: Layer.Layer<WebhookOutbox, never, MemoryWebhooks | EventFeed> = Layer.effect(
  WebhookOutbox,
  Effect.gen(function*() {
    const memory = yield* MemoryWebhooks
    const feed = yield* EventFeed
    let claims = 0
    return WebhookOutbox.of({
      enqueue: Effect.fnUntraced(function*() {
        let more = false
        for (const kept of [...memory.values()].filter(({ endpoint }) => endpoint.status === "ACTIVE")) {
          const { items, last } = yield* feed.page(kept.endpoint, { after: kept.endpoint.sequence, limit: 500 })
          const newest = items.at(-1)
          if (newest === undefined) continue
          const { eventTypes } = kept.endpoint
          queue(kept, yield* Clock.currentTimeMillis, items.filter(({ type }) => eventTypes === null || eventTypes.includes(type)).map(messageOf))
          kept.endpoint = { ...kept.endpoint, sequence: newest.sequence }
          more ||= newest.sequence < last
        }
        return more
      }),
      claimDue: (limit, leaseMillis) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const ofOrganizations = [...Map.groupBy(memory.values(), ({ endpoint }) => endpoint.organizationId).values()]
          const inTurns = ofOrganizations.flatMap((own) => own.map((kept, turn) => ({ kept, turn }))).toSorted((one, other) => one.turn - other.turn)
          return inTurns.flatMap(({ kept }) => sendable(kept, now).map((message) => ({ kept, message }))).slice(0, limit).map(({ kept, message }): ClaimedWebhook => {
            const claim = `claim ${(claims += 1)}`
            Object.assign(message, { claim, claimedUntil: now + leaseMillis })
            const { attempts, body, eventId, position } = message
            return { endpoint: kept.endpoint, eventId, body, position, attempts, claim }
          })
        }),
      conclude: (claimed, outcome, judge) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const kept = memory.get(claimed.endpoint.id)
          const message = kept?.messages.find(({ claim, position, status }) => position === claimed.position && claim === claimed.claim && status === "PENDING")
          if (kept === undefined || message === undefined) return false
          const after = judge({ failures: kept.failures, failingSince: kept.endpoint.failingSince?.epochMilliseconds ?? null }, now)
          kept.attempts.push({ ...outcome, eventId: message.eventId, sequence: message.sequence, at: DateTime.makeUnsafe(now), taken: isTaken(outcome) })
          settle(kept, message, after, now)
          return true
        }),
      forget: (days) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          for (const kept of memory.values()) kept.attempts = kept.attempts.filter(({ at }) => at.epochMilliseconds >= now - days * 86_400_000)
        })
    })
  })
)
