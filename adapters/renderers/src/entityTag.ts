import type { Receipt, RepresentationFormat } from "@overa/domain"
import { createHash } from "node:crypto"
import { layoutVersion } from "./layout/composeLayout.ts"

/**
 * Over everything that decides the bytes. A fiscalized document never changes, so its id and the V-PFR's answer identify its content; buyer details
 * are included because they arrive separately from the signing. Source: Decisions §6.
 */
export const entityTag = ({ answer, operation }: Receipt, format: RepresentationFormat): string => {
  const { brandingId, preferredPaperFormat } = operation.content
  const facts = [
    layoutVersion,
    format,
    operation.id,
    answer.text,
    answer.pfr.verificationUrl,
    brandingId,
    preferredPaperFormat,
    operation.buyerDetails
  ]
  return createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 32)
}
