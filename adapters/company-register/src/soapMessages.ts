import { XMLParser } from "fast-xml-parser"

/** The account register's namespace, also the prefix of its SOAPAction (V-PFR §10.1). */
export const nbsNamespace = "http://communicationoffice.nbs.rs"
export const soapAction = `${nbsNamespace}/GetCompanyAccount`

/** The register's credentials of one user. */
export interface NbsLogin {
  readonly userName: string
  readonly password: string
  readonly licenceId: string
}

/** A row of the register: one account of a company. */
export interface CompanyAccount {
  readonly name: string
  /** Nine digits. */
  readonly taxIdentifier: string
  /** Eight digits, or null. */
  readonly registrationNumber: string | null
  readonly address: string | null
  readonly city: string | null
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

const nothing = (name: string): string => `<${name} xsi:nil="true"/>`

/** A SOAP 1.1 request for a company by its tax identifier; every other member is nil. */
export const companyAccountRequest = (login: NbsLogin, taxIdentifier: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>` +
  `<soap:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">` +
  `<soap:Header><AuthenticationHeader xmlns="${nbsNamespace}"><UserName>${escaped(login.userName)}</UserName>` +
  `<Password>${escaped(login.password)}</Password><LicenceID>${escaped(login.licenceId)}</LicenceID></AuthenticationHeader></soap:Header>` +
  `<soap:Body><GetCompanyAccount xmlns="${nbsNamespace}">${nothing("nationalIdentificationNumber")}` +
  `<taxIdentificationNumber>${escaped(taxIdentifier)}</taxIdentificationNumber>` +
  ["bankCode", "accountNumber", "controlNumber", "companyName", "city", "startItemNumber", "endItemNumber"].map(nothing).join("") +
  `</GetCompanyAccount></soap:Body></soap:Envelope>`

// Every value stays text: identifiers have leading zeros.
const parser = new XMLParser({
  ignoreAttributes: true,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: true,
  isArray: (name) => name === "CompanyAccount"
})

const at = (tree: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((node, name) => typeof node === "object" && node !== null ? (node as Record<string, unknown>)[name] : undefined, tree)

const textAt = (tree: unknown, name: string): string | null => {
  const value = at(tree, name)
  return typeof value === "string" && value !== "" ? value : null
}

const digits = (text: string | null, length: number): string | null => {
  const padded = text?.padStart(length, "0") ?? ""
  return /^\d+$/.test(padded) && padded.length === length ? padded : null
}

const accountOf = (row: unknown): CompanyAccount | null => {
  const name = textAt(row, "CompanyName")
  const taxIdentifier = digits(textAt(row, "TaxIdentificationNumber"), 9)
  if (name === null || taxIdentifier === null) return null
  return {
    name,
    taxIdentifier,
    registrationNumber: digits(textAt(row, "NationalIdentificationNumber"), 8),
    address: textAt(row, "Address"),
    city: textAt(row, "City")
  }
}

/**
 * The rows of an answer; null when the text is no such answer (a fault, an error page). The result is again XML, escaped inside one element (V-PFR
 * §10.1). The caller must catch the parser's exception.
 */
export const companyAccounts = (body: string): ReadonlyArray<CompanyAccount> | null => {
  const response = at(parser.parse(body), "Envelope", "Body", "GetCompanyAccountResponse")
  if (response === undefined) return null
  const inner = at(response, "GetCompanyAccountResult")
  if (typeof inner !== "string" || inner === "") return []
  const rows = findRows(parser.parse(inner))
  return rows.map(accountOf).filter((account) => account !== null)
}

// The element around the rows has no documented name.
const findRows = (tree: unknown): ReadonlyArray<unknown> => {
  if (typeof tree !== "object" || tree === null) return []
  const rows = (tree as Record<string, unknown>)["CompanyAccount"]
  return Array.isArray(rows) ? rows : Object.values(tree).flatMap(findRows)
}
