import type { FiscalDocument, PfrResult } from "@overa/domain"
import { fiscalDocumentJson } from "./fiscalDocumentJson.ts"
import { WrittenJson } from "./WrittenJson.ts"

interface Kept {
  readonly of: FiscalDocument
  readonly written: WrittenJson
}

// By what the V-PFR said, which one stored receipt has and keeps; forgotten with it.
const receipts = new WeakMap<PfrResult, Kept>()

const isSame = (one: FiscalDocument, other: FiscalDocument): boolean =>
  one.id === other.id && one.updatedAt === other.updatedAt && one.buyerDetails === other.buyerDetails

/** A document's JSON; a receipt's is written once and kept as long as the receipt itself is, because it never changes again. */
export const documentWritten = (document: FiscalDocument): WrittenJson => {
  const { fiscalized, pfr } = document
  if (!fiscalized || pfr === null) return new WrittenJson(fiscalDocumentJson(document))
  const known = receipts.get(pfr)
  if (known !== undefined && isSame(known.of, document)) return known.written
  const written = new WrittenJson(fiscalDocumentJson(document))
  receipts.set(pfr, { of: document, written })
  return written
}
