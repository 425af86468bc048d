import type { FiscalDocumentId, OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { refundOfClosing } from "./addAttempts.ts"
import { itemsOfLost, keptOf } from "./keptAttempts.ts"

const casesOfKept = `select organization_id, case_id from kept_attempts where case_id is not null
  union select organization_id, case_id from kept_answers where case_id is not null order by 1, 2`

/**
 * $1 organization, $2 case: its closings and cancellations that may still be sent, when their request is repeated or by the service itself, also after nothing was found of
 * an attempt. A closing that was given up is never sent. A final sale that waits for its Advance Refund is asked about when it is made ready.
 */
const openOfCase = `select o.operation_id from operations o where o.organization_id = $1 and o.workflow_id = $2 and o.workflow_type = 'ADVANCE' and o.invoice_type <> 'COPY'
  and o.status in ('VALIDATED', 'NOT_FISCALIZED', 'SUBMITTING', 'OUTCOME_UNKNOWN', 'RECONCILING') and o.failure_code is distinct from 'ADVANCE_REFUND_NOT_FISCALIZED'
  and not (o.invoice_type = 'ADVANCE' and o.transaction_type = 'SALE')
  and not (o.invoice_type = 'NORMAL' and exists (${refundOfClosing("o")} and r.status <> 'FISCALIZED')) order by o.operation_id`

interface CaseRow {
  readonly organization_id: OrganizationId
  readonly case_id: string
}

/**
 * Puts every closing and cancellation that may still be sent on the attention list where another document of its case was lost, in the commit that ends the restore: they are in doubt
 * from then on. A later one is told by the commit that reserves it.
 */
export const tellCases = Effect.fnUntraced(function*(tx: PgStatements) {
  const at = yield* DateTime.now
  for (const { case_id: caseId, organization_id: organizationId } of yield* tx.query<CaseRow>(casesOfKept)) {
    for (const { operation_id: operationId } of yield* tx.query<{ readonly operation_id: FiscalDocumentId }>(openOfCase, [organizationId, caseId])) {
      const kept = yield* keptOf(tx, { organizationId, id: operationId })
      const items = kept === null ? [] : itemsOfLost(kept)
      if (items.length > 0) yield* raiseItems(tx, { organizationId, operationId, at }, items)
    }
  }
})
