import type { Operation, Transition } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { historyLineStart } from "../rows/OperationRow.ts"
import { expireLeases } from "./leaseStatements.ts"
import { type AddedAttempt, insertAttempt, insertAttemptParameters } from "./redriveStatement.ts"

const add = (changes: string): string => `update operations set attempt = $3, checks = 0${changes}
where organization_id = $1 and operation_id = $2`

const addToSent = add("")
// A search that runs now does not know the attempt: its claim ends, so that it plans no next check.
const addToSearched = add(", next_check_at = now(), lease_until = now()")
const addToOther = add(", next_check_at = now(), lease_until = null")

/** A sender in flight keeps its lease. */
const additionTo = (status: Operation["status"]): string => {
  if (status === "SUBMITTING") return addToSent
  return status === "RECONCILING" ? addToSearched : addToOther
}

interface Searching {
  readonly status: Operation["status"]
  readonly actor: string
  readonly at: Transition["at"]
}

/** Makes a search due for a document whose latest attempt has the given number. The caller has locked the row. */
export const makeSearched = Effect.fnUntraced(function*(tx: PgStatements, { id, organizationId }: AddedAttempt["operation"], number: number, by: Searching) {
  yield* tx.query(additionTo(by.status), [organizationId, id, number])
  if (by.status !== "RECONCILING") return
  const line = historyLineStart({ to: "OUTCOME_UNKNOWN", at: by.at, cause: "leaseExpired", actor: by.actor })
  yield* tx.query(expireLeases, [organizationId, [id], line, DateTime.toDateUtc(by.at)])
})

/**
 * Adds an attempt that is searched for from now on to a document whose status stays: it says already that it may have arrived, or what became of another
 * attempt, or the document is in doubt. The caller has locked the row.
 */
export const addSearchedAttempt = Effect.fnUntraced(function*(tx: PgStatements, next: AddedAttempt, by: Searching) {
  yield* tx.query(insertAttempt, insertAttemptParameters(next))
  yield* makeSearched(tx, next.operation, next.attempt.number, by)
})

const reopenFirst = "update operations set first_outcome = null where organization_id = $1 and operation_id = $2"
const reopenLater = "update attempts set outcome = null where organization_id = $1 and operation_id = $2 and number = $3"

/** A stored attempt that was certainly not signed says nothing of a lost one with the same derived RequestId: it is searched for again. */
export const reopenAttempt = (tx: PgStatements, { id, organizationId }: AddedAttempt["operation"], number: number) =>
  number === 1 ? tx.query(reopenFirst, [organizationId, id]) : tx.query(reopenLater, [organizationId, id, number])
