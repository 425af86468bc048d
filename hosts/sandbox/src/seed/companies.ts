import type { Environment, NewTaxpayer } from "@overa/domain"

/** A made-up company of the sandbox; the check digits of the tax identifiers are right, the companies do not exist. */
export interface Company {
  readonly environment: Environment
  readonly taxpayer: NewTaxpayer
}

const company = (environment: Environment, taxIdentifier: string, name: string, puIdentifier: string): Company => ({
  environment,
  taxpayer: {
    taxIdentifier,
    name,
    address: "Његошева 12",
    city: "Београд",
    vatStatus: "IN_VAT",
    businessPremises: [{ puIdentifier, name: "Веб продавница", address: "Његошева 12", city: "Београд" }]
  }
})

/** The ready organization's shop in the sandbox, the same shop in production, and a shop of another organization. */
export const companies = {
  sandbox: company("sandbox", "100000049", "Књижара Зора", "1000001"),
  production: company("production", "100000049", "Књижара Зора", "1000001"),
  other: company("sandbox", "100000065", "Мала Пекара", "1000002")
} as const

/** The company named in the spare elements of the sandbox pool. */
export const poolHolder = company("sandbox", "100000081", "Пробни обвезник", "1000003")
