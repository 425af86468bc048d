import {
  type ClaimedDelivery,
  comparableAddress,
  deliveryChange,
  type DeliveryFilter,
  DeliveryOutbox,
  type DeliveryPlace,
  type DeliverySettings,
  DeliveryStore,
  failuresToBreakTransport,
  MailTransport,
  isBehindCursor,
  compareInJournal,
  matchesDeliveryFilter,
  nextDeliveryStatus,
  noDeliverySettings,
  type ReceiptDelivery,
  type ReceiptDeliveryId,
  type TaxpayerId,
  type Tenant
} from "@overa/domain"
import { Clock, Context, DateTime, Effect, Layer, Option, Result } from "effect"
import { holderOf, keyOf, MemoryOperations } from "./MemoryOperations.ts"

interface Kept {
  delivery: ReceiptDelivery
  dueAt: number
  waitingSince: number
  handingOver: boolean
  claim: string | null
  claimedUntil: number
}

/** The deliveries of every tenant in memory, and what tests set beside them. */
export class MemoryDeliveries extends Context.Service<MemoryDeliveries, {
  readonly kept: Map<string, Kept>
  readonly settings: Map<TaxpayerId, DeliverySettings>
  readonly transport: { configured: boolean; failures: number; tryAt: number }
  /** Items raised for attention, by delivery. */
  readonly raised: Array<string>
}>()("@overa/adapter-memory/MemoryDeliveries") {
  static readonly layer = Layer.sync(MemoryDeliveries, () => memoryDeliveries())
}

/** No deliveries, and a transport that works. */
export const memoryDeliveries = () =>
  MemoryDeliveries.of({ kept: new Map(), settings: new Map(), transport: { configured: true, failures: 0, tryAt: 0 }, raised: [] })

const hourMillis = 3_600_000

/** Round robin over the organizations: the longest due delivery of each, then the second of each. */
const inTurns = (due: ReadonlyArray<Kept>): ReadonlyArray<Kept> => {
  const ofOrganizations = [...Map.groupBy(due, ({ delivery }) => delivery.organizationId).values()]
  return ofOrganizations
    .flatMap((own) => own.toSorted((one, other) => one.dueAt - other.dueAt).map((kept, turn) => ({ kept, turn })))
    .toSorted((one, other) => one.turn - other.turn || one.kept.dueAt - other.kept.dueAt)
    .map(({ kept }) => kept)
}

/** Deliveries as callers see them, in memory. */
export const layerDeliveryStore: Layer.Layer<DeliveryStore, never, MemoryDeliveries | MemoryOperations> = Layer.effect(
  DeliveryStore,
  Effect.gen(function*() {
    const memory = yield* MemoryDeliveries
    const operations = yield* MemoryOperations
    const all = () => [...memory.kept.values()].map(({ delivery }) => delivery)
    const ofTenant = (tenant: Tenant) =>
      all().filter(({ environment, organizationId }) => organizationId === tenant.organizationId && environment === tenant.environment)
    const sdcTimeOf = ({ fiscalDocumentId }: ReceiptDelivery) => operations.byId.get(fiscalDocumentId)?.operation.answer?.pfr.sdcTime ?? null
    const findByKey = (organizationId: string, key: string) =>
      Option.fromUndefinedOr(all().find((one) => one.organizationId === organizationId && one.boundKey.key === key))
    return DeliveryStore.of({
      queue: (delivery) =>
        Effect.gen(function*() {
          const existing = findByKey(delivery.organizationId, delivery.boundKey.key)
          if (Option.isSome(existing)) return { _tag: "KeyTaken", existing: existing.value } as const
          const by = holderOf(operations, keyOf(delivery))
          if (by !== undefined) return { _tag: "KeyHeld", by } as const
          const now = yield* Clock.currentTimeMillis
          operations.owners.set(keyOf(delivery), delivery)
          operations.changes.push({ tenant: delivery, change: deliveryChange(delivery, delivery.createdAt) })
          memory.kept.set(delivery.id, { delivery, dueAt: now, waitingSince: now, handingOver: false, claim: null, claimedUntil: 0 })
          return { _tag: "Queued" } as const
        }),
      findByKey: (organizationId, key) => Effect.sync(() => findByKey(organizationId, key)),
      get: (tenant: Tenant, id: ReceiptDeliveryId) => Effect.sync(() => Option.fromUndefinedOr(ofTenant(tenant).find((one) => one.id === id))),
      list: (tenant: Tenant, filter: DeliveryFilter, place: DeliveryPlace) =>
        Effect.sync(() =>
          ofTenant(tenant)
            .filter((one) => matchesDeliveryFilter(filter, one, sdcTimeOf(one)) && isBehindCursor(one, place.after))
            .toSorted(compareInJournal)
            .slice(0, place.limit)
        ),
      use: ({ environment, fiscalDocumentId, organizationId }, recipient) =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const ofDocument = all().filter((one) => one.organizationId === organizationId && one.fiscalDocumentId === fiscalDocumentId)
          const addresses = new Set(ofDocument.flatMap((one) => (one.recipient === null ? [] : [comparableAddress(one.recipient)])))
          addresses.delete(comparableAddress(recipient))
          return {
            otherRecipients: addresses.size,
            deliveriesOfDocument: ofDocument.length,
            inLastHour: ofTenant({ organizationId, environment })
              .filter((one) => DateTime.toEpochMillis(one.createdAt) > now - hourMillis).length
          }
        }),
      settings: (_organizationId, taxpayerId) => Effect.sync(() => memory.settings.get(taxpayerId) ?? noDeliverySettings)
    })
  })
)

