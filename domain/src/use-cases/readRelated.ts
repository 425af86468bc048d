import { Effect, Option } from "effect"
import type { JournalFilter } from "../journal/JournalFilter.ts"
import type { Operation } from "../operations/Operation.ts"
import { AdvanceCases } from "../ports/AdvanceCases.ts"
import { JournalStore } from "../ports/JournalStore.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { RecentDocuments } from "../ports/RecentDocuments.ts"
import { type DocumentTree, documentTrees } from "../references/documentTree.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"

/** More documents of one sale are no drawing any more. */
const mostDocuments = 100

/** A copy of a copy's original's original is as far as anybody looks back. */
const mostSteps = 10

type Found = Map<FiscalDocumentId, Operation>

const nothing: JournalFilter = {
  taxpayerId: null, businessPremiseId: null, status: null, invoiceType: null, transactionType: null, clientReference: null, pfrNumber: null,
  buyerId: null, cashierId: null, text: null, pfr: { from: null, to: null }, created: { from: null, to: null }
}

/** What it refers to, and what that refers to, up to the first document. */
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

/** Documents that name one of those found, under one of their references of the shop. */
const addNamed = Effect.fnUntraced(function*(found: Found, operation: Operation, clientReference: string) {
  const filter = { ...nothing, taxpayerId: operation.taxpayerId, clientReference }
  const { items } = yield* (yield* JournalStore).page(operation, filter, { cursor: null, pageSize: mostDocuments })
  for (const item of items.toReversed()) {
    if (found.has((item.content.reference?.fiscalDocumentId ?? "") as FiscalDocumentId)) found.set(item.id, item)
  }
})

/** The shop's references that are looked through: of a sale and of its refunds, which may each have their own. */
const mostReferences = 5

/** Refunds with their copies, and whatever else names one of those found. */
const addLater = Effect.fnUntraced(function*(found: Found, operation: Operation) {
  const refunds = yield* (yield* RecentDocuments).refundsOf(operation, [...found.keys()], mostDocuments)
  for (const refund of refunds) found.set(refund.id, refund)
  const references = new Set([...found.values()].map(({ content }) => content.clientReference))
  for (const reference of [...references].slice(0, mostReferences)) yield* addNamed(found, operation, reference)
})

/**
 * The documents that belong together with one, as trees of what refers to what: the whole advance case, the sale with its refunds and copies.
 * A copy under a reference of its own is shown from its own page only.
 */
export const readRelated = Effect.fn("readRelated")(function*(operation: Operation) {
  const found: Found = new Map()
  yield* addEarlier(found, operation)
  const earlier = [...found.values()]
  for (const document of earlier) yield* addCase(found, document)
  yield* addLater(found, operation)
  return documentTrees([...found.values()].slice(0, mostDocuments)) satisfies ReadonlyArray<DocumentTree>
})
