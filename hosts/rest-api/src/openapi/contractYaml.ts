import { operations } from "../operations/operations.ts"
import { type ContractAddresses, openApiDocument, openApiYaml } from "./openApiDocument.ts"

/** Stand for the installation's own; RFC 2606 keeps these names free. */
const placeholders = { baseUrl: "https://base.invalid", tokenUrl: "https://token.invalid/token", contactEmail: "contact@mail.invalid" }

// As bytes: the engine keeps a text with one letter that is not Latin in two bytes a character, 2.5 MB.
const known = new Map<boolean, Buffer>()

const withPlaceholders = (hasContact: boolean): string => {
  const bytes = known.get(hasContact) ?? Buffer.from(openApiYaml(openApiDocument(operations, { ...placeholders, contactEmail: hasContact ? placeholders.contactEmail : null })))
  known.set(hasContact, bytes)
  return bytes.toString("utf8")
}

/** A text as YAML writes it between double quotes. */
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The contract as YAML, in UTF-8. Written once per process, a quarter of a second; the addresses are put in for each installation. */
export const contractYaml = ({ baseUrl, contactEmail, tokenUrl }: ContractAddresses): Buffer =>
  Buffer.from(
    withPlaceholders(contactEmail !== null)
      .replaceAll(placeholders.baseUrl, () => quoted(baseUrl))
      .replaceAll(placeholders.tokenUrl, () => quoted(tokenUrl))
      .replaceAll(placeholders.contactEmail, () => quoted(contactEmail ?? ""))
  )
