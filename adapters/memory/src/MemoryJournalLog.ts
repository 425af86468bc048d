import {
  changeEvent, type ChangeEvent, changesOf, checkpointText, consistencyRanges, type Cosignatures, EventFeed, type FiscalDocumentId, inclusionRanges, JournalLog, JournalSealer, leafHash, type LeafRange, leafText, notedEvent, noteKeyOf, type NumberedChange, portableSha256, rootOf,
  signNote, type Tenant, type TreeHash, verifierKey
} from "@overa/domain"
import { Context, Effect, Layer } from "effect"
import { layerCosignatures, MemoryLogSizes } from "./MemoryCosignatures.ts"
import { isTenants, MemoryOperations, type StoredOperation } from "./MemoryOperations.ts"

interface Leaf {
  readonly documentId: FiscalDocumentId
  /** Which transition of the document, from 1. */
  readonly position: number
  readonly text: string
  readonly hash: TreeHash
}

const name = "overa.journal/memory"
/** A key that everybody knows: a log in memory is no evidence. */
const secretKey = new Uint8Array(32).fill(7)

/** The events of each log, and how many of its leaves were read for them. */
class MemoryEvents extends Context.Service<MemoryEvents, Map<string, { leaves: number; readonly events: Array<ChangeEvent> }>>()(
  "@overa/adapter-memory/MemoryEvents"
) {
  static readonly layer = Layer.sync(MemoryEvents, () => new Map())
}

/** What was sealed, by tenant. */
class MemoryLogs extends Context.Service<MemoryLogs, Map<string, Array<Leaf>>>()("@overa/adapter-memory/MemoryLogs") {
  static readonly layer = Layer.sync(MemoryLogs, () => new Map())
}

const originOf = (tenant: Tenant): string => `${name}/${tenant.organizationId}/${tenant.environment}`

const leafOf = ({ attempts, operation, transitions }: StoredOperation, position: number): string => {
  const transition = transitions[position - 1]
  if (transition === undefined) throw new Error(`There is no transition ${position}`)
  const answer = operation.answer === null ? null : portableSha256(operation.answer.text)
  return leafText({
    organizationId: operation.organizationId,
    environment: operation.environment,
    documentId: operation.id,
    position,
    transition,
    requestId: attempts.find(({ number }) => number === transition.attempt)?.requestId ?? null,
    invoiceNumber: operation.answer?.pfr.invoiceNumber ?? null,
    digests: {
      request: portableSha256(operation.boundKey.body),
      record: portableSha256(JSON.stringify([operation.boundKey.target, operation.boundKey.fingerprint])),
      reference: null,
      answer,
      result: answer
    }
  })
}

const inFlight: ReadonlySet<string> = new Set(["RECEIVED", "SUBMITTING", "RECONCILING"])

const seal = (memory: MemoryOperations["Service"], logs: MemoryLogs["Service"]): number => {
  let added = 0
  for (const stored of memory.byId.values()) {
    const { operation } = stored
    if (inFlight.has(operation.status)) continue
    const log = logs.get(originOf(operation)) ?? []
    logs.set(originOf(operation), log)
    const sealed = log.filter(({ documentId }) => documentId === operation.id).length
    for (let position = sealed + 1; position <= stored.transitions.length; position += 1) {
      const text = leafOf(stored, position)
      log.push({ documentId: operation.id, position, text, hash: leafHash(new TextEncoder().encode(text)) })
      added += 1
    }
  }
  return added
}

const hashesOf = (log: ReadonlyArray<Leaf>, ranges: ReadonlyArray<LeafRange>): ReadonlyArray<TreeHash> =>
  ranges.map(({ end, start }) => rootOf(log.slice(start, end).map(({ hash }) => hash)))

/** The events of one leaf, without their numbers. */
const changesOfLeaf = (memory: MemoryOperations["Service"], { documentId, position }: Leaf): ReadonlyArray<NumberedChange> => {
  const stored = memory.byId.get(documentId)
  const transition = stored?.transitions[position - 1]
  if (stored === undefined || transition === undefined) return []
  const { answer, content, workflow } = stored.operation
  return changesOf(transition, workflow?.type ?? null).map((type) => ({
    sequence: 0, type, at: transition.at, documentId, position, workflow, clientReference: content.clientReference,
    invoiceNumber: answer?.pfr.invoiceNumber ?? null
  }))
}

