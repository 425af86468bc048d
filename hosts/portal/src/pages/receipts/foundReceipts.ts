import {
  arranged, cursorBinding, decodeJournalCursor, encodeJournalCursor, type FoundDocument, foundDocumentOf, type FoundOrder, isBehindCursor, type JournalFilter, journalPage, JournalStore,
  RecentDocuments, type SumOfFound, sumOfFound
} from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { createdUntil, decodeFoundPlace, encodeFoundPlace, type FoundPlace } from "./foundPlace.ts"

const perPage = 25

/** One page of the list. */
export interface FoundReceipts {
  readonly documents: ReadonlyArray<FoundDocument>
  /** The order that the list has; null is the journal's own, latest first. */
  readonly order: FoundOrder | null
  /** Of everything found; null where nothing is searched for, and where more is found than is summed at once. */
  readonly sum: SumOfFound | null
  /** Whether more was found than is summed and arranged at once. */
  readonly tooMany: boolean
  /** Parameters of the next page; null at the end. */
  readonly next: Readonly<Record<string, string>> | null
  readonly isFirst: boolean
}

/** More take longer than a tenth of a second to be found and read. */
export const mostSummed = 1_000

/** @param latest What the filter finds, as far as this page and one more need it, where it was read already; null where it was not. */
const inJournalOrder = Effect.fnUntraced(function*(visit: MemberVisit, filter: JournalFilter, latest: ReadonlyArray<FoundDocument> | null) {
  const binding = cursorBinding(visit.tenant, filter)
  const cursor = Option.getOrNull(decodeJournalCursor(visit.query.get("after") ?? "", binding))
  const read = Effect.fnUntraced(function*() {
    const { items, nextCursor } = yield* (yield* JournalStore).page(visit.tenant, filter, { cursor, pageSize: perPage })
    return { items: items.map(foundDocumentOf), nextCursor }
  })
  const { items, nextCursor } = latest === null ? yield* read() : journalPage(latest.filter((it) => isBehindCursor(it, cursor)), perPage)
  return {
    documents: items,
    next: nextCursor === null ? null : { after: encodeJournalCursor(nextCursor, binding) },
    isFirst: cursor === null
  }
})

const latestOf = (documents: ReadonlyArray<FoundDocument>): DateTime.Utc | null =>
  documents.reduce<DateTime.Utc | null>((latest, { createdAt }) => latest === null ? createdAt : DateTime.max(latest, createdAt), null)

/**
 * A page behind the last document of the page before it: the list is read anew for each page, and counting its rows would repeat documents while others are
 * written (Decisions §11).
 */
const inOrder = (documents: ReadonlyArray<FoundDocument>, order: FoundOrder, place: FoundPlace | null) => {
  const left = arranged(documents, order, place?.last ?? null)
  const shown = left.slice(0, perPage)
  const last = left.length > perPage ? shown.at(-1) : undefined
  const until = place?.until ?? latestOf(documents)
  return {
    documents: shown,
    next: last === undefined || until === null ? null : { after: encodeFoundPlace({ until, last }) },
    isFirst: place === null
  }
}

/** What the filter finds: a page of it, and the sum of all of it where something is searched for or an order is asked for. */
export const foundReceipts = Effect.fnUntraced(function*(visit: MemberVisit, filter: JournalFilter, asked: { readonly isSearching: boolean; readonly order: FoundOrder | null }) {
  const journal = yield* JournalStore
  const isSummed = asked.isSearching || asked.order !== null
  const place = asked.order === null ? null : decodeFoundPlace(visit.query.get("after") ?? "")
  const ids = isSummed ? yield* journal.select(visit.tenant, place === null ? filter : createdUntil(filter, place.until), mostSummed + 1) : []
  const tooMany = ids.length > mostSummed
  const found = (yield* RecentDocuments).found
  const all = isSummed && !tooMany ? yield* found(visit.tenant, ids) : null
  // The first page of too many needs no second search.
  const latest = tooMany && !visit.query.has("after") ? yield* found(visit.tenant, ids.slice(0, perPage + 1)) : all
  const order = all === null ? null : asked.order
  const page = all === null || order === null ? yield* inJournalOrder(visit, filter, latest) : inOrder(all, order, place)
  return { ...page, order, tooMany, sum: all === null || !asked.isSearching ? null : sumOfFound(all) } satisfies FoundReceipts
})
