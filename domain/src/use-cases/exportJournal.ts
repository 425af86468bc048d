import { Effect } from "effect"
import type { JournalFilter } from "../journal/JournalFilter.ts"
import { checkExportSize, journalExportLimit } from "../journal/journalSheet.ts"
import { JournalStore } from "../ports/JournalStore.ts"
import type { Tenant } from "../tenancy/Caller.ts"

/**
 * What an export will hold, or that it is too much: decided before anything is written. Fails with
 * `JournalExportResultLimitExceeded`. Source: Spec, Limits; Decisions §5, Journal.
 */
export const selectForExport = Effect.fn("selectForExport")(function*(tenant: Tenant, filter: JournalFilter) {
  const journal = yield* JournalStore
  const selection = yield* journal.select(tenant, filter, journalExportLimit + 1)
  yield* Effect.fromResult(checkExportSize(selection.ids.length))
  return selection
})
