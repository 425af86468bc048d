import { operations } from "../operations/operations.ts"
import { type ContractAddresses, openApiDocument, openApiYaml } from "./openApiDocument.ts"

/** Stand for the installation's own; RFC 2606 keeps these names free. */
const placeholders = { baseUrl: "https://base.invalid", tokenUrl: "https://token.invalid/token", contactEmail: "contact@mail.invalid" }

const known = new Map<boolean, string>()

const withPlaceholders = (hasContact: boolean): string => {
  const text = known.get(hasContact) ?? openApiYaml(openApiDocument(operations, { ...placeholders, contactEmail: hasContact ? placeholders.contactEmail : null }))
  known.set(hasContact, text)
  return text
}

/** A text as YAML writes it between double quotes. */
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The contract as YAML. Written once per process, a quarter of a second; the addresses are put in for each installation. */
export const contractYaml = ({ baseUrl, contactEmail, tokenUrl }: ContractAddresses): string =>
  withPlaceholders(contactEmail !== null)
    .replaceAll(placeholders.baseUrl, () => quoted(baseUrl))
    .replaceAll(placeholders.tokenUrl, () => quoted(tokenUrl))
    .replaceAll(placeholders.contactEmail, () => quoted(contactEmail ?? ""))
