import { dayStart } from "../../language/belgradeDays.ts"
import { typedAmount } from "../../language/typedAmount.ts"

/** What a person means who types into one field. */
export type Typed =
  | { readonly _tag: "Text" }
  /** With two decimals; a minus means refunds. */
  | { readonly _tag: "Amount"; readonly amount: string; readonly isRefund: boolean }
  /** `2026-08-29`. */
  | { readonly _tag: "Day"; readonly day: string }

const withDecimals = /^(-?)([\d\s.,]*\d[.,]\d{2})(?:\s*(?:rsd|din\.?|дин\.?|рсд))?$/i
const typedDay = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\.?$/

/**
 * Reads an amount with its paras (`2.399,99`, `-150,00`) and a day (`31.1.2026.`); anything else is a text, a number without decimals among them: it may be a
 * receipt's counter, an order or a barcode.
 */
export const readTyped = (text: string): Typed => {
  const [, date = "", month = "", year = ""] = typedDay.exec(text) ?? []
  const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`
  if (dayStart(day) !== null) return { _tag: "Day", day }
  const [, minus, figures] = withDecimals.exec(text) ?? []
  return figures === undefined || typedAmount(figures) === null ? { _tag: "Text" } : { _tag: "Amount", amount: figures, isRefund: minus === "-" }
}
