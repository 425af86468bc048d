import { exampleDocument } from "./exampleDocument.ts"

const times = { createdAt: "2026-08-01T08:00:00.000Z", updatedAt: "2026-08-01T08:00:00.000Z" }

export const exampleTaxpayer = {
  id: exampleDocument.taxpayerId,
  taxIdentifier: "100000008",
  name: "Продавница Д.О.О.",
  address: "Кнеза Милоша 1",
  city: "Београд",
  environment: "sandbox",
  vatStatus: "IN_VAT",
  status: "active",
  ...times
}

export const examplePremise = {
  id: exampleDocument.businessPremiseId,
  taxpayerId: exampleTaxpayer.id,
  puIdentifier: "1015151",
  name: "Веб продавница",
  commerceMode: "distance",
  environment: "sandbox",
  paymentMode: "all",
  status: "active",
  ...times
}

export const exampleTaxRates = {
  source: "V-PFR",
  environment: "sandbox",
  taxpayerId: exampleTaxpayer.id,
  businessPremiseId: examplePremise.id,
  currentTaxGroupId: 8,
  validFrom: "2024-01-01T00:00:00",
  fetchedAt: "2026-08-29T12:00:00.000Z",
  labels: [{ label: "Ђ", category: "О-ПДВ", categoryType: 0, rate: 20, activeFrom: "2024-01-01T00:00:00" }]
}

export const exampleLicense = {
  licensed: true,
  productionFiscalizationAllowed: true,
  reason: null,
  startsAt: "2026-01-01T00:00:00.000Z",
  expiresAt: null,
  suspended: false,
  modules: ["advance", "email"],
  includedDocumentsPerMonth: 600,
  documentsThisMonth: 41
}

export const exampleElement = {
  id: "01936b0e-0a00-7000-8000-000000000003",
  taxpayerId: exampleTaxpayer.id,
  businessPremiseId: examplePremise.id,
  environment: "sandbox",
  jid: "YJLQTEQR",
  subject: "CN=YJLQ Веб продавница",
  issuer: "CN=Sandbox SUF Issuing CA 1",
  serialNumber: "5C0000A1",
  fingerprintSha256: "9f2c4e5b0d1a8c7e6f3b2a1908d7c6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9",
  validFrom: "2026-01-01T00:00:00.000Z",
  validTo: "2028-01-01T00:00:00.000Z",
  daysLeft: 490,
  status: "ACTIVE"
}
