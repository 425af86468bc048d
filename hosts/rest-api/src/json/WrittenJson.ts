import type { FiscalDocument, PfrResult } from "@overa/domain"
import { fiscalDocumentJson } from "@overa/host-kit/contract"

/** A value whose JSON was written before, to be inserted where the value belongs. */
export class WrittenJson {
  readonly bytes: Buffer

  private constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  static of(value: unknown): WrittenJson {
    return new WrittenJson(JSON.stringify(value))
  }

  /** A list whose elements are JSON texts. */
  static listOf(elements: ReadonlyArray<string>): WrittenJson {
    return new WrittenJson(`[${elements.join(",")}]`)
  }
}

/** Whether the value contains a part that is written already. */
const holdsWritten = (value: unknown): boolean =>
  value instanceof WrittenJson || (typeof value === "object" && value !== null && Object.values(value).some(holdsWritten))

const list = (open: string, parts: ReadonlyArray<ReadonlyArray<Buffer>>, close: string): ReadonlyArray<Buffer> => [
  Buffer.from(open),
  ...parts.flatMap((part, index) => (index === 0 ? part : [Buffer.from(","), ...part])),
  Buffer.from(close)
]

const partsOf = (value: unknown): ReadonlyArray<Buffer> => {
  if (value instanceof WrittenJson) return [value.bytes]
  if (!holdsWritten(value)) return [Buffer.from(JSON.stringify(value))]
  if (Array.isArray(value)) return list("[", value.map(partsOf), "]")
  const members = Object.entries(value as object).filter(([, member]) => member !== undefined)
  return list("{", members.map(([name, member]) => [Buffer.from(`${JSON.stringify(name)}:`), ...partsOf(member)]), "}")
}

/**
 * An answer with parts that are written already: a case of a hundred receipts has half a megabyte, of which one receipt is new. Its JSON equals what
 * `JSON.stringify` would write for the same values.
 */
export class AssembledJson {
  private readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  bytes(): Buffer {
    return Buffer.concat(partsOf(this.value))
  }
}

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
  if (!fiscalized || pfr === null) return WrittenJson.of(fiscalDocumentJson(document))
  const known = receipts.get(pfr)
  if (known !== undefined && isSame(known.of, document)) return known.written
  const written = WrittenJson.of(fiscalDocumentJson(document))
  receipts.set(pfr, { of: document, written })
  return written
}
