import type { BigDecimal } from "effect"
import { totalAmount } from "../money/lineAmount.ts"
import { type LabelTax, taxByLabel } from "../tax/taxByLabel.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"
import type { SellerOnReceipt } from "./SellerOnReceipt.ts"
import { type JournalFacts, writeJournal } from "./writeJournal.ts"

/** What a preview is made from; what is not known is null. */
export interface PreviewFacts extends Pick<JournalFacts, "environment" | "content"> {
  readonly seller: SellerOnReceipt | null
  /** The rates that hold for the document. */
  readonly taxRates: TaxRateGroup | null
}

/** A receipt before it is signed. Source: Decisions §14, Dry run. */
export interface ReceiptPreview {
  readonly totalAmount: BigDecimal.BigDecimal
  /** As the V-PFR will sign them, four decimals; null where the rates are not known. */
  readonly taxes: ReadonlyArray<LabelTax> | null
  /** The receipt's text, with PFR time, number and counter empty; null where the rates or the seller are not known. */
  readonly journalPreview: string | null
}

/**
 * What a document will say once it is signed.
 *
 * @example
 * const { journalPreview } = previewReceipt({ environment: "production", content, seller, taxRates })
 */
export const previewReceipt = ({ content, environment, seller, taxRates }: PreviewFacts): ReceiptPreview => {
  const taxes = taxRates === null ? null : taxByLabel(content.items, taxRates)
  return {
    totalAmount: totalAmount(content.items),
    taxes,
    journalPreview: taxes === null || seller === null ? null : writeJournal({ environment, content, seller, taxes, signed: null })
  }
}
