import type { FiscalDocumentId, Operation, OrganizationId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { raiseItems } from "../operations/raise.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { itemsOfLost, keptOf, unlessAcknowledged } from "./keptAttempts.ts"

/** $1 organization, $2 refund: the items about lost refunds of the same receipt that a person has acknowledged. */
const acknowledged = `select a.detail from refund_workflows own
  join refund_workflows w on w.organization_id = $1 and w.original_id = own.original_id
  join attention a on a.organization_id = $1 and a.operation_id = w.refund_id
  where own.organization_id = $1 and own.refund_id = $2 and a.kind = 'LOST_ATTEMPT' and a.acknowledged_at is not null`

/**
 * What take-back has kept of other, lost refunds of the same receipt and no person has acknowledged yet; null where there is nothing. One acknowledgement is enough for all refunds of
 * the receipt: the refund that was held up has failed for good, and a later one must not wait again.
 */
export const lostRefundsBeside = Effect.fnUntraced(function*(tx: PgStatements, { id, organizationId }: Pick<Operation, "id" | "organizationId">) {
  const kept = yield* keptOf(tx, { id, organizationId })
  if (kept === null) return null
  const rows = yield* tx.query<{ readonly detail: string }>(acknowledged, [organizationId, id])
  return unlessAcknowledged(kept, new Set(rows.map(({ detail }) => detail)))
})

const tenantsOfKept = `select organization_id, environment from kept_attempts where gives_back is not null
  union select organization_id, environment from kept_answers where gives_back is not null order by 1, 2`

/** $1 organization, $2 environment, $3 the point of the restore: refunds that were sent after it, of receipts of which another refund was lost. */
const sentSince = `select o.operation_id from operations o join refund_workflows w on w.organization_id = $1 and w.refund_id = o.operation_id
  where o.organization_id = $1 and o.environment = $2 and o.created_at >= $3 and o.status in ('SUBMITTING', 'OUTCOME_UNKNOWN', 'RECONCILING', 'FISCALIZED')
    and w.original_id in (select gives_back from kept_attempts where organization_id = $1 union select gives_back from kept_answers where organization_id = $1)
  order by o.created_at, o.operation_id`

interface TenantRow {
  readonly organization_id: OrganizationId
  readonly environment: string
}

/**
 * Part of the commit that ends the restore. A refund may have been sent after the restore's point and before the file of a lost refund of the same receipt was given: both may have a
 * receipt, so each such refund gets an attention item. Refunds that come later get theirs from the commit that reserves them.
 */
export const tellSentRefunds = Effect.fnUntraced(function*(tx: PgStatements, since: Date) {
  const at = yield* DateTime.now
  for (const { environment, organization_id: organizationId } of yield* tx.query<TenantRow>(tenantsOfKept)) {
    for (const { operation_id: id } of yield* tx.query<{ readonly operation_id: FiscalDocumentId }>(sentSince, [organizationId, environment, since])) {
      const lost = yield* lostRefundsBeside(tx, { organizationId, id })
      if (lost !== null) yield* raiseItems(tx, { organizationId, operationId: id, at }, itemsOfLost(lost))
    }
  }
})
