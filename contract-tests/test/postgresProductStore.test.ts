import { layerDatabase, layerProductStore } from "@overa/adapter-postgres"
import { Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { productStoreContract } from "../src/ports/ProductStore.contract.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

let database: ThrowawayDatabase
beforeAll(async () => {
  database = await throwawayDatabase()
})
afterAll(() => database.drop())

productStoreContract("PostgreSQL", () => ({
  layer: Layer.provide(layerProductStore, layerDatabase({ url: Redacted.make(database.url), applicationName: "contract" })),
  register: async ({ taxpayerId, tenant: { environment, organizationId } }, status = "active") => {
    const client = await database.client()
    await client.query("insert into organizations values ($1, 'Продавница', now()) on conflict do nothing", [organizationId])
    await client.query(
      `insert into taxpayers (organization_id, taxpayer_id, environment, tax_identifier, name, vat_status, status, created_at, updated_at)
       values ($1, $2, $3, $4, 'Фирма', 'IN_VAT', $5, now(), now())`,
      [organizationId, taxpayerId, environment, mintUuid(), status]
    )
  }
}))
