import { BigDecimal, DateTime } from "effect"
import * as fc from "fast-check"
import { type BookLine, bookLine } from "../../src/books/BookLine.ts"
import { firstMonthToMail, isMonthMailDue, lastMonthToMail, monthMailDueAt, monthMailWaitsUntil } from "../../src/books/monthMail.ts"
import { type BookSums, lineSums, netOf, openAdvances, paymentRows, rateRows, sumOf } from "../../src/books/monthBook.ts"
import { dayFigures, incomeDays, popdvFigures } from "../../src/books/vatFigures.ts"
import { turnover } from "../../src/journal/turnover.ts"
import { roundToPara } from "../../src/money/rounding.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { taxByLabel, totalTax } from "../../src/tax/taxByLabel.ts"
import { belgradeTime } from "../../src/time/belgradeTime.ts"
import { type CalendarMonth, monthRange, monthsLater } from "../../src/time/CalendarMonth.ts"
import { month as anyMonth } from "../arbitraries/Billing.ts"
import { journalHistory } from "../arbitraries/JournalOperation.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import { decimal, lineOf } from "../arbitraries/SaleLine.ts"
import { everyRate, receiptOf, taxedReceipt } from "../arbitraries/TaxedReceipt.ts"
import { rule } from "./ruleBook.ts"

const equal = BigDecimal.equals
const linesOf = (history: ReadonlyArray<Operation>): ReadonlyArray<BookLine> => history.map(bookLine).filter((it) => it !== null)
const turnoverLines = (history: ReadonlyArray<Operation>): ReadonlyArray<BookLine> => linesOf(history).filter(({ kind }) => kind === "TURNOVER")
const isBalanced = ({ base, gross, tax }: BookSums): boolean => equal(BigDecimal.sum(base, tax), gross)

const receipt = (invoiceType: "NORMAL" | "ADVANCE", transactionType: "SALE" | "REFUND", lines: ReadonlyArray<readonly [price: string, label: string]>, taxes: ReadonlyArray<readonly [label: string, category: string, rate: string, amount: string]>): Operation => {
  const base = operationOf({ status: "FISCALIZED", answer: signedAnswer })
  const items = lines.map(([price, label]) => lineOf(price, "1", { taxLabels: [label] }))
  const total = BigDecimal.sumAll(lines.map(([price]) => decimal(price)))
  return {
    ...base,
    content: { ...base.content, invoiceType, transactionType, items, payments: [{ type: "CARD", amount: total }] },
    answer: { ...signedAnswer, taxes: taxes.map(([label, category, rate, amount]) => ({ label, category, categoryType: 0, rate: decimal(rate), amount: decimal(amount) })) }
  }
}

rule("BOOKS-1", {
  says: "A month's book is what was signed: the plain sum of its list, of its table by rate, of its payments and of its days is the turnover, to the para.",
  source: "Decisions §5, Reports"
}, ({ holds }) => {
  holds("every table sums to the turnover report", { history: journalHistory }, ({ history }) => {
    const lines = turnoverLines(history)
    const [report] = turnover(history, [])
    const gross = report?.gross ?? decimal("0")
    const tables = [
      sumOf(lines.map(lineSums)).gross,
      sumOf(rateRows(lines).map(netOf)).gross,
      BigDecimal.sumAll(paymentRows(lines).flatMap(({ refunds, sales }) => [sales, refunds])),
      sumOf(dayFigures(lines).map(({ all }) => all)).gross,
      BigDecimal.sumAll(incomeDays(lines).map(({ income }) => income))
    ]
    return lines.length === (report?.receipts ?? 0) && tables.every((sum) => equal(sum, gross))
  })
  holds("the tax is the signed tax, exact, and rounds to the report's", { history: journalHistory }, ({ history }) => {
    const [report] = turnover(history, [])
    const told = (report?.taxes ?? []).map(({ label }) => {
      const signed = history.filter(({ content: { invoiceType }, status }) => status === "FISCALIZED" && (invoiceType === "NORMAL" || invoiceType === "ADVANCE")).flatMap(({ answer, content }) =>
        (answer?.taxes ?? []).filter((tax) => tax.label === label).map(({ amount }) => content.transactionType === "REFUND" ? BigDecimal.negate(amount) : amount))
      return BigDecimal.sumAll(signed)
    })
    const { tax } = sumOf(turnoverLines(history).map(lineSums))
    return equal(BigDecimal.sumAll(told), tax) && (report?.taxes ?? []).every(({ amount }, at) => equal(amount, roundToPara(told[at] ?? decimal("0"))))
  })
  holds("base and tax make up the gross in every row", { history: journalHistory }, ({ history }) => {
    const lines = turnoverLines(history)
    return [...lines.map(lineSums), ...rateRows(lines).flatMap(({ refunds, sales }) => [sales, refunds])].every(isBalanced)
  })
})

