import type { ReceiptPreview } from "@overa/domain"
import { jsonNumber } from "@overa/host-kit"

/** Decimals of a tax amount as the V-PFR signs it (Decisions §17). */
const taxDecimals = 4

/** Source: Decisions §14, Dry run; §17. */
export const dryRunJson = ({ journalPreview, taxes, totalAmount }: ReceiptPreview) => ({
  valid: true,
  totalAmount: jsonNumber(totalAmount),
  taxes: taxes === null ? null : taxes.map(({ amount, label, rate }) => ({ label, rate: jsonNumber(rate), amount: jsonNumber(amount, taxDecimals) })),
  journalPreview
})
