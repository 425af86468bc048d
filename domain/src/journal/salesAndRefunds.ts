import { BigDecimal } from "effect"
import type { TransactionType } from "../documents/InvoiceType.ts"
import { type SummedParts, type TurnoverGrouping, type TurnoverRow, turnoverSummary } from "./turnover.ts"
import type { TurnoverDocument } from "./turnoverParts.ts"

/**
 * One row of the turnover with its two sides counted on their own. Refunds have negative amounts, so in every column of money `sales` and `refunds` sum to
 * `net`; `net` is the row of the turnover report. Each tax is rounded once, so the tax of `net` may differ from that sum by a para.
 */
export interface SalesAndRefunds {
  readonly group: TurnoverRow["group"]
  readonly sales: TurnoverRow
  readonly refunds: TurnoverRow
  readonly net: TurnoverRow
}

/** A report of both sides. */
export interface SidesReport {
  /** Sorted by their groups. */
  readonly rows: ReadonlyArray<SalesAndRefunds>
  /** All rows together, where each receipt is counted once and each tax is rounded once. Null where there are no rows. */
  readonly whole: SalesAndRefunds | null
}

/** Summed parts of many receipts that belong to one group. `receiptsOfWhole` counts the receipts that had no part in the whole report before. */
export interface SidesParts extends SummedParts {
  readonly receiptsOfWhole: number
}

/** A report of both sides that is summed up in any order. */
export interface SidesSummary {
  readonly add: (document: TurnoverDocument) => void
  /** Sums of sales and refunds together. */
  readonly addNet: (parts: SidesParts) => void
  /** Sums of refunds that `addNet` has had too. */
  readonly addRefunds: (parts: SidesParts) => void
  /** How many rows it has so far; refunds add none. */
  readonly size: () => number
  /** Sorted by their groups; each is made when it is taken. */
  readonly rows: () => Iterable<SalesAndRefunds>
  readonly whole: () => SalesAndRefunds | null
}

const sideOf = (transactionType: TransactionType): "sales" | "refunds" => transactionType === "REFUND" ? "refunds" : "sales"

const negated = (parts: SummedParts): SummedParts => ({
  ...parts,
  receipts: -parts.receipts,
  paras: -parts.paras,
  taxes: new Map([...parts.taxes].map(([label, amount]) => [label, -amount]))
})

/** Parts that cancel each other leave an amount of 0 under a payment type or label that the side does not have. */
const withoutZeros = (row: TurnoverRow): TurnoverRow => ({
  ...row,
  payments: row.payments.filter(({ amount }) => !BigDecimal.isZero(amount)),
  taxes: row.taxes.filter(({ amount }) => !BigDecimal.isZero(amount))
})

/** The rows of one grouping. */
const sidesRows = (groupBy: ReadonlyArray<TurnoverGrouping>) => {
  const sides = { sales: turnoverSummary(groupBy), refunds: turnoverSummary(groupBy), net: turnoverSummary(groupBy) }
  const nothing = turnoverSummary([])
  nothing.addSummed({ group: {}, receipts: 0, paymentType: null, paras: 0n, taxes: new Map() })
  const [none] = nothing.rows()
  const rowOf = (side: "sales" | "refunds", group: TurnoverRow["group"]): TurnoverRow => {
    const row = sides[side].row(group)
    return row === null ? { ...none as TurnoverRow, group } : withoutZeros(row)
  }
  function* rows(): Iterable<SalesAndRefunds> {
    for (const net of sides.net.rows()) yield { group: net.group, sales: rowOf("sales", net.group), refunds: rowOf("refunds", net.group), net }
  }
  return {
    add: (document: TurnoverDocument): void => {
      sides.net.add(document)
      sides[sideOf(document.content.transactionType)].add(document)
    },
    addNet: (parts: SummedParts): void => {
      sides.net.addSummed(parts)
      sides.sales.addSummed(parts)
    },
    addRefunds: (parts: SummedParts): void => {
      sides.refunds.addSummed(parts)
      sides.sales.addSummed(negated(parts))
    },
    size: sides.net.size,
    rows
  }
}

const partsOfWhole = ({ receiptsOfWhole, ...parts }: SidesParts): SummedParts => ({ ...parts, group: {}, receipts: receiptsOfWhole })

/** An empty report; documents that are no turnover may be added and change nothing. */
export const sidesSummary = (groupBy: ReadonlyArray<TurnoverGrouping>): SidesSummary => {
  const [grouped, whole] = [sidesRows(groupBy), sidesRows([])]
  return {
    add: (document) => {
      grouped.add(document)
      whole.add(document)
    },
    addNet: (parts) => {
      grouped.addNet(parts)
      whole.addNet(partsOfWhole(parts))
    },
    addRefunds: (parts) => {
      grouped.addRefunds(parts)
      whole.addRefunds(partsOfWhole(parts))
    },
    size: grouped.size,
    rows: grouped.rows,
    whole: () => [...whole.rows()][0] ?? null
  }
}

/** Both sides of documents in memory. */
export const salesAndRefunds = (documents: Iterable<TurnoverDocument>, groupBy: ReadonlyArray<TurnoverGrouping>): SidesReport => {
  const summary = sidesSummary(groupBy)
  for (const document of documents) summary.add(document)
  return { rows: [...summary.rows()], whole: summary.whole() }
}
