import { advanceEffect, type Conclusion, type FiscalDocumentId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { concludeParameters, concludeStatement } from "../operations/concludeStatement.ts"
import { operationById } from "../operations/readers.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { reserveCopy } from "../refunds/reserveCopy.ts"
import { putBackKept } from "../restore/keptAttempts.ts"
import { decodeOperation, type OperationRow } from "../rows/OperationRow.ts"
import { toStoredJson } from "../rows/storedJson.ts"
import { raiseAfterClosing } from "./closings.ts"
import { notSent } from "./notSent.ts"

export const waitingFinalSale = `select o.operation_id from advance_documents d
  cross join lateral (
    select operation_id, invoice_type, status, key from operations where organization_id = $1 and operation_id = d.operation_id offset 0) o
  where d.organization_id = $1 and d.case_id = $2 and o.invoice_type = 'NORMAL' and o.status = 'VALIDATED' and o.key = $3`
const referTo = `update operations set late_reference = $3, next_check_at = $4, updated_at = $5
  where organization_id = $1 and operation_id = $2 and status = 'VALIDATED' and late_reference is null`



const after = (conclusion: Conclusion, millis: number): Date => new Date(DateTime.toEpochMillis(conclusion.at) + millis)

/** The final sale is never sent: the Advance Refund that it would refer to was rejected. */
const ended = (conclusion: Conclusion, finalSaleId: FiscalDocumentId): Conclusion =>
  notSent({ ...conclusion, operationId: finalSaleId, attempt: 0, attemptOutcome: null }, "ADVANCE_REFUND_NOT_FISCALIZED")

/**
 * What concluding a document of an advance case changes, in the same commit. Run again, it changes nothing more.
 * Source: Decisions §5, Advance case.
 */
export const settleAdvance = Effect.fnUntraced(function*(statements: PgStatements, conclusion: Conclusion, caseId: string) {
  const { organizationId, operationId } = conclusion
  const [row] = yield* statements.query<OperationRow>(operationById, [organizationId, operationId])
  if (row === undefined) return
  // As it is stored, in doubt or not: the final sale of a rejected Advance Refund was never sent.
  const document = decodeOperation({ ...row, in_doubt: false })
  yield* raiseAfterClosing(statements, conclusion, caseId, document)
  const effect = advanceEffect(document, conclusion)
  if (effect._tag === "None") return
  if (effect._tag === "ReserveCopy") return yield* reserveCopy(statements, conclusion, effect.copy, effect.dueAfterMillis)
  const [waiting] = yield* statements.query<{ readonly operation_id: FiscalDocumentId }>(waitingFinalSale, [organizationId, caseId, effect.closingKey])
  if (waiting === undefined) return
  if (effect._tag === "EndFinalSale") {
    yield* statements.query(concludeStatement, concludeParameters(ended(conclusion, waiting.operation_id)))
    return
  }
  yield* statements.query(referTo, [
    organizationId,
    waiting.operation_id,
    toStoredJson(effect.reference),
    after(conclusion, effect.dueAfterMillis),
    after(conclusion, 0)
  ])
  yield* putBackKept(statements, conclusion, waiting.operation_id)
})
