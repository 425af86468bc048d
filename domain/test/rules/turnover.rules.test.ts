import { BigDecimal, DateTime, Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { InvoiceType } from "../../src/documents/InvoiceType.ts"
import type { PaymentType } from "../../src/documents/LineItem.ts"
import { apportion, countsAsTurnover, spread, turnoverReceipt } from "../../src/journal/turnoverParts.ts"
import { readTurnoverQuery, turnover, TurnoverGrouping, type TurnoverRow, turnoverSummary } from "../../src/journal/turnover.ts"
import { salesAndRefunds } from "../../src/journal/salesAndRefunds.ts"
import { turnoverCsv, turnoverSheet } from "../../src/journal/turnoverSheet.ts"
import { roundToPara, totalAmount } from "../../src/money/rounding.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { PfrTime } from "../../src/time/PfrTime.ts"
import { journalHistory, journalOperation } from "../arbitraries/JournalOperation.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import { decimal, lineOf } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const groupBy = fc.uniqueArray(fc.constantFrom(...TurnoverGrouping.literals), { maxLength: 6 })
const sum = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): BigDecimal.BigDecimal => BigDecimal.sumAll(amounts)
const equal = BigDecimal.equals

/** The condition of what counts, written a second time in the simplest form: receipts, of goods or advances. */
const counts = ({ status, content: { invoiceType } }: Operation): boolean =>
  status === "FISCALIZED" && ["NORMAL", "ADVANCE"].includes(invoiceType)