/** Numbers what is new: each log's leaves in their order, then the noted changes. */
const number = (memory: MemoryOperations["Service"], logs: MemoryLogs["Service"], numbered: MemoryEvents["Service"]): void => {
  const tenants = new Map([
    ...memory.changes.map(({ tenant }) => [originOf(tenant), tenant] as const),
    ...[...memory.byId.values()].map(({ operation }) => [originOf(operation), operation] as const)
  ])
  for (const [origin, tenant] of tenants) {
    const own = numbered.get(origin) ?? { leaves: 0, events: [] }
    numbered.set(origin, own)
    const log = logs.get(origin) ?? []
    for (const change of log.slice(own.leaves).flatMap((leaf) => changesOfLeaf(memory, leaf))) {
      own.events.push(changeEvent(tenant, { ...change, sequence: own.events.length + 1 }))
    }
    own.leaves = log.length
    for (const { change } of memory.changes.filter((one) => originOf(one.tenant) === origin)) {
      const clientReference = change.documentId === null ? null : memory.byId.get(change.documentId)?.operation.content.clientReference ?? null
      const event = notedEvent(tenant, { ...change, clientReference, sequence: own.events.length + 1 })
      if (!own.events.some(({ id }) => id === event.id)) own.events.push(event)
    }
  }
  memory.changes.length = 0
}

const layerSizes = Layer.effect(
  MemoryLogSizes,
  Effect.map(Effect.service(MemoryLogs), (logs) =>
    MemoryLogSizes.of(() =>
      [...logs].map(([origin, leaves]) => {
        const [environment, organizationId] = origin.split("/").toReversed()
        return [{ organizationId, environment } as Tenant, leaves.length] as const
      })
    ))
)

/** The logs over the operations in memory; reading, sealing and their events share them. */
export const layerJournalLog: Layer.Layer<JournalLog | JournalSealer | EventFeed | Cosignatures, never, MemoryOperations> = Layer.mergeAll(
  Layer.provide(layerCosignatures, layerSizes),
  Layer.effect(JournalSealer, Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const logs = yield* MemoryLogs
    const numbered = yield* MemoryEvents
    return JournalSealer.of({
      seal: () =>
        Effect.sync(() => {
          const added = seal(memory, logs)
          number(memory, logs, numbered)
          return { added, waitedMillis: 0 }
        })
    })
  })),
  Layer.effect(EventFeed, Effect.gen(function*() {
    const numbered = yield* MemoryEvents
    return EventFeed.of({
      page: (tenant, { after, limit }) =>
        Effect.sync(() => {
          const events = numbered.get(originOf(tenant))?.events ?? []
          return { afterId: events[after - 1]?.id ?? null, items: events.slice(after, after + limit), last: events.length }
        })
    })
  })),
  Layer.effect(JournalLog, Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const logs = yield* MemoryLogs
    const logOf = (tenant: Tenant): ReadonlyArray<Leaf> => logs.get(originOf(tenant)) ?? []
    const noteOf = (tenant: Tenant, log: ReadonlyArray<Leaf>): string =>
      signNote(checkpointText({ origin: originOf(tenant), size: log.length, root: rootOf(log.map(({ hash }) => hash)) }), name, secretKey, originOf(tenant))
    const publicKey = verifierKey(noteKeyOf(name, secretKey))
    return JournalLog.of({
      checkpoint: (tenant) =>
        Effect.sync(() => ({ origin: originOf(tenant), size: logOf(tenant).length, publicKey, note: noteOf(tenant, logOf(tenant)) })),
      consistency: (tenant, from, to) => Effect.sync(() => hashesOf(logOf(tenant), consistencyRanges(from, to))),
      entriesOf: (tenant, id) =>
        Effect.sync(() => {
          const log = logOf(tenant)
          const stored = memory.byId.get(id)
          if (stored === undefined || !isTenants(tenant, stored.operation)) return null
          const entries = log.flatMap(({ documentId, text }, index) =>
            documentId === id ? [{ index, leaf: text, inclusion: hashesOf(log, inclusionRanges(index, log.length)) }] : []
          )
          return entries.length === 0 ? null : { origin: originOf(tenant), publicKey, checkpoint: noteOf(tenant, log), entries }
        }),
      verifierKeys: Effect.succeed([publicKey])
    })
  }))
).pipe(Layer.provide([MemoryLogs.layer, MemoryEvents.layer]))
