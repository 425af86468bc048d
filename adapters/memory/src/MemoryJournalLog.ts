import {
  changeEvent, changesOf, checkpointText, consistencyRanges, EventFeed, type FiscalDocumentId, inclusionRanges, JournalLog, JournalSealer, leafHash, type LeafRange, leafText, noteKeyOf, portableSha256, rootOf,
  signNote, type Tenant, type TreeHash, verifierKey
} from "@overa/domain"
import { Context, Effect, Layer } from "effect"
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

/** The events of a log: every leaf in its order, each with what follows from its transition. */
const eventsOf = (memory: MemoryOperations["Service"], tenant: Tenant, log: ReadonlyArray<Leaf>) =>
  log.flatMap(({ documentId, position }) => {
    const stored = memory.byId.get(documentId)
    const transition = stored?.transitions[position - 1]
    if (stored === undefined || transition === undefined) return []
    const { answer, content, workflow } = stored.operation
    return changesOf(transition, workflow?.type ?? null).map((type) => ({
      type, at: transition.at, documentId, position, workflow, clientReference: content.clientReference, invoiceNumber: answer?.pfr.invoiceNumber ?? null
    }))
  }).map((change, index) => changeEvent(tenant, { ...change, sequence: index + 1 }))

/** The logs over the operations in memory; reading, sealing and their events share them. */
export const layerJournalLog: Layer.Layer<JournalLog | JournalSealer | EventFeed, never, MemoryOperations> = Layer.mergeAll(
  Layer.effect(JournalSealer, Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const logs = yield* MemoryLogs
    return JournalSealer.of({ seal: () => Effect.sync(() => ({ added: seal(memory, logs), waitedMillis: 0 })) })
  })),
  Layer.effect(EventFeed, Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const logs = yield* MemoryLogs
    return EventFeed.of({
      page: (tenant, { after, limit }) =>
        Effect.sync(() => {
          const events = eventsOf(memory, tenant, logs.get(originOf(tenant)) ?? [])
          return { afterId: events[after - 1]?.id ?? null, items: events.slice(after, after + limit), last: events.length }
        })
    })
  })),
  Layer.effect(JournalLog, Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const logs = yield* MemoryLogs
    const logOf = (tenant: Tenant): ReadonlyArray<Leaf> => logs.get(originOf(tenant)) ?? []
    const noteOf = (tenant: Tenant, log: ReadonlyArray<Leaf>): string =>
      signNote(checkpointText({ origin: originOf(tenant), size: log.length, root: rootOf(log.map(({ hash }) => hash)) }), name, secretKey)
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
).pipe(Layer.provide(MemoryLogs.layer))
