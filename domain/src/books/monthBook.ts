import { BigDecimal } from "effect"
import type { PaymentType } from "../documents/LineItem.ts"
import type { Operation } from "../operations/Operation.ts"
import { type BookLine, type BookPart } from "./BookLine.ts"

/** Exact sums of documents. */
export interface BookSums {
  readonly receipts: number
  readonly base: BigDecimal.BigDecimal
  readonly tax: BigDecimal.BigDecimal
  readonly gross: BigDecimal.BigDecimal
}

/** Both sides of some documents; refunds are negative, so in every column of money the two sum to the net. */
export interface BookSides {
  readonly sales: BookSums
  readonly refunds: BookSums
}

/** The turnover of a premise under one set of labels at one rate. */
export interface RateRow extends BookSides {
  readonly premiseId: string
  readonly labels: string
  readonly rate: BigDecimal.BigDecimal | null
}

/** The payments of a premise; a null type is what was applied from advances. */
export interface PaymentRow {
  readonly premiseId: string
  readonly type: PaymentType | null
  readonly sales: BigDecimal.BigDecimal
  readonly refunds: BigDecimal.BigDecimal
}

const zero = BigDecimal.make(0n, 2)
export const noSums: BookSums = { receipts: 0, base: zero, tax: zero, gross: zero }

const plus = (sums: BookSums, { base, gross, tax }: Pick<BookPart, "base" | "gross" | "tax">, receipts = 1): BookSums => ({
  receipts: sums.receipts + receipts,
  base: BigDecimal.sum(sums.base, base),
  tax: BigDecimal.sum(sums.tax, tax),
  gross: BigDecimal.sum(sums.gross, gross)
})

/** Sums of documents and sums together. */
export const sumOf = (all: ReadonlyArray<BookSums>): BookSums => all.reduce((sums, one) => plus(sums, one, one.receipts), noSums)

/** What both sides sum to. */
export const netOf = ({ refunds, sales }: BookSides): BookSums => sumOf([sales, refunds])

/** The sums of one line. */
export const lineSums = ({ parts }: BookLine): BookSums => ({ ...parts.reduce((sums, part) => plus(sums, part, 0), noSums), receipts: 1 })

const sideOf = ({ transactionType }: BookLine): "sales" | "refunds" => transactionType === "REFUND" ? "refunds" : "sales"

/** Lines in groups of a name, with both sides of each group, sorted by the names. */
export const sidesBy = (lines: ReadonlyArray<BookLine>, nameOf: (line: BookLine) => string): ReadonlyArray<BookSides & { readonly name: string }> =>
  [...Map.groupBy(lines, nameOf)].toSorted(([one], [other]) => one < other ? -1 : 1).map(([name, some]) => {
    const of = (side: "sales" | "refunds") => sumOf(some.filter((line) => sideOf(line) === side).map(lineSums))
    return { name, sales: of("sales"), refunds: of("refunds") }
  })

const keyOf = (...parts: ReadonlyArray<unknown>): string => JSON.stringify(parts)

const byName = <Row>(rows: ReadonlyMap<string, Row>): ReadonlyArray<Row> => [...rows].toSorted(([one], [other]) => one < other ? -1 : 1).map(([, row]) => row)

/** Turnover by premise, labels and rate. A receipt taxed under several labels counts in each of its rows. */
export const rateRows = (lines: ReadonlyArray<BookLine>): ReadonlyArray<RateRow> => {
  const rows = new Map<string, RateRow>()
  for (const line of lines) {
    for (const part of line.parts) {
      const key = keyOf(line.premiseId, part.labels, part.rate === null ? null : BigDecimal.format(part.rate))
      const row = rows.get(key) ?? { premiseId: line.premiseId, labels: part.labels, rate: part.rate, sales: noSums, refunds: noSums }
      rows.set(key, { ...row, [sideOf(line)]: plus(row[sideOf(line)], part) })
    }
  }
  return byName(rows)
}

/** Payments by premise and type. */
export const paymentRows = (lines: ReadonlyArray<BookLine>): ReadonlyArray<PaymentRow> => {
  const rows = new Map<string, PaymentRow>()
  for (const line of lines) {
    for (const { amount, type } of line.payments) {
      const row = rows.get(keyOf(line.premiseId, type)) ?? { premiseId: line.premiseId, type, sales: zero, refunds: zero }
      rows.set(keyOf(line.premiseId, type), { ...row, [sideOf(line)]: BigDecimal.sum(row[sideOf(line)], amount) })
    }
  }
  return byName(rows)
}

/** An advance case that is open at the end of a month: what was paid in advance and not yet given back or applied. */
export interface OpenAdvance {
  readonly caseId: string
  readonly premiseId: string
  readonly clientReference: string
  readonly buyerId: string | null
  readonly firstNumber: string
  readonly firstAt: string
  readonly paid: BigDecimal.BigDecimal
  readonly tax: BigDecimal.BigDecimal
}

/**
 * The advances that are open after these Advance documents, in the order in which they were signed: a case whose Advance Sales are not yet undone by Advance
 * Refunds, of cancellations or of the closing. Source: Decisions §5, Advance case.
 */
export const openAdvances = (documents: ReadonlyArray<{ readonly line: BookLine; readonly caseId: Operation["id"] | string }>): ReadonlyArray<OpenAdvance> =>
  [...Map.groupBy(documents, ({ caseId }) => caseId)].flatMap(([caseId, some]): ReadonlyArray<OpenAdvance> => {
    const { gross, tax } = sumOf(some.map(({ line }) => lineSums(line)))
    const [first] = some.map(({ line }) => line).toSorted((one, other) => one.at < other.at ? -1 : 1)
    if (first === undefined || BigDecimal.isZero(gross)) return []
    const { at, buyerId, clientReference, number, premiseId } = first
    return [{ caseId, premiseId, clientReference, buyerId, firstNumber: number ?? "", firstAt: at, paid: gross, tax }]
  })
