import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

// An id is of one kind of thing, so at most one of these finds a row; each looks by its whole primary key.
const byId = `select coalesce(
  (select name from taxpayers where organization_id = $1 and taxpayer_id = $2),
  (select name from business_premises where organization_id = $1 and premise_id = $2),
  (select jid from security_elements where organization_id = $1 and element_id = $2),
  (select concat_ws(' – ', sku, name) from products where organization_id = $1 and product_id = $2),
  (select coalesce(description, url) from webhook_endpoints where organization_id = $1 and endpoint_id = $2),
  (select coalesce(invoice_number, client_reference) from operations where organization_id = $1 and operation_id = $2),
  (select name from organizations where organization_id = $1 and organization_id = $2)) as name`

// A credential is named by its client id, which is no UUID.
const byClientId = "select name from credentials where organization_id = $1 and client_id = $2"

/** The name of what an act was done to, as it is in the act's transaction; null for what has no name. */
export const nameOfSubject = Effect.fnUntraced(function*(tx: PgStatements, { organizationId, subject }: { readonly organizationId: string; readonly subject: string }) {
  const [row] = yield* tx.query<{ readonly name: string | null }>(uuid.test(subject) ? byId : byClientId, [organizationId, subject])
  return row?.name ?? null
})
