import { Effect, Stream } from "effect"
import type { JournalFilter } from "../journal/JournalFilter.ts"
import type { JournalLine } from "../journal/JournalLine.ts"
import { checkExportSize, journalExportLimit } from "../journal/journalSheet.ts"
import { JournalStore } from "../ports/JournalStore.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"

/** The content of an export. */
export interface JournalSelection {
  /** Latest first. */
  readonly ids: ReadonlyArray<FiscalDocumentId>
  /** Every tax label on a line of them, sorted. */
  readonly labels: ReadonlyArray<string>
}

/**
 * Selects the operations of an export, or refuses too many: decided before anything is written. Fails with `JournalExportResultLimitExceeded`.
 * Source: Spec, Limits; Decisions §5, Journal.
 */
export const selectForExport = Effect.fn("selectForExport")(function*(tenant: Tenant, filter: JournalFilter) {
  const journal = yield* JournalStore
  const ids = yield* journal.select(tenant, filter, journalExportLimit + 1)
  yield* Effect.fromResult(checkExportSize(ids.length))
  return { ids, labels: yield* journal.labels(tenant, ids) } satisfies JournalSelection
})

/** Documents in one batch of an export. */
const linesAtOnce = 500

const pieces = (ids: ReadonlyArray<FiscalDocumentId>): ReadonlyArray<ReadonlyArray<FiscalDocumentId>> =>
  Array.from({ length: Math.ceil(ids.length / linesAtOnce) }, (_, at) => ids.slice(at * linesAtOnce, (at + 1) * linesAtOnce))

/**
 * The lines of an export, batch by batch in the order of the ids. While one batch is written the next one is read, and no other, so the memory does
 * not grow with the export. A reader that stops also stops the query.
 */
export const exportedLines = (
  tenant: Tenant,
  ids: ReadonlyArray<FiscalDocumentId>
): Stream.Stream<ReadonlyArray<JournalLine>, StoreUnavailable, JournalStore> =>
  Stream.unwrap(Effect.map(Effect.service(JournalStore), (journal) =>
    Stream.mapEffect(Stream.fromIterable(pieces(ids)), (some) => journal.lines(tenant, some), { concurrency: 2 })))
