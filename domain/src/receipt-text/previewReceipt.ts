import type { BigDecimal } from "effect"
import { totalAmount } from "../money/rounding.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"
import { type LabelTax, taxByLabel } from "../tax/taxByLabel.ts"
import { type JournalFacts, writeJournal } from "./writeJournal.ts"

/**
 * The seller as the V-PFR prints it above every receipt: it takes these facts from the certificate of the security element, whatever the
 * request says. Source: V-PFR §3, §9.
 */
export interface SellerOnReceipt {
  /** With its prefix where the environment has one: `RS111911206` in the sandbox, nine digits in production. */
  readonly tin: string
  /** Subject O. */
  readonly businessName: string
  /** Subject OU, in production `<premise number>-<name>`. */
  readonly locationName: string
  /** Subject STREET. */
  readonly address: string
  /** Subject ST. */
  readonly district: string
}

/** The facts a preview is made from; unknown ones are null. */
export interface PreviewFacts extends Pick<JournalFacts, "environment" | "content"> {
  readonly seller: SellerOnReceipt | null
  /** The rates that apply to the document. */
  readonly taxRates: TaxRateGroup | null
}

/** A receipt before it is signed. Source: Decisions §14, Dry run. */
export interface ReceiptPreview {
  readonly totalAmount: BigDecimal.BigDecimal
  /** As the V-PFR will sign them, four decimals; null where the rates are not known. */
  readonly taxes: ReadonlyArray<LabelTax> | null
  /** The receipt's text, marked as a preview; null where the rates or the seller are not known. */
  readonly journalPreview: string | null
}

/** Labels in the order of the first item that has them, as published receipts with two labels print them (V-PFR §6.3, §8.8). */
const inOrderOfUse = (taxes: ReadonlyArray<LabelTax>, items: PreviewFacts["content"]["items"]): ReadonlyArray<LabelTax> => {
  const used = [...new Set(items.flatMap(({ taxLabels }) => taxLabels))]
  return taxes.toSorted((one, other) => used.indexOf(one.label) - used.indexOf(other.label))
}

/**
 * What a document will say once it is signed.
 *
 * @example
 * const { journalPreview } = previewReceipt({ environment: "production", content, seller, taxRates })
 */
export const previewReceipt = ({ content, environment, seller, taxRates }: PreviewFacts): ReceiptPreview => {
  const taxes = taxRates === null ? null : inOrderOfUse(taxByLabel(content.items, taxRates), content.items)
  return {
    totalAmount: totalAmount(content.items),
    taxes,
    journalPreview: taxes === null || seller === null ? null : writeJournal({ environment, content, seller, taxes, signed: null })
  }
}
