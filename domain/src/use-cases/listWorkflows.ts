import { Effect, Option } from "effect"
import { type AskedCases, matchesCaseFilter } from "../advances/AdvanceCaseFilter.ts"
import type { StoredAdvanceCase } from "../advances/AdvanceCase.ts"
import { caseDocuments, caseStateOf } from "../advances/caseDocuments.ts"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import { compareInJournal, isBehindCursor, type JournalCursor, journalPage, type JournalPlace } from "../journal/JournalCursor.ts"
import { type JournalFilter, matchesJournalFilter } from "../journal/JournalFilter.ts"
import { JournalStore } from "../ports/JournalStore.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { AdvanceCaseList, AdvanceCases, RefundStore, type StoredRefund } from "../ports/WorkflowStores.ts"
import { refundStatusOf } from "../refunds/refundProgress.ts"
import type { RefundWorkflowStatus } from "../refunds/RefundWorkflow.ts"
import type { Tenant } from "../tenancy/Caller.ts"

/** A page of a list; `nextCursor` is null at the end. */
export interface WorkflowPage<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor: JournalCursor | null
}

/** Pages that are read for one answer where states are asked for that few workflows have. */
const mostReads = 10

/**
 * A state follows from documents and cannot be looked for by an index: a page is read and those of other states are left out. A page of which nothing is
 * left is followed by the next one, a few times; what is answered then is empty and has a cursor.
 */
const pageWith = Effect.fnUntraced(function*<A, R>(
  place: JournalPlace,
  pageAt: (place: JournalPlace) => Effect.Effect<WorkflowPage<A>, StoreUnavailable, R>,
  isAsked: (item: A) => boolean
) {
  let cursor = place.cursor
  for (let reads = 1;; reads++) {
    const page = yield* pageAt({ ...place, cursor })
    const items = page.items.filter(isAsked)
    if (items.length > 0 || page.nextCursor === null || reads === mostReads) return { items, nextCursor: page.nextCursor } satisfies WorkflowPage<A>
    cursor = page.nextCursor
  }
})

/** Reads at once for one page. */
const concurrency = 8

const present = <A>(found: ReadonlyArray<Option.Option<A>>): ReadonlyArray<A> => found.flatMap((one) => Option.isSome(one) ? [one.value] : [])

/** Documents that a search of the journal may find, so that their cases are read at once. */
const mostFound = 500

const isAsked = ({ documents: asked, filter, states }: AskedCases) => ({ documents, opened }: StoredAdvanceCase): boolean =>
  matchesCaseFilter(filter, opened) && (states === null || states.includes(caseStateOf(caseDocuments(documents)))) &&
  (asked === null || documents.some((document) => matchesJournalFilter(asked, document)))

/** The cases of the documents that the journal finds, latest first; null where it finds too many. */
const casesFound = Effect.fnUntraced(function*(tenant: Tenant, documents: JournalFilter) {
  const found = yield* (yield* JournalStore).select(tenant, documents, mostFound + 1)
  if (found.length > mostFound) return null
  const [operations, cases] = [yield* OperationStore, yield* AdvanceCases]
  const read = present(yield* Effect.forEach(found, (id) => operations.get(tenant, id), { concurrency }))
  const ids = [...new Set(read.flatMap(({ workflow }) => workflow?.type === "ADVANCE" ? [workflow.id] : []))]
  const stored = present(yield* Effect.forEach(ids, (id) => cases.get(tenant, id), { concurrency }))
  return stored.toSorted((one, other) => compareInJournal(one.opened, other.opened))
})

/**
 * The advance cases of a tenant, latest first, with their documents: also those without any, which nothing else finds once their id is lost. The journal's
 * keyset. What is asked of the documents is looked for in the journal, whose indexes find a number or a text; where it finds too many, pages of cases are
 * read and the others left out. Source: Spec, Limits; docs/adr/0215.
 */
export const listAdvanceCases = Effect.fn("listAdvanceCases")(function*(tenant: Tenant, asked: AskedCases, place: JournalPlace) {
  const found = asked.documents === null ? null : yield* casesFound(tenant, asked.documents)
  if (found !== null) {
    const rows = found.filter(isAsked(asked)).filter(({ opened }) => isBehindCursor(opened, place.cursor))
    const { items, nextCursor } = journalPage(rows.map((stored) => ({ stored, id: stored.opened.id, createdAt: stored.opened.createdAt })), place.pageSize)
    return { items: items.map(({ stored }) => stored), nextCursor } satisfies WorkflowPage<StoredAdvanceCase>
  }
  const list = yield* AdvanceCaseList
  const cases = yield* AdvanceCases
  const pageAt = Effect.fnUntraced(function*(at: JournalPlace) {
    const { items, nextCursor } = journalPage(yield* list.opened(tenant, asked.filter, { after: at.cursor, limit: at.pageSize + 1 }), at.pageSize)
    const stored = yield* Effect.forEach(items, ({ id }) => cases.get(tenant, id), { concurrency })
    return { items: present(stored), nextCursor } satisfies WorkflowPage<StoredAdvanceCase>
  })
  return yield* pageWith(place, pageAt, isAsked(asked))
})

/** The statuses that the refund document of a workflow may have. */
const refundIn: Readonly<Record<RefundWorkflowStatus, ReadonlyArray<DocumentStatus>>> = {
  REFUND_PENDING: ["RECEIVED", "VALIDATED", "SUBMITTING"],
  REFUND_OUTCOME_UNKNOWN: ["OUTCOME_UNKNOWN", "RECONCILING"],
  COPY_PENDING: ["FISCALIZED"],
  COPY_OUTCOME_UNKNOWN: ["FISCALIZED"],
  COMPLETED: ["FISCALIZED"],
  FAILED: ["REJECTED", "NOT_FISCALIZED"]
}

/**
 * The refund workflows of a tenant, latest first: a workflow is found by its refund document, with the filters, order and keyset of the journal.
 * Source: Spec, Limits; docs/adr/0215.
 *
 * @param statuses Of the workflows; null for every status.
 */
export const listRefunds = Effect.fn("listRefunds")(function*(
  tenant: Tenant,
  filter: JournalFilter,
  statuses: ReadonlyArray<RefundWorkflowStatus> | null,
  place: JournalPlace
) {
  const journal = yield* JournalStore
  const refunds = yield* RefundStore
  const status = statuses === null ? null : [...new Set(statuses.flatMap((one) => refundIn[one]))]
  const documents: JournalFilter = { ...filter, invoiceType: "NORMAL", transactionType: "REFUND", status }
  const pageAt = Effect.fnUntraced(function*(at: JournalPlace) {
    const { items, nextCursor } = yield* journal.page(tenant, documents, at)
    const ids = items.flatMap(({ workflow }) => workflow?.type === "REFUND" ? [workflow.id] : [])
    const stored = yield* Effect.forEach(ids, (id) => refunds.get(tenant, id), { concurrency })
    return { items: present(stored), nextCursor } satisfies WorkflowPage<StoredRefund>
  })
  return yield* pageWith(place, pageAt, (stored) => statuses === null || statuses.includes(refundStatusOf(stored)))
})