rule("BOOKS-2", {
  says: "Copies, proformas, training and what was rejected have sheets of their own; what is neither signed nor rejected is in none.",
  source: "Decisions §5, Reports"
}, ({ holds }) => {
  holds("each document is in the sheet of its kind", { history: journalHistory }, ({ history }) =>
    history.every((operation) => {
      const kind = bookLine(operation)?.kind ?? null
      const { content: { invoiceType }, status } = operation
      if (status === "REJECTED") return kind === "REJECTED"
      if (status !== "FISCALIZED") return kind === null
      return kind === (invoiceType === "NORMAL" || invoiceType === "ADVANCE" ? "TURNOVER" : invoiceType)
    }))
})

rule("BOOKS-3", {
  says: "The VAT overview has sales in 3.2, refunds in 3.6, advances less those given back or closed in 3.9, each by the rate that was signed; 3.8 and 3.10 are their sums.",
  source: "VAT law, articles 14, 16, 21 and 46; rulebook on VAT"
}, ({ holds, holdsForEvery }) => {
  const general = ["Ђ", "О-ПДВ", "20"] as const
  const special = ["Е", "П-ПДВ", "10"] as const
  const month = [
    receipt("NORMAL", "SALE", [["120", "Ђ"], ["110", "Е"], ["50", "Г"]], [[...general, "20.0000"], [...special, "10.0000"], ["Г", "О-ПДВ", "0", "0.0000"]]),
    receipt("NORMAL", "REFUND", [["12", "Ђ"]], [[...general, "2.0000"]]),
    receipt("ADVANCE", "SALE", [["60", "Ђ"]], [[...general, "10.0000"]]),
    receipt("ADVANCE", "REFUND", [["24", "Ђ"]], [[...general, "4.0000"]]),
    receipt("NORMAL", "SALE", [["109", "A"]], [["A", "VAT", "9", "9.0000"]])
  ]
  const expected = [
    ["3.2", "100/20", "100/10", "50/0", "100/9"],
    ["3.6", "-10/-2", "0/0", "0/0", "0/0"],
    ["3.8", "90/18", "100/10", "50/0", "100/9"],
    ["3.9", "30/6", "0/0", "0/0", "0/0"],
    ["3.10", "120/24", "100/10", "50/0", "100/9"]
  ]
  holdsForEvery("a month with every kind", [month], (documents) => {
    const figures = popdvFigures(linesOf(documents)).map(({ columns: { GENERAL, OTHER, SPECIAL, WITHOUT }, row }) =>
      [row, ...[GENERAL, SPECIAL, WITHOUT, OTHER].map(({ base, tax }) => `${BigDecimal.format(base)}/${BigDecimal.format(tax)}`)])
    return JSON.stringify(figures) === JSON.stringify(expected)
  })
  holds("the last row is everything that was signed, whatever its rates", { history: journalHistory }, ({ history }) => {
    const lines = turnoverLines(history)
    const last = popdvFigures(lines).at(-1)
    return equal(sumOf(Object.values(last?.columns ?? {})).gross, sumOf(lines.map(lineSums)).gross)
  })
})

rule("BOOKS-4", {
  says: "An advance is open at the month's end while its case has more in Advance Sales than in Advance Refunds.",
  source: "Decisions §5, Advance case"
}, ({ holds }) => {
  const paid = receipt("ADVANCE", "SALE", [["60", "Ђ"]], [["Ђ", "О-ПДВ", "20", "10.0000"]])
  const back = receipt("ADVANCE", "REFUND", [["60", "Ђ"]], [["Ђ", "О-ПДВ", "20", "10.0000"]])
  const cases = fc.array(fc.record({ sales: fc.integer({ min: 1, max: 4 }), refunds: fc.integer({ min: 0, max: 4 }) }), { maxLength: 5 })
  holds("any number of cases, in any order of their documents", { cases, turned: fc.boolean() }, ({ cases: all, turned }) => {
    const documents = all.flatMap(({ refunds, sales }, at) => [
      ...Array.from({ length: sales }, () => paid),
      ...Array.from({ length: Math.min(refunds, sales) }, () => back)
    ].flatMap((operation) => {
      const line = bookLine(operation)
      return line === null ? [] : [{ line, caseId: `case-${at}` }]
    }))
    const found = openAdvances(turned ? documents.toReversed() : documents)
    return all.every(({ refunds, sales }, at) => {
      const left = sales - Math.min(refunds, sales)
      const one = found.find(({ caseId }) => caseId === `case-${at}`)
      return left === 0 ? one === undefined : one !== undefined && equal(one.paid, decimal(String(left * 60))) && equal(one.tax, decimal(String(left * 10)))
    })
  })
})

