import { BigDecimal } from "effect"
import type { Price, VatRate } from "./PriceList.ts"

const decimal = (text: string): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe(text.replace(",", "."))

/**
 * A price as a person enters it, with a point or a comma before at most two decimals; null for anything else. Thousands separators are refused:
 * `1.990` could be either.
 *
 * @example readPrice("1990,50") // 1990.50
 */
export const readPrice = (text: string): Price | null => /^\d{1,9}(?:[.,]\d{1,2})?$/.test(text) ? decimal(text) as Price : null

/** A rate of VAT in percent as a person enters it: `20`, `9,5`; null for anything else. */
export const readVatRate = (text: string): VatRate | null => /^\d{1,2}(?:[.,]\d{1,2})?$/.test(text) ? decimal(text) as VatRate : null