const signed = ({ content }: Operation, amount: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  content.transactionType === "REFUND" ? BigDecimal.negate(amount) : amount

const grossOf = (rows: ReadonlyArray<TurnoverRow>): BigDecimal.BigDecimal => sum(rows.map((row) => row.gross))
const paidOf = (rows: ReadonlyArray<TurnoverRow>, type: PaymentType): BigDecimal.BigDecimal =>
  sum(rows.flatMap((row) => row.payments).filter((payment) => payment.type === type).map((payment) => payment.amount))

rule("TURNOVER-1", {
  says: "Turnover is sales less refunds of Normal and Advance receipts; copies, proforma, training and whatever is no receipt never count.",
  source: "Decisions §5, Reports"
}, ({ holds }) => {
  holds("the gross is what was signed, whatever it is grouped by", { history: journalHistory, groupBy }, ({ history, groupBy: by }) => {
    const expected = sum(history.filter(counts).map((operation) => signed(operation, totalAmount(operation.content.items))))
    return equal(grossOf(turnover(history, by)), expected)
  })
  holds("one that does not count changes nothing", { history: journalHistory, groupBy, other: journalOperation },
    ({ history, groupBy: by, other }) =>
      counts(other) || JSON.stringify(plain(turnover([...history, other], by))) === JSON.stringify(plain(turnover(history, by))))
  holds("the order in which receipts come does not matter", { history: journalHistory, groupBy }, ({ history, groupBy: by }) =>
    JSON.stringify(plain(turnover(history.toReversed(), by))) === JSON.stringify(plain(turnover(history, by))))
})

rule("TURNOVER-2", {
  says: "In every row, whatever it is grouped by, gross is the sum of the payments and of what was applied from advances.",
  source: "Decisions §5, Reports"
}, ({ holds }) => {
  holds("over any history", { history: journalHistory, groupBy }, ({ history, groupBy: by }) =>
    turnover(history, by).every((row) => equal(row.gross, BigDecimal.sum(sum(row.payments.map((one) => one.amount)), row.advanceApplied))))
  holds("no payment and no applied advance is lost or doubled by grouping", { history: journalHistory, groupBy }, ({ history, groupBy: by }) => {
    const rows = turnover(history, by)
    const receipts = history.filter(counts)
    const advances = sum(receipts.map((one) => signed(one, one.content.advanceClosing?.totalAdvance ?? decimal("0"))))
    const paid = (type: PaymentType) =>
      sum(receipts.flatMap((one) => one.content.payments.filter((payment) => payment.type === type).map(({ amount }) => signed(one, amount))))
    return equal(sum(rows.map((row) => row.advanceApplied)), advances) &&
      (["CARD", "CASH", "OTHER", "VOUCHER"] as const).every((type) => equal(paidOf(rows, type), paid(type)))
  })
})

rule("TURNOVER-3", {
  says: "The tax of a label is the sum of the signed four-decimal amounts, rounded once per row.",
  source: "Decisions §5, Reports; V-PFR §6.3"
}, ({ holds, holdsForEvery }) => {
  holds("without a grouping it is the rounded sum over all receipts", { history: journalHistory }, ({ history }) => {
    const [row] = turnover(history, [])
    const taxOf = (label: string) =>
      roundToPara(sum(history.filter(counts).flatMap((one) =>
        (one.answer?.taxes ?? []).filter((tax) => tax.label === label).map((tax) => signed(one, tax.amount)))))
    return (row?.taxes ?? []).every((tax) => equal(tax.amount, taxOf(tax.label)))
  })
  const grouped: ReadonlyArray<{ by: ReadonlyArray<TurnoverGrouping>; taxes: string }> = [
    { by: [], taxes: "0.01" },
    { by: ["day"], taxes: "0.01" },
    { by: ["cashier"], taxes: "0.01,0" }
  ]
  holdsForEvery("two receipts of one cashier and one of another, taxed 0.0030 each, are rounded row by row", grouped, ({ by, taxes }) => {
    const receipts = ["ana", "ana", "Бојан"].map((cashier) => receiptOf("2026-08-29T12:00:00+02:00", { cashier }))
    return turnover(receipts, by).map((row) => BigDecimal.format(row.taxes[0]?.amount ?? decimal("9"))).join() === taxes
  })
})

rule("TURNOVER-4", {
  says: "Days and months are those of Belgrade at the signing time of the receipt.",
  source: "Decisions §1 (time), §5 Reports"
}, ({ holdsForEvery }) => {
  const times = [
    { signedAt: "2026-12-31T23:59:59.9999999+01:00", day: "2026-12-31", month: "2026-12" },
    { signedAt: "2027-01-01T00:00:00.0000000+01:00", day: "2027-01-01", month: "2027-01" },
    { signedAt: "2026-12-31T23:00:00Z", day: "2027-01-01", month: "2027-01" },
    { signedAt: "2026-08-31T21:59:59Z", day: "2026-08-31", month: "2026-08" },
    { signedAt: "2026-08-31T22:00:00Z", day: "2026-09-01", month: "2026-09" }
  ]
  const changes = [
    // The day of 23 hours, on which 02:00 is 03:00.
    { signedAt: "2026-03-28T22:59:59Z", day: "2026-03-28", month: "2026-03" },
    { signedAt: "2026-03-28T23:00:00Z", day: "2026-03-29", month: "2026-03" },
    { signedAt: "2026-03-29T01:59:59+01:00", day: "2026-03-29", month: "2026-03" },
    { signedAt: "2026-03-29T03:00:00+02:00", day: "2026-03-29", month: "2026-03" },
    { signedAt: "2026-03-29T21:59:59Z", day: "2026-03-29", month: "2026-03" },
    { signedAt: "2026-03-29T22:00:00Z", day: "2026-03-30", month: "2026-03" },
    // The day of 25 hours, on which 02:30 occurs twice.
    { signedAt: "2026-10-24T21:59:59Z", day: "2026-10-24", month: "2026-10" },
    { signedAt: "2026-10-24T22:00:00Z", day: "2026-10-25", month: "2026-10" },
    { signedAt: "2026-10-25T02:30:00+02:00", day: "2026-10-25", month: "2026-10" },
    { signedAt: "2026-10-25T02:30:00+01:00", day: "2026-10-25", month: "2026-10" },
    { signedAt: "2026-10-25T22:59:59Z", day: "2026-10-25", month: "2026-10" },
    { signedAt: "2026-10-25T23:00:00Z", day: "2026-10-26", month: "2026-10" }
  ]
  holdsForEvery("on both days on which the clocks change", changes, ({ signedAt, day, month }) =>
    JSON.stringify(turnover([receiptOf(signedAt, {})], ["month", "day"])[0]?.group) === JSON.stringify({ month, day }))
  holdsForEvery("around midnight, in winter and in summer", times, ({ signedAt, day, month }) =>
    JSON.stringify(turnover([receiptOf(signedAt, {})], ["month", "day"])[0]?.group) === JSON.stringify({ month, day }))
})

rule("TURNOVER-5", {
  says: "A receipt paid in several ways or taxed under several labels is divided in proportion, to the para; what was applied from an " +
    "advance is nobody's payment.",
  source: "Decisions §5, Reports; §10"
}, ({ holds, holdsForEvery }) => {
  const money = fc.bigInt({ min: 0n, max: 10n ** 14n })
  holds("parts of a whole sum to it, and none is negative", { whole: money, weights: fc.array(money, { minLength: 1, maxLength: 6 }) },
    ({ whole, weights }) => {
      const parts = apportion(whole, weights)
      return parts.reduce((total, part) => total + part, 0n) === whole && parts.every((part) => part >= 0n)
    })
  holds("a table's rows and columns both keep their sums", { rows: fc.array(money, { minLength: 1, maxLength: 5 }), cut: money },
    ({ rows, cut }) => {
      const total = rows.reduce((sumSoFar, row) => sumSoFar + row, 0n)
      const first = cut % (total + 1n)
      const table = spread(rows, [first, total - first])
      return table.every((parts, at) => (parts[0] ?? 0n) + (parts[1] ?? 0n) === rows[at] && parts.every((part) => part >= 0n)) &&
        table.reduce((column, parts) => column + (parts[0] ?? 0n), 0n) === first
    })
  const groupings = [
    { by: "paymentType", rows: "null 50, CARD 70, CASH 30" },
    { by: "taxLabel", rows: "Е 50, Ђ 100" },
    { by: "premise", rows: "01900002-0000-7000-8000-000000000001 150" }
  ] as const
  holdsForEvery("goods of 150.00 against an advance of 50.00, 70.00 by card and 30.00 in cash", groupings, ({ by, rows }) =>
    turnover([closing], [by]).map((row) => `${String(row.group[by])} ${BigDecimal.format(row.gross)}`).sort().join(", ") ===
      rows.split(", ").toSorted().join(", "))
})

rule("TURNOVER-6", {
  says: "Taxpayer and premise are UUIDs, the times full ones in order, and the groupings those of the report, each counting once.",
  source: "Decisions §5, Reports; §10 (query keys)"
}, ({ holdsForEvery }) => {
  const premise = "01900002-0000-7000-8000-00000000000A"
  const queries: ReadonlyArray<{ query: Record<string, ReadonlyArray<string>>; says: string }> = [
    { query: {}, says: "" },
    { query: { groupBy: ["day", "cashier", "day"] }, says: "day,cashier" },
    { query: { businessPremiseId: [premise], groupBy: ["premise"] }, says: "premise" },
    { query: { groupBy: ["week"] }, says: "GroupBy" },
    { query: { taxpayerId: ["7"], pfrFrom: ["2026-08-29"] }, says: "TaxpayerId,PfrFrom" },
    { query: { pfrFrom: ["2026-08-29T00:00:00Z"], pfrTo: ["2026-08-28T00:00:00Z"] }, says: "PfrTo" },
    { query: { pfrFrom: ["soon"], createdFrom: ["2026-08-29T00:00:00Z"], createdTo: ["2026-08-28T00:00:00Z"] }, says: "PfrFrom,CreatedTo" }
  ]
  holdsForEvery("each query is read, or refused with its faults", queries, ({ query, says }) => {
    const read = readTurnoverQuery(query)
    if (Result.isFailure(read)) return read.failure.faults.map((fault) => fault.key).join() === says
    return read.success.groupBy.join() === says && (query["businessPremiseId"] === undefined ||
      read.success.businessPremiseId === premise.toLowerCase())
  })
})

rule("TURNOVER-7", {
  says: "A saved report has every number of the report in a column of its own, and no text in it runs as a formula.",
  source: "Decisions §5, Reports; Decisions §11"
}, ({ holds }) => {
  const premiseName = () => "=Веб"
  holds("as many rows as the report, all of one width, each amount under its payment type and label", { history: journalHistory, groupBy }, ({ history, groupBy: by }) => {
    const { rows } = salesAndRefunds(history, by)
    const [head = [], ...sheet] = turnoverCsv(turnoverSheet(rows, { groupBy: by, premiseName }))
    const cell = (row: number, name: string) => sheet[row]?.[head.indexOf(name)]
    return sheet.length === rows.length && sheet.every((cells) => cells.length === head.length) &&
      rows.every(({ net, refunds, sales }, at) =>
        equal(decimal(cell(at, "net") ?? ""), net.gross) &&
        equal(decimal(cell(at, "sales") ?? ""), sales.gross) && cell(at, "sales.receipts") === String(sales.receipts) &&
        equal(decimal(cell(at, "refunds") ?? ""), refunds.gross) && cell(at, "refunds.receipts") === String(refunds.receipts) &&
        net.payments.every(({ amount, type }) => equal(decimal(cell(at, `payment.${type}`) ?? ""), amount)) &&
        net.taxes.every(({ amount, label }) => equal(decimal(cell(at, `tax.${label}`) ?? ""), amount)))
  })
  holds("names of premises and ids of cashiers stay text", { history: journalHistory }, ({ history }) => {
    const operations = history.map((it) => ({ ...it, content: { ...it.content, cashier: { id: "+1", displayName: null } } }))
    const [head = [], ...sheet] = turnoverCsv(turnoverSheet(salesAndRefunds(operations, ["premise", "cashier"]).rows, { groupBy: ["premise", "cashier"], premiseName }))
    return sheet.every((cells) => cells[head.indexOf("premiseName")] === "'=Веб" && cells[head.indexOf("cashier")] === "'+1")
  })
})

rule("TURNOVER-8", {
  says: "A receipt counts once in every row it has a part of; labels in any order are one set; each tax stays with what its label taxes, and a tax whose " +
    "label is on no line is spread over all.",
  source: "Decisions §5, Reports; V-PFR §6.3"
}, ({ holds, holdsForEvery }) => {
  holds("without a grouping there is one row with all that count", { history: journalHistory }, ({ history }) =>
    (turnover(history, [])[0]?.receipts ?? 0) === history.filter(counts).length)
  holds("grouped by document, each of them once", { history: journalHistory, groupBy }, ({ history, groupBy: by }) =>
    turnover(history, by).every((row) => row.receipts >= 1 && row.receipts <= history.filter(counts).length))
  const statuses = DocumentStatus.literals.flatMap((status) => InvoiceType.literals.map((invoiceType) => ({ status, invoiceType })))
  holdsForEvery("every status and kind", statuses, ({ invoiceType, status }) => {
    const operation = { ...sale, status, content: { ...sale.content, invoiceType } }
    const isTurnover = status === "FISCALIZED" && (invoiceType === "NORMAL" || invoiceType === "ADVANCE")
    return countsAsTurnover(operation) === isTurnover && turnover([operation], []).length === (isTurnover ? 1 : 0)
  })
  const taxed = (taxes: ReadonlyArray<readonly [string, string]>): Operation => ({
    ...sale,
    content: {
      ...sale.content,
      items: [lineOf("30", "1", { taxLabels: ["P", "A"] }), lineOf("10", "1", { taxLabels: ["Е"] }), lineOf("20", "1", { taxLabels: ["A", "P"] })],
      payments: [{ type: "CARD", amount: decimal("60") }]
    },
    answer: { ...signedAnswer, taxes: taxes.map(([label, amount]) => ({ label, category: "ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal(amount) })) }
  })
  const rows = [
    { taxes: [["A", "6.0000"], ["Е", "1.0000"]], told: "A, P 50 A 6|Е 10 Е 1" },
    { taxes: [["Ж", "6.0000"]], told: "A, P 50 Ж 5|Е 10 Ж 1" }
  ] as const
  holdsForEvery("two lines of one set of labels, one of another", rows, ({ taxes, told }) =>
    turnover([taxed(taxes)], ["taxLabel"]).map((row) =>
      `${row.group.taxLabel} ${BigDecimal.format(row.gross)} ${row.taxes.map(({ amount, label }) => `${label} ${BigDecimal.format(amount)}`).join()}`
    ).join("|") === told)
  holdsForEvery("what weighs nothing is given to the first", [[0n, 0n], [0n, 0n, 0n]], (weights) => apportion(5n, weights).join() === [5n, ...weights.slice(1)].join())
  holdsForEvery("what a store summed up is the same report", [[closing, sale, receiptOf("2026-08-30T12:00:00+02:00", { cashier: "Бојан" })]], (operations) => {
    const by = ["cashier", "paymentType"] as const
    const summary = turnoverSummary(by)
    for (const operation of operations) {
      const seen = new Set<string>()
      for (const { paras, paymentType, taxes } of turnoverReceipt(operation)?.parts ?? []) {
        summary.addSummed({ group: { paymentType, cashier: operation.content.cashier.id }, receipts: seen.has(String(paymentType)) ? 0 : 1, paymentType, paras, taxes })
        seen.add(String(paymentType))
      }
    }
    return JSON.stringify(plain([...summary.rows()])) === JSON.stringify(plain(turnover(operations, by)))
  })
  holdsForEvery("a group that a store did not name is null", ["day"] as const, (by) => {
    const summary = turnoverSummary([by])
    summary.addSummed({ group: {}, receipts: 2, paymentType: "CARD", paras: 5n, taxes: new Map() })
    const [row] = summary.rows()
    return JSON.stringify(row?.group) === JSON.stringify({ [by]: null }) && row?.receipts === 2
  })
  holdsForEvery("a premise is named by its id, labels stand in their order, ids are in lower case", ["01900002-0000-7000-8000-00000000000A"], (id) => {
    const sheet = turnoverSheet(salesAndRefunds([taxed([["Е", "1"], ["A", "6"]])], ["premise"]).rows, { groupBy: ["premise"], premiseName: (premise) => `of ${premise}` })
    const query = readTurnoverQuery({ taxpayerId: [id] })
    return sheet.rows[0]?.[1] === `of ${String(sheet.rows[0]?.[0])}` && sheet.titles.slice(-2).join() === "tax.A,tax.Е" &&
      Result.isSuccess(query) && query.success.taxpayerId === id.toLowerCase() && query.success.businessPremiseId === null
  })
})

const plain = (rows: ReadonlyArray<TurnoverRow>): unknown =>
  rows.map((row) => [
    row.group,
    row.receipts,
    BigDecimal.format(row.gross),
    BigDecimal.format(row.advanceApplied),
    row.payments.map((payment) => [payment.type, BigDecimal.format(payment.amount)]),
    row.taxes.map((tax) => [tax.label, BigDecimal.format(tax.amount)])
  ])

function receiptOf(signedAt: string, { cashier = "ana" }: { readonly cashier?: string }): Operation {
  const base = operationOf({ status: "FISCALIZED", createdAt: DateTime.makeUnsafe("2026-08-29T10:00:00Z") })
  const taxes = [{ label: "Ђ", category: "О-ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal("0.0030") }]
  return {
    ...base,
    content: { ...base.content, cashier: { id: cashier, displayName: null } },
    answer: { ...signedAnswer, pfr: { ...signedAnswer.pfr, sdcTime: PfrTime.make(signedAt) }, taxes }
  }
}

const sale = receiptOf("2026-08-29T12:00:00+02:00", {})
const closing: Operation = {
  ...sale,
  content: {
    ...sale.content,
    items: [lineOf("100", "1"), lineOf("50", "1", { taxLabels: ["Е"] })],
    payments: [{ type: "CARD", amount: decimal("70") }, { type: "CASH", amount: decimal("30") }],
    advanceClosing: {
      lastAdvanceNumber: "AAAA1111-AAAA1111-1",
      lastAdvanceTime: "2026-08-01T12:00:00+02:00",
      totalAdvance: decimal("50"),
      taxOnAdvance: decimal("8.33"),
      remaining: decimal("100")
    }
  }
}
