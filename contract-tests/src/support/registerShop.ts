import { mintUuid } from "./mintIdentity.ts"
import type { ProductShop } from "./sampleProducts.ts"
import type { ThrowawayDatabase } from "./throwawayDatabase.ts"

/** Makes a taxpayer and its organization known to a database. */
export const registerShop = async (database: ThrowawayDatabase, { taxpayerId, tenant: { environment, organizationId } }: ProductShop, status: "active" | "inactive" = "active"): Promise<void> => {
  const client = await database.client()
  await client.query("insert into organizations values ($1, 'Продавница', now()) on conflict do nothing", [organizationId])
  await client.query(
    `insert into taxpayers (organization_id, taxpayer_id, environment, tax_identifier, name, vat_status, status, created_at, updated_at)
     values ($1, $2, $3, $4, 'Фирма', 'IN_VAT', $5, now(), now())`,
    [organizationId, taxpayerId, environment, mintUuid(), status]
  )
}
