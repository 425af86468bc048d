import { type ClaimedCheck, type FiscalDocumentUnreadable, mayHaveArrived, type Transition } from "@overa/domain"
import { DateTime, Effect, Result } from "effect"
import type { PgDatabase, PgQueries } from "../PgDatabase.ts"
import { type AttemptRow, decodeAttempts, type FirstAttemptRow } from "../rows/AttemptRow.ts"
import { decodeOperation, historyLineStart, type OperationRow } from "../rows/OperationRow.ts"
import { readRow } from "../rows/orUnreadable.ts"
import { byOrganization, type Candidate } from "./byOrganization.ts"
import { claimDue, dueSearches, readForClaim, setAside } from "./leaseStatements.ts"
import { raiseUnreadable } from "./raise.ts"
import { attemptsOf } from "./readers.ts"

type ClaimRow = OperationRow & FirstAttemptRow

export interface Claiming {
  readonly limit: number
  readonly leaseMillis: number
  readonly actor: string
  readonly hostId: string
  readonly at: Transition["at"]
}

const claimOf = (row: ClaimRow, attempts: ReadonlyArray<AttemptRow>): Result.Result<ClaimedCheck, FiscalDocumentUnreadable> =>
  readRow(row.operation_id, () => ({
    operation: decodeOperation(row),
    // An attempt that certainly was not signed is not searched for; one whose process crashed may have been signed.
    attempts: decodeAttempts(row, attempts.filter((attempt) => attempt.operation_id === row.operation_id)).filter(mayHaveArrived),
    checks: row.checks
  }))

const readAttempts = Effect.fnUntraced(function*(database: PgQueries, organizationId: string, rows: ReadonlyArray<ClaimRow>) {
  return yield* database.read<AttemptRow>(attemptsOf, [organizationId, rows.map((row) => row.operation_id)])
})

/** An operator has to repair a row that no release can read. It is raised once, and the other rows are claimed nevertheless. */
const putAside = Effect.fnUntraced(function*(
  database: PgDatabase["Service"],
  row: Candidate,
  failure: FiscalDocumentUnreadable
) {
  yield* Effect.logError("stored operation cannot be read", { operationId: row.operation_id, cause: String(failure.cause) })
  yield* database.transaction(Effect.fnUntraced(function*(statements) {
    yield* statements.query(setAside, [row.organization_id, row.operation_id])
    yield* raiseUnreadable(statements, row.organization_id, failure)
  }))
})

// Rows are read before they are claimed, so an unreadable row never changes its status.
const readable = Effect.fnUntraced(function*(
  database: PgDatabase["Service"],
  organizationId: string,
  operationIds: ReadonlyArray<string>
) {
  const rows = yield* database.keyed.read<ClaimRow>(readForClaim, [organizationId, operationIds])
  const attempts = yield* readAttempts(database.keyed, organizationId, rows)
  const ids: Array<string> = []
  for (const row of rows) {
    const claim = claimOf(row, attempts)
    if (Result.isSuccess(claim)) ids.push(row.operation_id)
    else yield* putAside(database, row, claim.failure)
  }
  return ids
})

const claimOwn = (database: PgDatabase["Service"], { actor, at, hostId, leaseMillis }: Claiming) => {
  const line = historyLineStart({ to: "RECONCILING", at, cause: "searchStarted", actor })
  return Effect.fnUntraced(function*(organizationId: string, operationIds: ReadonlyArray<string>) {
    const ids = yield* readable(database, organizationId, operationIds)
    const parameters = [organizationId, ids, line, DateTime.toDateUtc(at), leaseMillis, hostId]
    const rows = ids.length === 0 ? [] : yield* database.keyed.read<ClaimRow>(claimDue, parameters)
    const attempts = rows.length === 0 ? [] : yield* readAttempts(database.keyed, organizationId, rows)
    return rows.flatMap((row) => Result.match(claimOf(row, attempts), { onSuccess: (claim) => [claim], onFailure: () => [] }))
  })
}

const byAge = (left: ClaimedCheck, right: ClaimedCheck): number =>
  left.operation.createdAt.epochMilliseconds - right.operation.createdAt.epochMilliseconds

/** Claims what is due, separately for each organization. When a worker crashes in between, its claims end with their lease. */
export const claim = (database: PgDatabase["Service"]) =>
  Effect.fnUntraced(function*(claiming: Claiming) {
    const candidates = yield* database.keyed.read<Candidate>(dueSearches, [claiming.limit])
    return (yield* byOrganization(candidates, claimOwn(database, claiming))).toSorted(byAge)
  })
