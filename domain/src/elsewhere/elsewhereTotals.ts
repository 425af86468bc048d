import { BigDecimal } from "effect"

/** Turnover issued elsewhere, of one Belgrade day; refunds are negative. It is shown beside our own turnover and never part of it. */
export interface ElsewhereDay {
  /** `2026-11-25`. */
  readonly day: string
  readonly receipts: number
  readonly sales: BigDecimal.BigDecimal
  readonly refunds: BigDecimal.BigDecimal
}

const zero = BigDecimal.make(0n, 2)

/** The sum of days by a part of their names: `10` letters are the day, `7` the month, `0` everything. */
export const elsewhereBy = (days: ReadonlyArray<ElsewhereDay>, letters: 0 | 7 | 10): ReadonlyMap<string, BigDecimal.BigDecimal> => {
  const sums = new Map<string, BigDecimal.BigDecimal>()
  for (const { day, refunds, sales } of days) {
    const key = day.slice(0, letters)
    sums.set(key, BigDecimal.sumAll([sums.get(key) ?? zero, sales, refunds]))
  }
  return sums
}
