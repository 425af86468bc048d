import { Effect, Option } from "effect"
import { noFilter } from "../journal/JournalFilter.ts"
import type { Operation } from "../operations/Operation.ts"
import { AdvanceCases } from "../ports/WorkflowStores.ts"
import { JournalStore, RecentDocuments } from "../ports/JournalStore.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { type DocumentTree, documentTrees } from "../references/documentTree.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"

/** More documents of one sale would not fit a readable drawing. */
const mostDocuments = 100

/** No chain of references worth showing is longer. */
const mostSteps = 10

type Found = Map<FiscalDocumentId, Operation>

/** The document it refers to, the one that document refers to, and so on up to the first. */
const addEarlier = Effect.fnUntraced(function*(found: Found, operation: Operation) {
  const operations = yield* OperationStore
  let at: Operation | null = operation
  for (let step = 0; at !== null && step < mostSteps; step += 1) {
    found.set(at.id, at)
    const earlier: string | null = at.content.reference?.fiscalDocumentId ?? null
    at = earlier === null || found.has(earlier as FiscalDocumentId) ? null : Option.getOrNull(yield* operations.get(operation, earlier as FiscalDocumentId))
  }
})

const addCase = Effect.fnUntraced(function*(found: Found, { workflow, ...tenant }: Operation) {
  if (workflow?.type !== "ADVANCE") return
  const stored = Option.getOrNull(yield* (yield* AdvanceCases).get(tenant, workflow.id))
  for (const document of stored?.documents ?? []) found.set(document.id, document)
})

/** Documents that refer to one of those found, looked for by the shop's own references. */
const addNamed = Effect.fnUntraced(function*(found: Found, operation: Operation, clientReference: string) {
  const filter = { ...noFilter, taxpayerId: operation.taxpayerId, clientReference }
  const { items } = yield* (yield* JournalStore).page(operation, filter, { cursor: null, pageSize: mostDocuments })
  for (const item of items.toReversed()) {
    if (found.has((item.content.reference?.fiscalDocumentId ?? "") as FiscalDocumentId)) found.set(item.id, item)
  }
})

/** How many of the shop's references are searched: a sale and its refunds may each have their own. */
const mostReferences = 5

/** Refunds with their copies, and every other document that refers to one of those found. */
const addLater = Effect.fnUntraced(function*(found: Found, operation: Operation) {
  const refunds = yield* (yield* RecentDocuments).refundsOf(operation, [...found.keys()], mostDocuments)
  for (const refund of refunds) found.set(refund.id, refund)
  const references = new Set([...found.values()].map(({ content }) => content.clientReference))
  for (const reference of [...references].slice(0, mostReferences)) yield* addNamed(found, operation, reference)
})

/**
 * The documents that belong together with one, as trees by reference: the whole advance case, the sale with its refunds and copies. A copy with a
 * client reference of its own is shown only from its own page.
 */
export const readRelated = Effect.fn("readRelated")(function*(operation: Operation) {
  const found: Found = new Map()
  yield* addEarlier(found, operation)
  const earlier = [...found.values()]
  for (const document of earlier) yield* addCase(found, document)
  yield* addLater(found, operation)
  return documentTrees([...found.values()].slice(0, mostDocuments)) satisfies ReadonlyArray<DocumentTree>
})
