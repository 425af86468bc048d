import type { ElementFacts } from "@overa/domain"
import { DateTime, Redacted } from "effect"
import type { ElementFile } from "./ElementFile.ts"

/** What is stored of a file: its facts, with key and PAC to be encrypted. */
export const elementFacts = (file: ElementFile, pac: Redacted.Redacted<string>, taxIdentifier: string): ElementFacts => ({
  jid: file.facts.jid,
  tin: file.facts.tin ?? taxIdentifier,
  subject: file.facts.subject,
  issuer: file.facts.issuer,
  serialNumber: file.facts.serialNumber,
  fingerprintSha256: file.facts.fingerprintSha256,
  validFrom: DateTime.makeUnsafe(file.facts.validFrom),
  validTo: DateTime.makeUnsafe(file.facts.validTo),
  privateKey: Redacted.make(file.privateKeyPem),
  certificateChain: file.certificateChainPem,
  pac
})

/** Six letters or digits (V-PFR §1). */
export const isPac = (text: string): boolean => /^[A-Za-z0-9]{6}$/.test(text)
