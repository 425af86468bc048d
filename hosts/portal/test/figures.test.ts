import type { TurnoverRow } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { assert, describe, it } from "vitest"
import { compare } from "../src/pages/start/figures.ts"

const row = (day: string, receipts: number, gross: string): TurnoverRow => ({
  group: { day },
  receipts,
  gross: BigDecimal.fromStringUnsafe(gross),
  payments: [],
  taxes: [],
  advanceApplied: BigDecimal.fromStringUnsafe("0")
})

describe("the figures of the overview", () => {
  // One o'clock in Belgrade on the first of March is still February in UTC.
  const rows = [row("2026-02-01", 2, "10"), row("2026-02-28", 3, "5.5"), row("2026-03-01", 1, "-4")]
  const refunds = [["2026-02-28", "2"], ["2026-03-01", "4"]].map(([day = "", amount = ""]) => ({ day, receipts: 1, amount: BigDecimal.fromStringUnsafe(amount) }))

  it("compare days and months of Belgrade", () => {
    const { days, month, monthBefore, today, untilSameDay } = compare(DateTime.makeUnsafe("2026-02-28T23:30:00Z"), rows, refunds)
    const shown = [today, month, untilSameDay, monthBefore].map((it) =>
      [it.saleReceipts, BigDecimal.format(it.sales), it.refundReceipts, BigDecimal.format(it.refunds), BigDecimal.format(it.net)])
    // The last of February: three receipts of 5.5 together, of which one gave 2 back, so two sold 7.5.
    assert.deepStrictEqual(shown, [[0, "0", 1, "-4", "-4"], [0, "0", 1, "-4", "-4"], [2, "10", 0, "0", "10"], [4, "17.5", 1, "-2", "15.5"]])
    assert.deepStrictEqual([days.length, days[0]?.day, days.at(-1)?.day], [29, "2026-02-01", "2026-03-01"])
  })

  it("leave no day out where the clocks change", () => {
    const of = (now: string) => compare(DateTime.makeUnsafe(now), [], []).days.map(({ day }) => day)
    for (const [now, count] of [["2026-03-31T12:00:00Z", 59], ["2026-11-30T22:59:00Z", 61], ["2027-01-01T00:00:00Z", 32]] as const) {
      const days = of(now)
      assert.strictEqual(days.length, count, now)
      assert.strictEqual(new Set(days).size, count)
    }
  })
})
