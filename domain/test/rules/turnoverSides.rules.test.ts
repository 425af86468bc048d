import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { turnover, TurnoverGrouping, type TurnoverRow } from "../../src/journal/turnover.ts"
import { salesAndRefunds, type SidesReport, sidesSummary } from "../../src/journal/salesAndRefunds.ts"
import { turnoverReceipt } from "../../src/journal/turnoverParts.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { journalHistory } from "../arbitraries/JournalOperation.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import { rule } from "./ruleBook.ts"

const groupBy = fc.uniqueArray(fc.constantFrom(...TurnoverGrouping.literals), { maxLength: 6 })
const equal = BigDecimal.equals
const grossOf = (rows: ReadonlyArray<TurnoverRow>): BigDecimal.BigDecimal => BigDecimal.sumAll(rows.map((row) => row.gross))
const sale = operationOf({ status: "FISCALIZED", answer: signedAnswer })

const plain = (row: TurnoverRow): unknown => [
  row.receipts,
  BigDecimal.format(row.gross),
  BigDecimal.format(row.advanceApplied),
  row.payments.map(({ amount, type }) => [type, BigDecimal.format(amount)]),
  row.taxes.map(({ amount, label }) => [label, BigDecimal.format(amount)])
]
const told = ({ rows, whole }: SidesReport): string =>
  JSON.stringify([...rows, whole].map((row) => row === null ? null : [row.group, plain(row.sales), plain(row.refunds), plain(row.net)]))

rule("TURNOVER-9", {
  says: "Sales and refunds are counted each on its own: sales are what was sold, refunds what was given back, and the two sum to the net turnover.",
  source: "Decisions §5, Reports"
}, ({ holds, holdsForEvery }) => {
  const isRefund = ({ content }: Operation): boolean => content.transactionType === "REFUND"
  holds("each side is the turnover of its documents alone, and both sum to the net", { history: journalHistory, groupBy }, ({ history, groupBy: by }) => {
    const { rows } = salesAndRefunds(history, by)
    const sold = turnover(history.filter((it) => !isRefund(it)), by)
    const given = turnover(history.filter(isRefund), by)
    const sides = [[sold, rows.map(({ sales }) => sales)], [given, rows.map(({ refunds }) => refunds)], [turnover(history, by), rows.map(({ net }) => net)]] as const
    return rows.every(({ net, refunds, sales }) => equal(BigDecimal.sum(sales.gross, refunds.gross), net.gross) && sales.receipts + refunds.receipts === net.receipts) &&
      sides.every(([alone, told]) => equal(grossOf(alone), grossOf(told)) && alone.every((row) => told.some((it) =>
        JSON.stringify(it.group) === JSON.stringify(row.group) && it.receipts === row.receipts && equal(it.gross, row.gross))))
  })
  holds("what a store summed up is the same: everything once, its refunds once more", { history: journalHistory, groupBy }, ({ history, groupBy: by }) => {
    const summary = sidesSummary(by)
    for (const operation of history) {
      const receipt = turnoverReceipt(operation)
      const seen = new Set<string>()
      for (const part of receipt?.parts ?? []) {
        const all = { ...receipt, ...part }
        const group = Object.fromEntries(by.map((grouping) => [grouping, all[grouping] ?? null]))
        const key = JSON.stringify(group)
        const parts = { ...part, group, receipts: seen.has(key) ? 0 : 1, receiptsOfWhole: seen.size === 0 ? 1 : 0 }
        seen.add(key)
        summary.addNet(parts)
        if (isRefund(operation)) summary.addRefunds(parts)
      }
    }
    return told({ rows: [...summary.rows()], whole: summary.whole() }) === told(salesAndRefunds(history, by))
  })
  holds("the total is the report that is not grouped, whatever this one is grouped by", { history: journalHistory, groupBy }, ({ history, groupBy: by }) => {
    const [alone] = salesAndRefunds(history, []).rows
    return told({ rows: [], whole: salesAndRefunds(history, by).whole }) === told({ rows: [], whole: alone ?? null })
  })
  const back = { ...sale, content: { ...sale.content, transactionType: "REFUND" as const } }
  holdsForEvery("a sale, and its refund whole: nothing is left, and both are told", [[sale, back]], (operations) =>
    salesAndRefunds(operations, []).rows.map(({ net, refunds, sales }) =>
      [sales.receipts, refunds.receipts, net.receipts, BigDecimal.format(net.gross), BigDecimal.isPositive(sales.gross), BigDecimal.isNegative(refunds.gross)].join()).join("|") ===
      "1,1,2,0,true,true")
})
