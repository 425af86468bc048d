import type { PrintedReceipt, VerificationLink } from "@overa/domain"

// The program reads deep into answers of many shapes.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

/** A receipt as it is drawn in one format. */
export interface Picture {
  readonly format: string
  readonly png: Uint8Array
  /** The text that a scanner reads from its QR code. */
  readonly qr: string | null
}

/** One receipt with everything that the book compares. */
export interface Sample {
  /** The sample's number in the book, 1 to 15; null for receipts that cases issue besides. */
  readonly number: number | null
  readonly title: string
  /** The book asks for it with the buyer's identification, or without. */
  readonly withBuyer: boolean
  /** What the shop sent to the service. */
  readonly asked: Json
  readonly document: Json
  /** What was sent to the V-PFR, where it can be seen: only the simulator shows it. */
  readonly sent: Json | null
  readonly printed: PrintedReceipt
  readonly link: VerificationLink
  /** The text as the service hands it out. */
  readonly text: string
  /** The public check of the tax authority. */
  readonly portal: { readonly isValid: boolean; readonly journal: string | null } | null
  /** The notice's letters against the other letters of the A4 paper; null where it has no notice. */
  readonly noticeRatio: number | null
  readonly hasSignatureLine: boolean
  readonly pictures: ReadonlyArray<Picture>
}

/** What the samples are compared with. */
export interface Approved {
  /** `IB/version` as the tax authority assigned it; null where it has not yet. */
  readonly esirNumber: string | null
  /** The document that a sample refers to, by its number. */
  readonly receiptOf: (pfrNumber: string) => Sample | undefined
}
