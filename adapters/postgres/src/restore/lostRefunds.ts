import type { Operation } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { keptOf, unlessAcknowledged } from "./keptAttempts.ts"

/** $1 organization, $2 refund: what a person has acknowledged of lost refunds of the same receipt. */
const acknowledged = `select a.detail from refund_workflows own
  join refund_workflows w on w.organization_id = $1 and w.original_id = own.original_id
  join attention a on a.organization_id = $1 and a.operation_id = w.refund_id
  where own.organization_id = $1 and own.refund_id = $2 and a.kind = 'LOST_ATTEMPT' and a.acknowledged_at is not null`

/**
 * What a restore lost of other refunds of the receipt that this one gives back, and take-back has kept, as far as no person has acknowledged it yet: once for all refunds of the
 * receipt, because the one that was held up has failed for good. Null where there is nothing.
 */
export const lostRefundsBeside = Effect.fnUntraced(function*(tx: PgStatements, { id, organizationId }: Operation) {
  const kept = yield* keptOf(tx, { id, organizationId })
  if (kept === null) return null
  const rows = yield* tx.query<{ readonly detail: string }>(acknowledged, [organizationId, id])
  return unlessAcknowledged(kept, new Set(rows.map(({ detail }) => detail)))
})
