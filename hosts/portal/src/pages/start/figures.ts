import { anyTime, belgradeDay, belgradeDayRange, belgradeMonth, belgradeMonthRange, DocumentCounts, JournalStore, type TurnoverRow, type DayOfRefunds } from "@overa/domain"
import { BigDecimal, DateTime, Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { type Past, PastDays } from "./PastDays.ts"

/** Sales and refunds of a period, each counted on its own. */
export interface Figures {
  readonly saleReceipts: number
  readonly sales: BigDecimal.BigDecimal
  readonly refundReceipts: number
  /** Negative: `sales` and `refunds` sum to `net`. */
  readonly refunds: BigDecimal.BigDecimal
  readonly net: BigDecimal.BigDecimal
}

/** The figures that an owner compares. */
export interface Comparison {
  readonly today: Figures
  readonly month: Figures
  /** The month before, up to the same day of the month. */
  readonly untilSameDay: Figures
  readonly monthBefore: Figures
  /** Net turnover by day since the month before began. */
  readonly days: ReadonlyArray<{ readonly day: string; readonly net: BigDecimal.BigDecimal }>
}

const figuresOf = (rows: ReadonlyArray<TurnoverRow>, back: ReadonlyArray<DayOfRefunds>, holds: (day: string) => boolean): Figures => {
  const counted = rows.filter(({ group }) => holds(group.day ?? ""))
  const refunded = back.filter(({ day }) => holds(day))
  const net = BigDecimal.sumAll(counted.map(({ gross }) => gross))
  const given = BigDecimal.sumAll(refunded.map(({ amount }) => amount))
  const refundReceipts = refunded.reduce((sum, { receipts }) => sum + receipts, 0)
  return {
    saleReceipts: counted.reduce((sum, { receipts }) => sum + receipts, 0) - refundReceipts,
    sales: BigDecimal.sum(net, given),
    refundReceipts,
    refunds: BigDecimal.negate(given),
    net
  }
}

/** Every day from the one to the other, both included. */
const daysBetween = (from: DateTime.Utc, to: DateTime.Utc): ReadonlyArray<string> => {
  const days: Array<string> = []
  // Noon, so that no change of the clocks skips a day.
  for (let at = DateTime.add(from, { hours: 12 }); DateTime.toEpochMillis(at) < DateTime.toEpochMillis(to) + 86_400_000; at = DateTime.add(at, { days: 1 })) {
    if (belgradeDay(at) > belgradeDay(to)) break
    days.push(belgradeDay(at))
  }
  return days
}

/** From days to the figures; pure, so that it can be tested. */
export const compare = (now: DateTime.Utc, rows: ReadonlyArray<TurnoverRow>, refunds: ReadonlyArray<DayOfRefunds>): Comparison => {
  const today = belgradeDay(now)
  const thisMonth = belgradeMonth(now)
  const since = belgradeMonthRange(DateTime.subtract(belgradeMonthRange(now).from, { hours: 12 })).from
  const of = (holds: (day: string) => boolean) => figuresOf(rows, refunds, holds)
  const netOf = new Map(rows.map((row) => [row.group.day, row.gross]))
  return {
    today: of((day) => day === today),
    month: of((day) => day.startsWith(thisMonth)),
    untilSameDay: of((day) => !day.startsWith(thisMonth) && day.slice(8) <= today.slice(8)),
    monthBefore: of((day) => !day.startsWith(thisMonth)),
    days: daysBetween(since, now).map((day) => ({ day, net: netOf.get(day) ?? BigDecimal.fromBigInt(0n) }))
  }
}

/** The days that the overview compares. */
export const comparedDays = (now: DateTime.Utc): Past & { readonly until: DateTime.Utc } => {
  const month = belgradeMonthRange(now)
  return {
    since: belgradeMonthRange(DateTime.subtract(month.from, { hours: 12 })).from,
    month: month.from,
    today: belgradeDayRange(now).from,
    until: month.to
  }
}

/** Today, this month and last month: past days from the cache, today read now. */
export const comparison = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const { until, ...past } = comparedDays(now)
  const range = { from: past.today, to: until }
  const [before, rows, refunds] = yield* Effect.all([
    (yield* PastDays).of(visit.tenant, past),
    (yield* JournalStore).turnover(visit.tenant, { taxpayerId: null, businessPremiseId: null, pfr: range, created: anyTime, groupBy: ["day"] }),
    (yield* DocumentCounts).refunds(visit.tenant, range)
  ], { concurrency: "unbounded" })
  return compare(now, [...before.rows, ...rows], [...before.refunds, ...refunds])
})

/** Documents of this month, today's among them (Spec, Limits). */
export const documentsThisMonth = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const { until, ...past } = comparedDays(now)
  const { documents } = yield* (yield* PastDays).of(visit.tenant, past)
  return documents + (yield* (yield* DocumentCounts).fiscalized(visit.tenant, { from: past.today, to: until }))
})
