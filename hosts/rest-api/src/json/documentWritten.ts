import type { FiscalDocument, PfrResult } from "@overa/domain"
import { fiscalDocumentJson } from "./fiscalDocumentJson.ts"
import { WrittenJson } from "./WrittenJson.ts"

interface Kept {
  readonly of: FiscalDocument
  readonly written: WrittenJson
}

// By the object of the V-PFR's result, which each stored receipt has once; an entry ends with it.
const receipts = new WeakMap<PfrResult, Kept>()

const isSame = (one: FiscalDocument, other: FiscalDocument): boolean =>
  one.id === other.id && one.updatedAt === other.updatedAt && one.buyerDetails === other.buyerDetails

/** A document's JSON. A receipt's is written once and kept as long as the receipt itself, because it never changes again. */
export const documentWritten = (document: FiscalDocument): WrittenJson => {
  const { fiscalized, pfr } = document
  if (!fiscalized || pfr === null) return new WrittenJson(fiscalDocumentJson(document))
  const known = receipts.get(pfr)
  if (known !== undefined && isSame(known.of, document)) return known.written
  const written = new WrittenJson(fiscalDocumentJson(document))
  receipts.set(pfr, { of: document, written })
  return written
}
