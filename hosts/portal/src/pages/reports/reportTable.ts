import type { SalesAndRefunds } from "@overa/domain"
import { el, type Html } from "../../html/el.ts"
import { table } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { paymentWords } from "../receipts/receiptWords.ts"
import type { AskedReport } from "./askedReport.ts"
import type { ElsewhereColumn } from "./elsewhereColumn.ts"
import { groupingWords, groupTexts, type PremiseNames } from "./groupingWords.ts"
import { sideTitles } from "./sideWords.ts"

/** Rows of one page: a month by day. */
export const mostRows = 31

const lines = (entries: ReadonlyArray<readonly [name: string, value: string]>): Html =>
  entries.length === 0 ? "–" : el("ul", { class: "plain sums" }, entries.map(([name, value]) => el("li", {}, el("span", {}, name), " ", el("span", {}, value))))

const cellsOf = (visit: MemberVisit, { net, refunds, sales }: SalesAndRefunds): ReadonlyArray<Html> => [
  String(sales.receipts),
  amount(sales.gross),
  String(refunds.receipts),
  amount(refunds.gross),
  amount(net.gross),
  lines(net.payments.map((payment) => [paymentWords(visit.say, payment.type), amount(payment.amount)] as const)),
  amount(net.advanceApplied),
  lines(net.taxes.map((tax) => [tax.label, amount(tax.amount)] as const))
]

/** Rows of a report as a table; its last row is the total, summed and rounded on its own. */
export const reportTable = (
  visit: MemberVisit,
  report: { readonly rows: ReadonlyArray<SalesAndRefunds>; readonly whole: SalesAndRefunds | null; readonly asked: AskedReport; readonly premises: PremiseNames; readonly elsewhere: ElsewhereColumn | null }
): Html => {
  const { say } = visit
  const { asked: { groupBy }, elsewhere } = report
  const amountElsewhere = (sum: ReturnType<ElsewhereColumn["of"]>): ReadonlyArray<Html> => elsewhere === null ? [] : [sum === null ? "–" : amount(sum)]
  const heads = [
    ...groupBy.map((grouping) => groupingWords(say, grouping)),
    ...sideTitles(say),
    say("Плаћено, нето", "Paid, net"),
    say("Из аванса", "From advances"),
    say("Порез, нето", "Tax, net"),
    ...(elsewhere === null ? [] : [elsewhere.title])
  ]
  const total = groupBy.length === 0 || report.whole === null ? null : [
    el("strong", {}, say("Укупно", "Total")),
    ...groupBy.slice(1).map(() => ""),
    ...cellsOf(visit, report.whole),
    ...amountElsewhere(elsewhere?.total ?? null)
  ]
  return table(
    heads,
    report.rows.map((row) => [...groupTexts(say, row, groupBy, report.premises), ...cellsOf(visit, row), ...amountElsewhere(elsewhere?.of(row) ?? null)]),
    {
      ...(total === null ? {} : { total }),
      caption: say("Промет", "Turnover"),
      empty: say("У овом периоду нема промета.", "There is no turnover in this time."),
      numbers: [0, 1, 2, 3, 4, 6, 8].map((column) => groupBy.length + column)
    }
  )
}
