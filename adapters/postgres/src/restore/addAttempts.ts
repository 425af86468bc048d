import type { Act, Attempt, FiscalDocumentId, Operation, OrganizationId } from "@overa/domain"
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

/** Adds an attempt to a document whose status says already that it may have arrived, or what became of another attempt. */
const addToUnresolved = Effect.fnUntraced(function*(tx: PgStatements, next: NextAttempt, status: KnownRow["status"]) {
  const { id, organizationId } = next.operation
  yield* tx.query(addSearched, [organizationId, id, next.attempt.number])
  yield* tx.query(insertAttempt, insertAttemptParameters(next))
  if (status !== "RECONCILING") return
  const at = yield* DateTime.now
  const line = historyLineStart({ to: "OUTCOME_UNKNOWN", at, cause: "leaseExpired", actor: "api:restored" })
  yield* tx.query(expireLeases, [organizationId, [id], line, DateTime.toDateUtc(at)])
})

/**
 * Adds the attempts that a restore lost to a stored document, so that the worker searches for their receipts and nobody decides without them. A
 * document that would be sent again is SUBMITTING afterwards, with a lease that has ended. The caller has locked the row.
 */
export const addAttempts = Effect.fnUntraced(function*(
  tx: PgStatements,
  act: Pick<Act, "actor">,
  organizationId: OrganizationId,
  row: KnownRow,
  attempts: ReadonlyArray<Attempt>
) {
  let { attempt: number, status } = row
  for (const attempt of attempts) {
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
