import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"

/** The tax authority's numbers for invoice types, as requests and links carry them (V-PFR §2). */
export const invoiceTypeNumber = {
  NORMAL: 0,
  PROFORMA: 1,
  COPY: 2,
  TRAINING: 3,
  ADVANCE: 4
} as const satisfies Record<InvoiceType, number>

/** The tax authority's numbers for transaction types (V-PFR §2). */
export const transactionTypeNumber = { SALE: 0, REFUND: 1 } as const satisfies Record<TransactionType, number>

const invoiceTypes: ReadonlyArray<InvoiceType> = ["NORMAL", "PROFORMA", "COPY", "TRAINING", "ADVANCE"]
const transactionTypes: ReadonlyArray<TransactionType> = ["SALE", "REFUND"]

export const invoiceTypeOfNumber = (number: number): InvoiceType | null => invoiceTypes[number] ?? null
export const transactionTypeOfNumber = (number: number): TransactionType | null => transactionTypes[number] ?? null

export interface MarkedKind {
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
}

/** First letter of the mark after the counter: Serbian Cyrillic, then English (V-PFR §8.3). */
const invoiceLetters: Record<InvoiceType, readonly [serbian: string, english: string]> = {
  NORMAL: ["П", "N"],
  ADVANCE: ["А", "A"],
  COPY: ["К", "C"],
  PROFORMA: ["Р", "P"],
  TRAINING: ["О", "T"]
}
/** Second letter: sale or refund. */
const transactionLetters: Record<TransactionType, readonly [serbian: string, english: string]> = {
  SALE: ["П", "S"],
  REFUND: ["Р", "R"]
}

const kindOfMark: ReadonlyMap<string, MarkedKind> = new Map(
  (Object.keys(invoiceLetters) as Array<InvoiceType>).flatMap((invoiceType) =>
    (Object.keys(transactionLetters) as Array<TransactionType>).flatMap((transactionType) =>
      ([0, 1] as const).map((language) =>
        [
          invoiceLetters[invoiceType][language] + transactionLetters[transactionType][language],
          { invoiceType, transactionType }
        ] as const
      )
    )
  )
)

/** The official Serbian mark of a kind of document, e.g. `ПП` for a Normal Sale (V-PFR §8.3). */
export const counterExtension = (kind: MarkedKind): string =>
  invoiceLetters[kind.invoiceType][0] + transactionLetters[kind.transactionType][0]

/**
 * The kind of document a counter's mark names; null for an unknown mark. Serbian marks are Cyrillic and English ones Latin, so
 * that `ПР` (Normal Refund) and `PR` (Proforma Refund) are different texts.
 */
export const kindOfCounterExtension = (mark: string): MarkedKind | null => kindOfMark.get(mark) ?? null