/** The queue as workers see it, in memory. */
export const layerDeliveryOutbox: Layer.Layer<DeliveryOutbox, never, MemoryDeliveries | MemoryOperations> = Layer.effect(
  DeliveryOutbox,
  Effect.gen(function*() {
    const memory = yield* MemoryDeliveries
    const operations = yield* MemoryOperations
    let claims = 0
    const held = ({ claim, delivery }: ClaimedDelivery): Kept | null => {
      const kept = memory.kept.get(delivery.id)
      return kept !== undefined && kept.claim === claim && kept.delivery.status === "QUEUED" ? kept : null
    }
    const free = (kept: Kept, dueAt: number): void => {
      Object.assign(kept, { dueAt, handingOver: false, claim: null, claimedUntil: 0 })
    }
    return DeliveryOutbox.of({
      claimDue: (limit, leaseMillis) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          inTurns([...memory.kept.values()].filter((one) => one.delivery.status === "QUEUED" && one.dueAt <= now && one.claimedUntil <= now))
            .slice(0, limit)
            .map((one): ClaimedDelivery => {
              one.claim = `claim ${(claims += 1)}`
              one.claimedUntil = now + leaseMillis
              return { delivery: one.delivery, claim: one.claim, interrupted: one.handingOver }
            })),
      beginSending: (claimed, leaseMillis) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const kept = held(claimed)
          if (kept === null || kept.claimedUntil <= now) return false
          Object.assign(kept, { handingOver: true, claimedUntil: now + leaseMillis })
          return true
        }),
      conclude: (claimed, after) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const kept = held(claimed)
          if (kept === null) return false
          const dueAt = now + (after.nextAttemptInMillis ?? 0)
          if (after.attempts > claimed.delivery.attempts) kept.waitingSince = dueAt
          free(kept, dueAt)
          const { attempts, failure, lastError, maybeTaken } = after
          const status = Result.getOrThrow(nextDeliveryStatus(kept.delivery.status, after.event))
          if (status !== "QUEUED") operations.changes.push({ tenant: kept.delivery, change: deliveryChange({ ...kept.delivery, status }, DateTime.makeUnsafe(now)) })
          kept.delivery = { ...kept.delivery, status, attempts, failure, lastError, maybeTaken, updatedAt: DateTime.makeUnsafe(now) }
          return true
        }),
      release: (claimed, dueInMillis) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const kept = held(claimed)
          if (kept !== null && !kept.handingOver) free(kept, now + dueInMillis)
        }),
      raiseWaiting: (waitingMillis) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const waiting = [...memory.kept.values()].filter((one) => one.delivery.status === "QUEUED" && one.waitingSince < now - waitingMillis)
          const [oldest] = waiting.toSorted((one, other) => one.waitingSince - other.waitingSince)
          if (oldest === undefined || memory.raised.length > 0) return false
          memory.raised.push(oldest.delivery.id)
          return true
        })
    })
  })
)

/** The state of the mail server, in memory. */
export const layerMailTransport: Layer.Layer<MailTransport, never, MemoryDeliveries> = Layer.effect(
  MailTransport,
  Effect.map(MemoryDeliveries, (memory) =>
    MailTransport.of({
      available: Effect.sync(() => memory.transport.configured && memory.transport.failures < failuresToBreakTransport),
      state: Effect.map(Clock.currentTimeMillis, (now) => ({
        failures: memory.transport.failures,
        mayTryInMillis: Math.max(0, memory.transport.tryAt - now)
      })),
      note: (failed) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          memory.transport.failures = failed === null ? 0 : memory.transport.failures + 1
          memory.transport.tryAt = now + (failed?.tryInMillis ?? 0)
        })
    }))
)
