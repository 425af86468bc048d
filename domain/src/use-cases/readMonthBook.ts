import { Effect } from "effect"
import type { BookDocument } from "../books/BookDocument.ts"
import { type BookLine, bookLine } from "../books/BookLine.ts"
import { MonthTooLarge } from "../books/errors.ts"
import { type OpenAdvance, openAdvances } from "../books/monthBook.ts"
import { BookDocuments, type Month } from "../ports/BookDocuments.ts"
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
 * A taxpayer's month: what was signed in it, what was rejected of what was asked for in it, and the advances open at its end. Fails with `MonthTooLarge`
 * before it has read any document. Source: Decisions §5, Reports and Advance case.
 */
export const readMonthBook = Effect.fn("readMonthBook")(function*(tenant: Tenant, taxpayerId: TaxpayerId, month: Month) {
  const documents = yield* BookDocuments
  const most = mostBookDocuments + 1
  const signedIds = yield* documents.signed(tenant, taxpayerId, month, most)
  const rejectedIds = yield* documents.rejected(tenant, taxpayerId, month, most)
  const openIds = yield* documents.openAdvances(tenant, taxpayerId, month.to, most)
  if ([signedIds, rejectedIds, openIds].some((ids) => ids.length > mostBookDocuments)) return yield* new MonthTooLarge({ limit: mostBookDocuments })
  const signed = yield* readAll(tenant, signedIds, bookLine)
  const rejected = yield* readAll(tenant, rejectedIds, bookLine)
  const advances = yield* readAll(tenant, openIds, advanceOf)
  const lines = [...signed, ...rejected].toSorted((one, other) => one.at < other.at ? -1 : Number(one.at > other.at))
  return { lines, openAdvances: openAdvances(advances) } satisfies MonthBook
})
