import { type DateTime, Effect } from "effect"
import type { BookDocument } from "../books/BookDocument.ts"
import { type BookLine, bookLine } from "../books/BookLine.ts"
import { MonthTooLarge } from "../books/errors.ts"
import { type OpenAdvance, openAdvances } from "../books/monthBook.ts"
import { type JournalFilter, noFilter } from "../journal/JournalFilter.ts"
import { BookDocuments } from "../ports/BookDocuments.ts"
import { JournalStore } from "../ports/JournalStore.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"

/** Everything that a bookkeeper takes from a taxpayer's month. */
export interface MonthBook {
  /** Oldest first: what is turnover, and what is not. */
  readonly lines: ReadonlyArray<BookLine>
  readonly openAdvances: ReadonlyArray<OpenAdvance>
}

/** Documents of one month, and of the advances open at its end; with more, the book is refused and nothing is cut off silently. */
export const mostBookDocuments = 100_000
const atOnce = 500

/** What `read` takes from each document, in the order of the ids. */
const readAll = Effect.fnUntraced(function*<A>(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>, read: (document: BookDocument) => A | null) {
  if (ids.length > mostBookDocuments) return yield* new MonthTooLarge({ limit: mostBookDocuments })
  const documents = yield* BookDocuments
  const pieces = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, at) => ids.slice(at * atOnce, (at + 1) * atOnce))
  // While one piece is read from the store, the one before becomes lines.
  const found = yield* Effect.forEach(pieces, (some) => Effect.map(documents.read(tenant, some), (all) => all.map(read).filter((one) => one !== null)), { concurrency: 2 })
  return found.flat()
})

const advanceOf = (document: BookDocument) => {
  const line = bookLine(document)
  return line === null ? null : { line, caseId: document.workflow?.id ?? document.id }
}

/**
 * A taxpayer's month: what was signed in it, what was rejected of what was asked for in it, and the advances open at its end. Fails with `MonthTooLarge`.
 * Source: Decisions §5, Reports and Advance case.
 */
export const readMonthBook = Effect.fn("readMonthBook")(function*(tenant: Tenant, taxpayerId: TaxpayerId, month: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }) {
  const journal = yield* JournalStore
  const select = (some: Partial<JournalFilter>) => journal.select(tenant, { ...noFilter, taxpayerId, ...some }, mostBookDocuments + 1)
  const signed = yield* readAll(tenant, yield* select({ status: ["FISCALIZED"], pfr: month }), bookLine)
  const rejected = yield* readAll(tenant, yield* select({ status: ["REJECTED"], created: month }), bookLine)
  const open = yield* (yield* BookDocuments).openAdvances(tenant, taxpayerId, month.to, mostBookDocuments + 1)
  const advances = yield* readAll(tenant, open, advanceOf)
  const lines = [...signed, ...rejected].toSorted((one, other) => one.at < other.at ? -1 : Number(one.at > other.at))
  return { lines, openAdvances: openAdvances(advances) } satisfies MonthBook
})
