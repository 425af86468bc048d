import { type Act, advanceRefundKey, type Attempt, type FiscalDocumentId, mayHaveArrived, type Operation, type OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { addSearchedAttempt, makeSearched, reopenAttempt } from "../operations/addSearched.ts"
import { redriveInTransaction } from "../operations/redrive.ts"
import type { NextAttempt } from "../operations/redriveStatement.ts"
import type { PgStatements } from "../PgDatabase.ts"

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

/** SQL, $1 organization: the Advance Refund (row `r`) that was reserved in one commit with a final sale, the row of this name. */
export const refundOfClosing = (finalSale: string): string =>
  `select from operations r where r.organization_id = $1 and r.key_role = 'INNER' and r.key = ${finalSale}.key || '${advanceRefundKey("")}'`

export const knownColumns = `operation_id, status, attempt, key_role, key, fingerprint_digest, invoice_number,
  coalesce(workflow_type = 'ADVANCE' and invoice_type = 'NORMAL' and late_reference is null, false) and exists (
    ${refundOfClosing("operations")}) as awaits_reference`

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
  const [actor, at] = ["api:restored", yield* DateTime.now]
  for (const attempt of lost) {
    const again = stored.find(({ requestId }) => requestId === attempt.requestId)
    if (again !== undefined) {
      yield* reopenAttempt(tx, { organizationId, id: row.operation_id }, again.number)
      yield* makeSearched(tx, { organizationId, id: row.operation_id }, number, { status, actor, at })
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
    // A document that is never sent again, because it was given up, keeps its status, and is searched for.
    if (by !== null && (yield* redriveInTransaction(tx, next))) status = "SUBMITTING"
    else yield* addSearchedAttempt(tx, next, { status, actor, at })
  }
})
