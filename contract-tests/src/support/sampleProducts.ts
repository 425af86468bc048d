import type { Environment, OrganizationId, Product, ProductContent, ProductId, TaxpayerId, Tenant } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { mintUuid } from "./mintIdentity.ts"

/** A taxpayer with its tenant. */
export interface ProductShop {
  readonly tenant: Tenant
  readonly taxpayerId: TaxpayerId
}

export const mintShop = (environment: Environment = "sandbox", organizationId = mintUuid() as OrganizationId): ProductShop => ({
  tenant: { organizationId, environment },
  taxpayerId: mintUuid() as TaxpayerId
})

let counter = 0

export const sampleProductContent = (changes: Partial<ProductContent> = {}): ProductContent => ({
  sku: `S-${++counter}` as Product["sku"],
  gtin: "8600000000015",
  name: "Шећер у праху",
  unitOfMeasure: "kom",
  grossUnitPrice: BigDecimal.fromStringUnsafe("120.50") as Product["grossUnitPrice"],
  taxLabels: ["Ђ", "Е"],
  isActive: true,
  ...changes
})

/** A product made `age` milliseconds before the others. */
export const sampleProduct = ({ taxpayerId }: ProductShop, changes: Partial<ProductContent> = {}, age = 0): Product => {
  const at = DateTime.toUtc(DateTime.makeUnsafe(Date.UTC(2026, 2, 4, 5, 6, 7) - age))
  return { id: mintUuid() as ProductId, taxpayerId, ...sampleProductContent(changes), createdAt: at, updatedAt: at }
}
