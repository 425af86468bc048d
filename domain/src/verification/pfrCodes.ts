import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { Environment } from "../tenancy/Environment.ts"

/**
 * The identifier of a security element or of a signer (JID, UID): eight letters and digits of ASCII, compared letter for letter. The authority's sandbox
 * signs as `Dt1Ov1o0`, so lower-case letters are as good as capitals. Source: V-PFR §3, §9; published receipts of 2021 to 2026.
 */
export const jidForm = /^[0-9A-Za-z]{8}$/

export const isJid = (text: string): boolean => jidForm.test(text)

/** The number of a receipt: requester, signer, and the signer's counter for the requester. */
export const pfrNumberForm = /^([0-9A-Za-z]{8})-([0-9A-Za-z]{8})-([0-9]+)$/

/** `JID-JID-counter`, also used for paper receipts from before fiscalization; or `JID-IBFM-BI` of an old cash register (V-PFR §2). */
export const externalReferenceNumber = /^[0-9A-Za-z]{8}-[0-9A-Za-z]{1,24}-[0-9]{1,20}$/

const beginning = /^[0-9a-z]{1,8}(?:-[0-9a-z]{0,8}(?:-\d*)?)?$/i

/**
 * What a typed text may be the beginning of, as numbers are stored: the text itself, and the text in capitals, whole or in its first part alone. Empty where no
 * number begins so. Capitals are tried because people type small letters, and almost every identifier is in capitals.
 */
export const beginningsOfNumber = (text: string): ReadonlyArray<string> => {
  if (!beginning.test(text)) return []
  const [requester = "", ...rest] = text.split("-")
  return [...new Set([text, text.toUpperCase(), [requester.toUpperCase(), ...rest].join("-")])]
}

/**
 * A seller's TIN as the V-PFR signs it: in the sandbox `RS` stands before the nine digits (V-PFR §7.4).
 *
 * @param tin With or without `RS`, as the element's certificate has it.
 * @example signedTin("111911206", "sandbox") // "RS111911206"
 */
export const signedTin = (tin: string, environment: Environment): string => environment === "sandbox" && !tin.startsWith("RS") ? `RS${tin}` : tin

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
