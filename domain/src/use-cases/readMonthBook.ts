import { type DateTime, Effect } from "effect"
import { type BookLine, bookLine } from "../books/BookLine.ts"
import { MonthTooLarge } from "../books/errors.ts"
import { type OpenAdvance, openAdvances } from "../books/monthBook.ts"
import type { JournalCursor } from "../journal/JournalCursor.ts"
import { type JournalFilter, noFilter } from "../journal/JournalFilter.ts"
import type { Operation } from "../operations/Operation.ts"
import { JournalStore } from "../ports/JournalStore.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"

/** Everything that a bookkeeper takes from a taxpayer's month. */
export interface MonthBook {
  /** Oldest first: what is turnover, and what is not. */
  readonly lines: ReadonlyArray<BookLine>
  readonly openAdvances: ReadonlyArray<OpenAdvance>
}

/** Documents of one month; with more, the book is refused and nothing is cut off silently. */
export const mostBookDocuments = 50_000
const atOnce = 200

/** What `read` takes from every document that the filter selects, latest first. */
const readAll = Effect.fnUntraced(function*<A>(tenant: Tenant, filter: JournalFilter, read: (operation: Operation) => A | null) {
  const journal = yield* JournalStore
  const found: Array<A> = []
  let cursor: JournalCursor | null = null
  do {
    const { items, nextCursor }: { readonly items: ReadonlyArray<Operation>; readonly nextCursor: JournalCursor | null } = yield* journal.page(tenant, filter, { cursor, pageSize: atOnce })
    found.push(...items.map(read).filter((it) => it !== null))
    if (found.length > mostBookDocuments) return yield* new MonthTooLarge({ limit: mostBookDocuments })
    cursor = nextCursor
  } while (cursor !== null)
  return found
})

const advanceOf = (operation: Operation) => {
  const line = bookLine(operation)
  return line === null ? null : { line, caseId: operation.workflow?.id ?? operation.id }
}

/**
 * A taxpayer's month: what was signed in it, what was rejected of what was asked for in it, and the advances open at its end. Fails with `MonthTooLarge`.
 * Source: Decisions §5, Reports and Advance case.
 */
export const readMonthBook = Effect.fn("readMonthBook")(function*(tenant: Tenant, taxpayerId: TaxpayerId, month: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }) {
  const of = (some: Partial<JournalFilter>): JournalFilter => ({ ...noFilter, taxpayerId, ...some })
  const signed = yield* readAll(tenant, of({ status: ["FISCALIZED"], pfr: month }), bookLine)
  const rejected = yield* readAll(tenant, of({ status: ["REJECTED"], created: month }), bookLine)
  const advances = yield* readAll(tenant, of({ status: ["FISCALIZED"], invoiceType: "ADVANCE", pfr: { from: null, to: month.to } }), advanceOf)
  const lines = [...signed, ...rejected].toSorted((one, other) => one.at < other.at ? -1 : Number(one.at > other.at))
  return { lines, openAdvances: openAdvances(advances) } satisfies MonthBook
})