rule("BOOKS-5", {
  says: "A month is sent by mail on the second day of the next month at 7 in Belgrade, a day and more after its end; while an outcome of the month is unknown, on the fifth day. Each month is due once, whenever one asks.",
  source: "Decisions §1, DateTime; Decisions §4, Resolution"
}, ({ holds, holdsForEvery }) => {
  const millis = DateTime.toEpochMillis
  const instant = fc.tuple(anyMonth, fc.oneof(fc.integer({ min: -90, max: 90 }).map((hours) => hours * 3_600_000), fc.integer({ min: -40 * 86_400_000, max: 40 * 86_400_000 })))
    .map(([month, away]) => DateTime.makeUnsafe(millis(monthRange(month).to) + away))
  holds("on the second and the fifth day at 7 by the clock on the wall, over every end of a month", { month: anyMonth }, ({ month }) => {
    const next = monthsLater(month, 1)
    return {
      "the second day": belgradeTime(monthMailDueAt(month)).slice(0, 19) === `${next}-02T07:00:00`,
      "the fifth day": belgradeTime(monthMailWaitsUntil(month)).slice(0, 19) === `${next}-05T07:00:00`,
      "a day after the end": millis(monthMailDueAt(month)) - millis(monthRange(month).to) >= 86_400_000,
      "before the month after is over": millis(monthMailWaitsUntil(month)) < millis(monthRange(next).to)
    }
  })
  holdsForEvery("both changes of the clocks, the last days of March and October included", [
    ["2026-03", "2026-04-02T05:00:00.000Z"], ["2026-10", "2026-11-02T06:00:00.000Z"], ["2024-03", "2024-04-02T05:00:00.000Z"], ["2027-10", "2027-11-02T06:00:00.000Z"],
    ["2026-02", "2026-03-02T06:00:00.000Z"], ["2026-09", "2026-10-02T05:00:00.000Z"], ["2026-12", "2027-01-02T06:00:00.000Z"], ["2024-02", "2024-03-02T06:00:00.000Z"]
  ] as const, ([month, due]) => DateTime.formatIso(monthMailDueAt(month as CalendarMonth)) === due)
  holds("to the millisecond, and later where an outcome is unknown", { month: anyMonth, undecided: fc.integer({ min: 1, max: 9 }) }, ({ month, undecided }) => {
    const [due, latest] = [monthMailDueAt(month), monthMailWaitsUntil(month)]
    const before = (at: DateTime.Utc) => DateTime.subtract(at, { milliseconds: 1 })
    return isMonthMailDue(month, 0, due) && !isMonthMailDue(month, 0, before(due)) && !isMonthMailDue(month, undecided, before(latest)) && isMonthMailDue(month, undecided, latest)
  })
  holds("at every instant one month is the last one due and the next one is the first of who switches it on", { instant }, ({ instant: now }) => {
    const [first, last] = [firstMonthToMail(now), lastMonthToMail(now)]
    return monthsLater(last, 1) === first && isMonthMailDue(last, 0, now) && !isMonthMailDue(first, 0, now)
  })
})

rule("BOOKS-6", {
  says: "The table by rate has the base and the tax of each set of labels, also where a label stands alone on one line and with others on another.",
  source: "Decisions §5, Reports; V-PFR §6.2"
}, ({ holds, holdsForEvery }) => {
  const setOf = (labels: ReadonlyArray<string>): string => [...labels].sort().join(", ")
  holds("the tax of a set is that of its lines, but for the roundings of four decimals", { operation: taxedReceipt }, ({ operation }) => {
    const { items } = operation.content
    return (bookLine(operation)?.parts ?? []).every(({ base, gross, labels, tax }) => {
      const own = totalTax(taxByLabel(items.filter((item) => setOf(item.taxLabels) === labels), everyRate))
      const bound = BigDecimal.make(BigInt(4 * (4 * items.length + 1)), 4)
      return equal(BigDecimal.sum(base, tax), gross) && BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(tax, own)), bound)
    })
  })
  holdsForEvery("120.00 with A and 130.00 with A and B: a base of 100.00 each", [["A 100 20", "A, B 100 30"]], (expected) => {
    const items = [lineOf("120", "1", { taxLabels: ["A"] }), lineOf("130", "1", { taxLabels: ["B", "A"] })]
    const line = bookLine(receiptOf(items, taxByLabel(items, everyRate)))
    return (line?.parts ?? []).map(({ base, labels, tax }) => `${labels} ${BigDecimal.format(base)} ${BigDecimal.format(tax)}`).join("|") === expected.join("|")
  })
})
