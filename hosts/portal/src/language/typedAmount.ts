import { Dinars, plainPrice } from "@overa/domain"
import { BigDecimal, Option, Schema } from "effect"

const form = /^\d{1,12}(?:[.,]\d{1,2})?$/

const isDinars = Schema.is(Dinars)

/**
 * An amount as a person types it, with or without thousands; null where it is none, or may be two different ones (`1.000`).
 *
 * @example typedAmount("2.399,99") // 2399.99
 */
export const typedAmount = (text: string): BigDecimal.BigDecimal | null => {
  const plain = plainPrice(text)
  const found = form.test(plain) ? Option.getOrNull(BigDecimal.fromString(plain.replace(",", "."))) : null
  return found !== null && isDinars(found) ? found : null
}
