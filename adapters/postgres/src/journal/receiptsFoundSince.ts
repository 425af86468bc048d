import type { Tenant } from "@overa/domain"
import { Effect } from "effect"
import { hasExtras, type LeafRow } from "../journal-log/leafRows.ts"
import type { PgStatements } from "../PgDatabase.ts"

/** $1 organization, $2 environment: a new row, which another transaction's lock must be able to meet. */
export const openHorizon = `insert into journal_horizons (organization_id, environment, taken_to) values ($1, $2, '-infinity') on conflict do nothing`

/** $1 organization, $2 environment. */
const shareHorizon = "select taken_to from journal_horizons where organization_id = $1 and environment = $2 for share"

/** $1 organization, $2 environment, $3 operations: those that the journal's tables hold as no receipt. */
export const addPending = `insert into journal_pending (organization_id, environment, operation_id)
select $1, $2, a.id from unnest($3::uuid[]) as a (id)
where exists (select from journal_entries e where e.organization_id = $1 and e.operation_id = a.id offset 0)
  and not exists (select from turnover_parts t where t.organization_id = $1 and t.operation_id = a.id offset 0)
on conflict do nothing`

/** Whether the document is a receipt that was at rest before, as no receipt. */
const wasNoReceipt = (row: LeafRow & { readonly taken: number }): boolean =>
  row.invoice_number !== null && (row.taken > 0 || hasExtras(row) || row.history.includes('["NOT_FISCALIZED",'))

/**
 * Adds to `journal_pending` what became a receipt after the journal's tables were written, as a part of the commit that seals it. Until that commit the
 * turnover report finds it behind the position of the log, from then on in `journal_pending`. The horizon's lock is waited for, because a pass of the
 * upkeep may have read the document before it was a receipt.
 */
export const noteReceiptsFoundSince = Effect.fnUntraced(function*(
  tx: PgStatements,
  { environment, organizationId }: Tenant,
  rows: ReadonlyArray<LeafRow & { readonly taken: number }>
) {
  const ids = rows.filter(wasNoReceipt).map((row) => row.operation_id)
  if (ids.length === 0) return
  yield* tx.query(openHorizon, [organizationId, environment])
  yield* tx.query(shareHorizon, [organizationId, environment])
  yield* tx.query(addPending, [organizationId, environment, ids])
})
