import type { AttentionItem, KeyOwner } from "@overa/domain"
import type { PgStatements } from "../PgDatabase.ts"
import { documentBeside, isLostBeside, lostBeside, type LostBeside } from "./lostBeside.ts"

/** An answer that was kept of a document under another id, or of a lost one of its case, or of another refund of its receipt. */
export interface LostAnswer extends LostBeside {
  readonly is_own_key: boolean
  readonly detail: string
  readonly invoice_number: string | null
}

/** $1 organization, $2 operation: the answers of a lost document under its own key, and those of lost documents beside it. A copy is searched for by itself. */
const answersFor = `select k.key, k.key = o.key and k.key_role = 'INNER' as is_own_key, k.closes, k.gives_back, k.detail, k.invoice_number from ${documentBeside}
  join kept_answers k on k.organization_id = o.organization_id and k.environment = o.environment and (
    (k.key = o.key and k.key_role = 'INNER' and o.key_role = 'INNER' and o.invoice_type <> 'COPY') or ${isLostBeside})
  where o.organization_id = $1 and o.operation_id = $2 and k.organization_id = $1 order by k.detail`

/** The answers that were kept of a document under another id, or of lost documents beside it. */
export const answersOf = (tx: PgStatements, { id, organizationId }: Pick<KeyOwner, "id" | "organizationId">) => tx.query<LostAnswer>(answersFor, [organizationId, id])

/** What a person is told of it. */
export const itemOfAnswer = (row: LostAnswer): AttentionItem => {
  const signed = row.invoice_number === null ? "which may be signed" : `which the V-PFR signed as ${row.invoice_number}`
  return { kind: "LOST_ATTEMPT", detail: row.is_own_key ? row.detail : `${lostBeside(row)}, ${signed}; it could not be put back`, evidence: null }
}
