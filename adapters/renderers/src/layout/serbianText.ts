import { formatDecimal, inThousands, roundToPara } from "@overa/domain"
import type { BigDecimal } from "effect"

/** An amount as receipts print it: `1.234,50` (V-PFR §8.1). */
export const serbianAmount = (amount: BigDecimal.BigDecimal): string => {
  const [whole = "", fraction = ""] = formatDecimal(roundToPara(amount), 2).split(".")
  return `${inThousands(whole)},${fraction}`
}

/** A PFR time's own digits as receipts print them: `31.12.2022. 9:05:07`; any other text is unchanged (V-PFR §8.1). */
export const serbianTime = (time: string): string => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})/.exec(time)
  if (parts === null) return time
  const [, year, month, day, hour, minute, second] = parts
  return `${day}.${month}.${year}. ${Number(hour)}:${minute}:${second}`
}
