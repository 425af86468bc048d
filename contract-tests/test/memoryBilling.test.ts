import { layerBilling, type MemoryAccount } from "@overa/adapter-memory"
import type { OrganizationId } from "@overa/domain"
import { billingContract } from "../src/ports/Billing.contract.ts"

billingContract("memory", () => {
  const accounts = new Map<OrganizationId, MemoryAccount>()
  return {
    layer: layerBilling(accounts),
    open: async (id, { buyer, licenseChanges }) => void accounts.set(id, { buyer, licenseChanges: [...licenseChanges] })
  }
})
