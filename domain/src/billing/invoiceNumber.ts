import type { InvoiceNumber } from "./Invoice.ts"

/**
 * An invoice's number as it is printed; numbers of one year sort as texts up to 999 999.
 *
 * @example printedNumber({ year: 2027, number: 17 }) // "2027-000017"
 */
export const printedNumber = ({ number, year }: InvoiceNumber): string => `${year}-${String(number).padStart(6, "0")}`

/** The invoice number of a printed one; null for any other text. */
export const readInvoiceNumber = (text: string): InvoiceNumber | null => {
  const parts = /^(20\d{2})-(\d{6,9})$/.exec(text)
  const id = parts === null ? null : { year: Number(parts[1]), number: Number(parts[2]) }
  return id !== null && id.number > 0 && printedNumber(id) === text ? id : null
}
