import {
  acknowledge,
  checkCounters,
  layerAdvanceCases,
  layerDeliveryOutbox,
  layerDeliveryStore,
  layerMailTransport,
  layerOperationStore,
  layerProformaTraining,
  layerRefundStore,
  layerUnresolvedOperations,
  MemoryDeliveries,
  memoryDeliveries,
  MemoryOperations,
  noteCounters,
  type StoredOperation
} from "@overa/adapter-memory"
import { type counterGaps, noDeliverySettings } from "@overa/domain"
import { Effect, Layer } from "effect"
import { taxpayerId, tenant } from "./place.ts"
import type { StoreBehind } from "./StoreBehind.ts"
import type { World } from "./World.ts"

type Memory = MemoryOperations["Service"]
type Deliveries = MemoryDeliveries["Service"]


const copyOf = (stored: StoredOperation): StoredOperation => ({
  ...stored,
  attempts: [...stored.attempts],
  transitions: [...stored.transitions],
  attention: [...stored.attention]
})

const snapshotOf = (memory: Memory): Memory => ({
  byId: new Map([...memory.byId].map(([id, stored]) => [id, copyOf(stored)])),
  byKey: new Map(memory.byKey),
  refunds: new Map([...memory.refunds].map(([id, refund]) => [id, { ...refund }])),
  ledgers: new Map(memory.ledgers),
  cases: new Map(memory.cases),
  owners: new Map(memory.owners),
  counters: new Map(memory.counters),
  noted: new Set(memory.noted),
  changes: [...memory.changes],
  deeds: [...memory.deeds]
})

const refill = <K, V>(map: Map<K, V>, before: Map<K, V>): void => {
  map.clear()
  for (const [key, value] of before) map.set(key, value)
}

/** The deliveries as they are now; puts them back. */
const deliveriesAsNow = (deliveries: Deliveries): () => void => {
  const before = new Map([...deliveries.kept].map(([id, kept]) => [id, { ...kept }]))
  return () => refill(deliveries.kept, before)
}

const restore = (memory: Memory, before: Memory): void => {
  refill(memory.byId, before.byId)
  refill(memory.byKey, before.byKey)
  refill(memory.refunds, before.refunds)
  refill(memory.ledgers, before.ledgers)
  refill(memory.cases, before.cases)
  refill(memory.owners, before.owners)
  // The log of commits is cut off at one place: what workers noted after the lost commit is lost with it.
  refill(memory.counters, before.counters)
  memory.noted.clear()
  for (const number of before.noted) memory.noted.add(number)
  memory.deeds.splice(0, memory.deeds.length, ...before.deeds)
}

interface Range {
  readonly first: number
  readonly last: number
}

/** How many numbers are missing up to the last noted one, and are not raised. */
const unraised = (accountedTo: number | null, spans: ReadonlyArray<Range>, gaps: ReadonlyArray<Range>): number => {
  const known = new Set([...spans, ...gaps].flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at)))
  const from = accountedTo ?? Math.min(...spans.map(({ first }) => first)) - 1
  const last = Math.max(from, ...spans.map((span) => span.last))
  return Array.from({ length: last - from }, (_, at) => from + 1 + at).filter((counter) => !known.has(counter)).length
}

/** The memory store. Its clock is the true one, whatever the host's shows. */
export const memoryBehind = (world: World, judge: typeof counterGaps): StoreBehind => {
  const memory = MemoryOperations.empty()
  const deliveries = memoryDeliveries()
  const provided = Layer.mergeAll(Layer.succeed(MemoryOperations, memory), Layer.succeed(MemoryDeliveries, deliveries))
  const mailPorts = Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox, layerMailTransport).pipe(Layer.provide(provided))
  let remembers = false
  const ports = Layer.mergeAll(layerUnresolvedOperations, layerRefundStore, layerAdvanceCases, layerProformaTraining).pipe(
    Layer.provideMerge(layerOperationStore),
    Layer.provide(Layer.succeed(MemoryOperations, memory))
  )
  return {
    memory,
    look: Effect.void,
    lookAtAll: Effect.void,
    ports: () => ports,
    clocked: (effect) => world.onClock(effect),
    mayGoBack: (may) =>
      Effect.sync(() => {
        remembers = may
      }),
    mark: () => {
      if (!remembers) return Effect.void
      const before = snapshotOf(memory)
      const putBack = deliveriesAsNow(deliveries)
      return Effect.sync(() => {
        restore(memory, before)
        putBack()
      })
    },
    restore: null,
    erasure: null,
    mail: {
      open: Effect.sync(() => {
        deliveries.settings.set(taxpayerId, { ...noDeliverySettings, enabled: true })
      }),
      ports: () => mailPorts,
      all: Effect.sync(() => [...deliveries.kept.values()].map(({ delivery }) => delivery))
    },
    acknowledge: (id, kind) => Effect.sync(() => acknowledge(memory, id, kind)),
    countFrom: (series, accountedTo) =>
      Effect.sync(() => {
        memory.counters.set(`${tenant.organizationId} ${tenant.environment} ${series}`, { accountedTo, spans: [] })
      }),
    noteCounters: () =>
      Effect.sync(() => {
        noteCounters(memory, world.now)
      }),
    checkCounters: (told) =>
      Effect.sync(() => {
        for (const [key, { accountedTo, spans }] of memory.counters) {
          const first = Math.min(...spans.map((span) => span.first))
          if (accountedTo === null && spans.length > 0) told.begins(key.slice(key.lastIndexOf(" ") + 1), first - 1)
        }
        checkCounters(memory, world.now, (...judged) => {
          const verdict = judge(...judged)
          for (const gap of verdict.gaps) told.raised(gap)
          told.waits(unraised(judged[0], judged[1], verdict.gaps), judged[2].length)
          return verdict
        })
      }),
    events: null,
    faults: Effect.succeed([])
  }
}
