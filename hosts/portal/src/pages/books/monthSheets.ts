import { type BookKind, type BookLine, type BookSheet, type BookSums, lineSums, type MonthBook, netOf, paymentRows, rateRows, type SheetCell, type SheetDate } from "@overa/domain"
import { BigDecimal } from "effect"
import type { Say } from "../../language/Language.ts"
import { invoiceTypeWords, paymentWords, transactionTypeWords } from "../receipts/receiptWords.ts"
import { sheetOf, type SheetWords } from "./sheetOf.ts"
import { vatSheets } from "./vatSheets.ts"

type Cells = ReadonlyArray<SheetCell | SheetDate>

const sumCells = ({ base, gross, tax }: BookSums): Cells => [base, tax, gross]

const sumTitles = (say: Say, side: string): ReadonlyArray<string> => [`${side}: ${say("основица", "base")}`, `${side}: ${say("порез", "tax")}`, `${side}: ${say("са порезом", "with tax")}`]

/** The three sides, in the words of every page. */
const sideNames = (say: Say) => [say("Продаја", "Sales"), say("Рефундације", "Refunds"), say("Нето промет", "Net turnover")] as const

const ratesSheet = ({ premiseName, say }: SheetWords, lines: ReadonlyArray<BookLine>): BookSheet => sheetOf(
  say("Промет по стопама", "Turnover by rate"),
  [say("Пословни простор", "Premise"), say("Пореске ознаке", "Tax labels"), say("Стопа, %", "Rate, %"), ...sideNames(say).flatMap((side) => sumTitles(say, side))],
  () => rateRows(lines).map((row) => [
    premiseName(row.premiseId), row.labels, row.rate, ...sumCells(row.sales), ...sumCells(row.refunds), ...sumCells(netOf(row))
  ])
)

/** A way of payment in words; null is what was applied from advances. */
export const paidBy = (say: Say, type: Parameters<typeof paymentWords>[1] | null): string => type === null ? say("Из аванса", "From an advance") : paymentWords(say, type)

const paymentsSheet = ({ premiseName, say }: SheetWords, lines: ReadonlyArray<BookLine>): BookSheet => sheetOf(
  say("Плаћања", "Payments"),
  [say("Пословни простор", "Premise"), say("Начин плаћања", "Kind of payment"), ...sideNames(say)],
  () => paymentRows(lines).map(({ premiseId, refunds, sales, type }) => [premiseName(premiseId), paidBy(say, type), sales, refunds, BigDecimal.sum(sales, refunds)])
)

const listTitles = (say: Say): ReadonlyArray<string> => [
  say("Време", "Time"), say("Број", "Number"), say("Врста", "Kind"), say("Трансакција", "Transaction"), say("Пословни простор", "Premise"),
  say("Ознака продавнице", "Shop's reference"), say("Број оригинала", "Original's number"), say("Купац", "Buyer"), say("Касир", "Cashier"), say("Пореске ознаке", "Tax labels"),
  say("Основица", "Base"), say("Порез", "Tax"), say("Износ", "Amount")
]

const listRow = ({ premiseName, say }: SheetWords) => (line: BookLine): Cells => [
  { date: line.at }, line.number, invoiceTypeWords(say, line.invoiceType), transactionTypeWords(say, line.transactionType), premiseName(line.premiseId),
  line.clientReference, line.originalNumber, line.buyerId, line.cashier, line.parts.map(({ labels }) => labels).join("; "), ...sumCells(lineSums(line))
]

/** The sheet of the turnover: its plain sum is the month. */
export const listSheet = (words: SheetWords, lines: ReadonlyArray<BookLine>): BookSheet =>
  sheetOf(words.say("Списак рачуна", "List of receipts"), listTitles(words.say), () => lines.map(listRow(words)))

const otherSheet = (words: SheetWords, name: string, lines: ReadonlyArray<BookLine>): BookSheet =>
  sheetOf(name, [...listTitles(words.say), words.say("Разлог одбијања", "Reason of the rejection")], () => lines.map((line) => [...listRow(words)(line), line.rejection]))

const advancesSheet = ({ premiseName, say }: SheetWords, { openAdvances }: MonthBook): BookSheet => sheetOf(
  say("Отворени аванси", "Open advances"),
  [say("Први аванс", "First advance"), say("Број", "Number"), say("Пословни простор", "Premise"), say("Ознака продавнице", "Shop's reference"), say("Купац", "Buyer"), say("Порез", "Tax"), say("Уплаћено, отворено", "Paid, open")],
  () => openAdvances.map((it) => [{ date: it.firstAt }, it.firstNumber, premiseName(it.premiseId), it.clientReference, it.buyerId, it.tax, it.paid])
)

/** The lines of a month that are turnover. */
export const turnoverOf = ({ lines }: MonthBook): ReadonlyArray<BookLine> => lines.filter(({ kind }) => kind === "TURNOVER")

/** Every sheet of a month's workbook. */
export const monthSheets = (words: SheetWords, book: MonthBook): ReadonlyArray<BookSheet> => {
  const { say } = words
  const lines = turnoverOf(book)
  const of = (kind: BookKind) => book.lines.filter((line) => line.kind === kind)
  return [
    ratesSheet(words, lines),
    paymentsSheet(words, lines),
    listSheet(words, lines),
    advancesSheet(words, book),
    ...vatSheets(words, lines),
    otherSheet(words, say("Копије", "Copies"), of("COPY")),
    otherSheet(words, say("Предрачуни", "Proformas"), of("PROFORMA")),
    otherSheet(words, say("Обука", "Training"), of("TRAINING")),
    otherSheet(words, say("Одбијени", "Rejected"), of("REJECTED"))
  ]
}
