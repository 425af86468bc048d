import { type Act, type Attempt, type FiscalDocumentId, mayHaveArrived, type Operation, type OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { expireLeases } from "../operations/leaseStatements.ts"
import { redriveInTransaction } from "../operations/redrive.ts"
import { insertAttempt, insertAttemptParameters, type NextAttempt } from "../operations/redriveStatement.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { historyLineStart } from "../rows/history.ts"

/** A stored document as taking back needs it. */
export interface KnownRow {
  readonly operation_id: FiscalDocumentId
  readonly status: Operation["status"]
  readonly attempt: number
  readonly key_role: "REQUEST" | "INNER"
  readonly key: string
  readonly fingerprint_digest: string
  readonly invoice_number: string | null
  /** The final sale of an advance case whose Advance Refund has no receipt here yet; it is sent and compared with the reference to it. */
  readonly awaits_reference: boolean
}

export const knownColumns = `operation_id, status, attempt, key_role, key, fingerprint_digest, invoice_number,
  coalesce(workflow_type = 'ADVANCE' and invoice_type = 'NORMAL' and late_reference is null, false) as awaits_reference`

/** $1 organization, $2 operation. */
export const knownById = `select ${knownColumns} from operations where organization_id = $1 and operation_id = $2 for update`

/** Whether it would be sent: when its request is repeated, or by the service itself. */
export const isUnsent = ({ status }: Pick<KnownRow, "status">): boolean => status === "VALIDATED" || status === "NOT_FISCALIZED"

/** Who added an attempt: the service that carries out the operator's act, or the operator, where only a person may send the document again. */
const causeOf = ({ key_role: role, status }: KnownRow, act: Pick<Act, "actor">) => {
  if (status === "VALIDATED") return { cause: "reserved", actor: "api:restored" } as const
  if (status === "NOT_FISCALIZED") return { cause: "redriven", actor: "api:restored" } as const
  return status === "REJECTED" && role === "INNER" ? { cause: "retriedByOperator", actor: `operator:${act.actor}` } as const : null
}

// A search that runs now does not know the attempt: its claim ends, so that it plans no next check. A sender in flight keeps its lease.
const addSearched = `update operations set attempt = $3, checks = 0,
  next_check_at = case when status = 'SUBMITTING' then next_check_at else now() end,
  lease_until = case status when 'SUBMITTING' then lease_until when 'RECONCILING' then now() end
where organization_id = $1 and operation_id = $2`

// An attempt that was certainly not signed says nothing of the lost one with the same derived RequestId: it is searched for again.
const reopenFirst = "update operations set first_outcome = null where organization_id = $1 and operation_id = $2"
const reopenLater = "update attempts set outcome = null where organization_id = $1 and operation_id = $2 and number = $3"

const reopen = Effect.fnUntraced(function*(tx: PgStatements, organizationId: OrganizationId, { operation_id: id }: KnownRow, number: number) {
  yield* number === 1 ? tx.query(reopenFirst, [organizationId, id]) : tx.query(reopenLater, [organizationId, id, number])
})

/** Adds an attempt to a document whose status says already that it may have arrived, or what became of another attempt. */
const addToUnresolved = Effect.fnUntraced(function*(tx: PgStatements, next: NextAttempt, status: KnownRow["status"]) {
  yield* tx.query(insertAttempt, insertAttemptParameters(next))
  yield* makeSearched(tx, next.operation, next.attempt.number, status)
})

/** Makes a search due for a document whose latest attempt has the given number. */
const makeSearched = Effect.fnUntraced(function*(tx: PgStatements, { id, organizationId }: NextAttempt["operation"], number: number, status: KnownRow["status"]) {
  yield* tx.query(addSearched, [organizationId, id, number])
  if (status !== "RECONCILING") return
  const at = yield* DateTime.now
  const line = historyLineStart({ to: "OUTCOME_UNKNOWN", at, cause: "leaseExpired", actor: "api:restored" })
  yield* tx.query(expireLeases, [organizationId, [id], line, DateTime.toDateUtc(at)])
})

/** The attempts that a document is without: not stored, or stored as certainly not signed, although there may be a receipt under their RequestId. */
export const lostOf = (attempts: ReadonlyArray<Attempt>, stored: ReadonlyArray<Attempt>): ReadonlyArray<Attempt> =>
  attempts.filter((attempt) =>
    !stored.some((one) => one.requestId === attempt.requestId && (mayHaveArrived(one) || one.outcome === "SIGNED"))
  )

/**
 * Adds the attempts that a restore lost to a stored document, so that the worker searches for their receipts and nobody decides without them. A
 * document that would be sent again is SUBMITTING afterwards, with a lease that has ended. The caller has locked the row.
 */
export const addAttempts = Effect.fnUntraced(function*(
  tx: PgStatements,
  act: Pick<Act, "actor">,
  organizationId: OrganizationId,
  row: KnownRow,
  { lost, stored }: { readonly lost: ReadonlyArray<Attempt>; readonly stored: ReadonlyArray<Attempt> }
) {
  let { attempt: number, status } = row
  for (const attempt of lost) {
    const again = stored.find(({ requestId }) => requestId === attempt.requestId)
    if (again !== undefined) {
      yield* reopen(tx, organizationId, row, again.number)
      yield* makeSearched(tx, { organizationId, id: row.operation_id }, number, status)
      continue
    }
    number += 1
    const by = causeOf({ ...row, status }, act)
    const next: NextAttempt = {
      operation: { organizationId, id: row.operation_id },
      attempt: { ...attempt, operationId: row.operation_id, number },
      transition: { from: status, to: "SUBMITTING", at: attempt.startedAt, cause: "reserved", actor: "api:restored", ...by, attempt: number },
      leaseMillis: 0
    }
    if (by === null) yield* addToUnresolved(tx, next, status)
    else {
      yield* redriveInTransaction(tx, next)
      status = "SUBMITTING"
    }
  }
})
