import { exampleTaxpayer } from "./exampleSetup.ts"

const content = {
  sku: "KAFA-200",
  gtin: "8600000000011",
  name: "Kafa mlevena, 200 g",
  unitOfMeasure: "kom",
  grossUnitPrice: 419.9,
  taxLabels: ["Ђ"]
}

export const exampleNewProduct = { taxpayerId: exampleTaxpayer.id, ...content }
export const exampleReplacement = { ...content, grossUnitPrice: 439.9, isActive: true }
export const exampleProduct = {
  id: "01936b0e-7f3a-7c11-9d55-4f6f2a9f0c10",
  taxpayerId: exampleTaxpayer.id,
  ...content,
  isActive: true,
  createdAt: "2026-08-29T12:00:00.000Z",
  updatedAt: "2026-08-29T12:00:00.000Z"
}

export const exampleProductFile = `sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive
BRASNO-1,"Брашно Т-500, 1 kg",8600000000022,ком,129.99,Е,true
KAFA-200,"Kafa mlevena, 200 g",8600000000011,kom,419.90,Ђ,true
`
