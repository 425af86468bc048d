import type { FiscalDocumentId, OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { itemsOfLost } from "./keptAttempts.ts"

const casesOfKept = `select organization_id, case_id from kept_attempts where case_id is not null
  union select organization_id, case_id from kept_answers where case_id is not null order by 1, 2`

/** $1 organization, $2 case: its documents that would be sent, when their request is repeated or by the service itself. */
const unsentOfCase = `select operation_id from operations where organization_id = $1 and workflow_id = $2 and workflow_type = 'ADVANCE' and invoice_type <> 'COPY'
  and status in ('VALIDATED', 'NOT_FISCALIZED') and not (invoice_type = 'ADVANCE' and transaction_type = 'SALE') order by operation_id`

interface CaseRow {
  readonly organization_id: OrganizationId
  readonly case_id: string
}

/**
 * Puts every unsent closing and cancellation of a case on the attention list of which another document was lost, in the commit that ends the restore: they are in doubt
 * from then on. A later one is told by the commit that reserves it.
 */
export const tellCases = Effect.fnUntraced(function*(tx: PgStatements) {
  const at = yield* DateTime.now
  for (const { case_id: caseId, organization_id: organizationId } of yield* tx.query<CaseRow>(casesOfKept)) {
    for (const { operation_id: operationId } of yield* tx.query<{ readonly operation_id: FiscalDocumentId }>(unsentOfCase, [organizationId, caseId])) {
      const items = yield* itemsOfLost(tx, { organizationId, id: operationId })
      if (items.length > 0) yield* raiseItems(tx, { organizationId, operationId, at }, items)
    }
  }
})
