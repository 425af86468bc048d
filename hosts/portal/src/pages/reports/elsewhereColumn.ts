import { elsewhereBy, ElsewhereReceipts, type SalesAndRefunds, TaxpayerId, type TurnoverGrouping, type TurnoverQuery } from "@overa/domain"
import { BigDecimal, Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"

/** What other ESIRs have issued, by the group of a report's row. It is a column of its own and in no other. */
export interface ElsewhereColumn {
  readonly title: string
  readonly of: (row: Pick<SalesAndRefunds, "group">) => BigDecimal.BigDecimal | null
  readonly total: BigDecimal.BigDecimal
  /** The report's rows, and empty ones for times in which only another ESIR has issued. */
  readonly withRows: (rows: ReadonlyArray<SalesAndRefunds>) => ReadonlyArray<SalesAndRefunds>
}

const zero = BigDecimal.make(0n, 2)
const emptySide = (group: SalesAndRefunds["group"]): SalesAndRefunds["net"] => ({ group, receipts: 0, gross: zero, payments: [], taxes: [], advanceApplied: zero })
const emptyRow = (group: SalesAndRefunds["group"]): SalesAndRefunds => ({ group, sales: emptySide(group), refunds: emptySide(group), net: emptySide(group) })

/** Of a receipt issued elsewhere neither premise nor cashier is known: only reports over all, by day and by month have the column. */
const lettersOf = (groupBy: ReadonlyArray<TurnoverGrouping>): 0 | 7 | 10 | null => {
  if (groupBy.length === 0) return 0
  if (groupBy.length > 1) return null
  return groupBy[0] === "day" ? 10 : groupBy[0] === "month" ? 7 : null
}

/** The column of a report; null where the report is of a premise or grouped by what is not known, and where nothing was issued elsewhere. */
export const elsewhereColumn = Effect.fnUntraced(function*(visit: MemberVisit, query: TurnoverQuery) {
  const letters = lettersOf(query.groupBy)
  if (letters === null || query.businessPremiseId !== null || query.pfr.from === null) return null
  const days = yield* (yield* ElsewhereReceipts).days(visit.tenant, { taxpayerId: query.taxpayerId === null ? null : TaxpayerId.make(query.taxpayerId), pfrFrom: query.pfr.from, pfrTo: query.pfr.to, pfrNumber: null })
  if (days.length === 0) return null
  const sums = elsewhereBy(days, letters)
  const [name] = query.groupBy
  const keyOf = ({ group }: Pick<SalesAndRefunds, "group">): string => name === undefined ? "" : group[name] ?? ""
  return {
    title: visit.say("Код другог ЕСИР-а, RSD", "Issued elsewhere, RSD"),
    of: (row) => sums.get(keyOf(row)) ?? null,
    total: BigDecimal.sumAll([...sums.values()]),
    withRows: (rows) => {
      const known = new Set(rows.map(keyOf))
      const more = [...sums.keys()].filter((key) => !known.has(key)).map((key) => emptyRow(name === undefined ? {} : { [name]: key }))
      return [...rows, ...more].toSorted((one, other) => keyOf(one) < keyOf(other) ? -1 : 1)
    }
  } satisfies ElsewhereColumn
})
