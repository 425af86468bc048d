import type { ElementFacts } from "@overa/domain"
import { DateTime, Redacted } from "effect"
import { mintUuid } from "./mintIdentity.ts"

const time = (text: string) => DateTime.toUtc(DateTime.makeUnsafe(text))

/** The content of a security element's file; the key is not a real one. */
export const sampleElement = (changes: Partial<ElementFacts> = {}): ElementFacts => {
  const jid = changes.jid ?? mintUuid().slice(-8).toUpperCase()
  return {
    jid,
    tin: "101883300",
    subject: `CN=${jid}, O=Prodavnica`,
    issuer: "CN=Test Issuing CA",
    serialNumber: "0A1B",
    fingerprintSha256: mintUuid().replaceAll("-", "").padEnd(64, "0"),
    validFrom: time("2026-01-01T00:00:00.000Z"),
    validTo: time("2199-01-01T00:00:00.000Z"),
    privateKey: Redacted.make(`-----BEGIN PRIVATE KEY-----\n${jid}\n-----END PRIVATE KEY-----`),
    certificateChain: "-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----",
    pac: Redacted.make("AB12CD"),
    ...changes
  }
}
