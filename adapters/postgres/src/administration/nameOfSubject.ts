import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

// An id is of one kind of thing, so at most one of these finds a row; each looks by its whole primary key.
const byId = `select coalesce(
  (select t.name from taxpayers t where t.organization_id = $1 and t.taxpayer_id = $2),
  (select b.name from business_premises b where b.organization_id = $1 and b.premise_id = $2),
  (select e.jid from security_elements e where e.organization_id = $1 and e.element_id = $2),
  (select concat_ws(' – ', p.sku, p.name) from products p where p.organization_id = $1 and p.product_id = $2),
  (select coalesce(w.description, w.url) from webhook_endpoints w where w.organization_id = $1 and w.endpoint_id = $2),
  (select coalesce(o.invoice_number, o.client_reference) from operations o where o.organization_id = $1 and o.operation_id = $2),
  (select n.name from organizations n where n.organization_id = $1 and n.organization_id = $2)) as name`

// A credential is named by its client id, which is no UUID.
const byClientId = "select name from credentials where organization_id = $1 and client_id = $2"

/** The name of what an act was done to, as it is in the act's transaction; null for what has no name. */
export const nameOfSubject = Effect.fnUntraced(function*(tx: PgStatements, { organizationId, subject }: { readonly organizationId: string; readonly subject: string }) {
  const [row] = yield* tx.query<{ readonly name: string | null }>(uuid.test(subject) ? byId : byClientId, [organizationId, subject])
  return row?.name ?? null
})
