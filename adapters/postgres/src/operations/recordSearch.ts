import { lastSearchOf, mayHaveArrived, searchEnding, type UnresolvedOperations } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { type AttemptRow, decodeAttempts, type FirstAttemptRow } from "../rows/AttemptRow.ts"
import { historyLineStart } from "../rows/OperationRow.ts"
import { endClaim, endClaimStillDue, endSearch, lockSearched, noteFirstSearch, noteLaterSearch } from "./leaseStatements.ts"
import { attemptsOf } from "./readers.ts"

type Search = Parameters<UnresolvedOperations["Service"]["recordSearch"]>[0]

interface SearchedRow extends FirstAttemptRow {
  readonly status: string
  readonly is_leased: boolean
  readonly is_due_to_be_sent: boolean
}

const noteSearched = Effect.fnUntraced(function*(statements: PgStatements, { at, operationId, organizationId, searches }: Search) {
  for (const { attempt, finding } of searches) {
    const kept = lastSearchOf(finding, at)
    const note = [organizationId, operationId, kept === null ? null : DateTime.toDateUtc(kept.at), kept?.found ?? null]
    if (attempt === 1) yield* statements.query(noteFirstSearch, note)
    // An earlier release stored the first attempt here too.
    yield* statements.query(noteLaterSearch, [...note, attempt])
  }
})

/** Whether the outcome is known and no other attempt can have arrived, so that no search is needed. */
const isSearchedOut = Effect.fnUntraced(function*(statements: PgStatements, { operationId, organizationId }: Search, row: SearchedRow) {
  if (row.status !== "FISCALIZED" && row.status !== "REJECTED") return false
  const others = yield* statements.query<AttemptRow>(attemptsOf, [organizationId, [operationId]])
  return !decodeAttempts(row, others).some(mayHaveArrived)
})

/**
 * Records a search that found no receipt, in one transaction over one operation. A row whose claim was ended by an outcome keeps its status; the
 * search is recorded nevertheless.
 */
export const recordSearch = Effect.fnUntraced(function*(statements: PgStatements, search: Search) {
  const { actor, at, nextCheckAfterMillis, operationId, organizationId } = search
  const [row] = yield* statements.query<SearchedRow>(lockSearched, [organizationId, operationId])
  if (row === undefined) return
  yield* noteSearched(statements, search)
  if (!row.is_leased || row.status === "SUBMITTING" || row.status === "RECEIVED") return
  if (row.status === "RECONCILING") {
    const line = historyLineStart({ to: "OUTCOME_UNKNOWN", at, cause: searchEnding(search.searches.map(({ finding }) => finding)), actor })
    yield* statements.query(endSearch, [organizationId, operationId, nextCheckAfterMillis, line, DateTime.toDateUtc(at)])
    return
  }
  // What the service sends by itself keeps its check, whatever a search that began earlier says.
  if (row.is_due_to_be_sent && nextCheckAfterMillis === null) {
    yield* statements.query(endClaimStillDue, [organizationId, operationId])
    return
  }
  const next = (yield* isSearchedOut(statements, search, row)) ? null : nextCheckAfterMillis
  yield* statements.query(endClaim, [organizationId, operationId, next])
})
