import { type BookSums, lineSums, type MonthPaper, netOf, popdvFigures, rateRows, sidesBy, sumOf } from "@overa/domain"
import { BigDecimal } from "effect"
import { printedMonth, printedRate, type Say } from "../invoice/invoiceWords.ts"
import { serbianAmount } from "../layout/serbianText.ts"
import { paragraph, wideTable } from "../pdf/belowGroups.ts"
import { type Group, space } from "../pdf/flow.ts"
import type { Paper } from "../pdf/Paper.ts"

const titleType = { size: 16, line: 24 }

const heading = (paper: Paper, text: string): Group => ({ tag: "H2", rows: paragraph(paper, text, "sansBold", paper.own.heading), keepWithNext: true })

const text = (paper: Paper, ...lines: ReadonlyArray<string>): Group => ({ tag: "P", rows: lines.flatMap((line) => paragraph(paper, line, "sans", paper.own.type)) })

/** A table whose first columns are names and whose others are figures. */
const figures = (paper: Paper, names: ReadonlyArray<readonly [title: string, share: number]>, sums: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): Group => {
  const rest = (1 - names.reduce((sum, [, share]) => sum + share, 0)) / sums.length
  return wideTable(paper, {
    kind: "table",
    title: "",
    columns: [...names.map(([title, share]) => ({ title, align: "left" as const, share })), ...sums.map((title) => ({ title, align: "right" as const, share: rest }))],
    rows
  })
}

const sumCells = ({ base, gross, tax }: BookSums): ReadonlyArray<string> => [base, tax, gross].map(serbianAmount)

const turnoverOf = ({ book }: MonthPaper) => book.lines.filter(({ kind }) => kind === "TURNOVER")

const premises = (paper: Paper, say: Say, month: MonthPaper): Group => {
  const rows = sidesBy(turnoverOf(month), ({ premiseId }) => premiseId)
  const cells = (name: string, { refunds, sales }: Pick<typeof rows[number], "refunds" | "sales">) =>
    [name, String(sales.receipts), serbianAmount(sales.gross), String(refunds.receipts), serbianAmount(refunds.gross), serbianAmount(netOf({ sales, refunds }).gross)]
  const whole = { sales: sumOf(rows.map(({ sales }) => sales)), refunds: sumOf(rows.map(({ refunds }) => refunds)) }
  return figures(
    paper,
    [[say("Пословни простор", "Premise"), 0.25]],
    [say("Рачуна продаје", "Sale receipts"), say("Продаја", "Sales"), say("Рачуна рефундације", "Refund receipts"), say("Рефундације", "Refunds"), say("Нето промет", "Net turnover")],
    [...rows.map((row) => cells(month.premiseName(row.name), row)), cells(say("Укупно", "Total"), whole)]
  )
}

const rates = (paper: Paper, say: Say, month: MonthPaper): Group => {
  const lines = turnoverOf(month)
  const rows = rateRows(lines).flatMap((row) => {
    const name = `${month.premiseName(row.premiseId)}, ${row.labels}, ${row.rate === null ? "–" : `${printedRate(row.rate)} %`}`
    return [[name, say("Продаја", "Sales"), ...sumCells(row.sales)], [name, say("Рефундације", "Refunds"), ...sumCells(row.refunds)], [name, say("Нето", "Net"), ...sumCells(netOf(row))]]
  })
  const total = [say("Укупно нето", "Net in all"), "", ...sumCells(sumOf(lines.map(lineSums)))]
  return figures(
    paper,
    [[say("Простор, ознака, стопа", "Premise, label, rate"), 0.3], ["", 0.16]],
    [say("Основица", "Base"), say("Порез", "Tax"), say("Са порезом", "With tax")],
    [...rows, total]
  )
}

const vat = (paper: Paper, say: Say, month: MonthPaper): Group =>
  figures(
    paper,
    [["ПОПДВ", 0.12]],
    [say("Општа: основица", "General: base"), say("Општа: ПДВ", "General: VAT"), say("Посебна: основица", "Special: base"), say("Посебна: ПДВ", "Special: VAT")],
    popdvFigures(turnoverOf(month)).map(({ columns: { GENERAL, SPECIAL }, row }) => [row, ...[GENERAL.base, GENERAL.tax, SPECIAL.base, SPECIAL.tax].map(serbianAmount)])
  )

/** The content of a month's overview, in reading order. Amounts are in dinars. */
export const monthBookGroups = (paper: Paper, say: Say, month: MonthPaper): ReadonlyArray<Group> => {
  const { book, taxpayer } = month
  const advances = serbianAmount(BigDecimal.sumAll(book.openAdvances.map(({ paid }) => paid)))
  return [
    { tag: "H2", rows: paragraph(paper, `${say("Преглед промета за", "Turnover of")} ${printedMonth(month.month)}`, "sansBold", titleType), keepWithNext: true },
    text(paper, taxpayer.name, `${say("ПИБ", "Tax id")}: ${taxpayer.taxIdentifier}`, say("Сви износи су у RSD.", "All amounts are in RSD.")),
    text(paper, `${say("Отворени аванси на крају месеца", "Advances open at the end of the month")}: ${advances} (${book.openAdvances.length})`),
    space(paper.gap),
    heading(paper, say("По просторима", "By premise")),
    premises(paper, say, month),
    space(paper.gap),
    heading(paper, say("По стопама", "By rate")),
    rates(paper, say, month),
    space(paper.gap),
    heading(paper, "ПОПДВ"),
    vat(paper, say, month),
    space(paper.gap),
    text(paper, say("Сваки порески износ је збир потписаних износа, заокружен једном.", "Each amount of tax is the sum of the signed amounts, rounded once.")),
    space(paper.gap * 3),
    text(paper, say("Одговорно лице: ______________________     Датум: ______________", "Responsible person: ______________________     Date: ______________"))
  ]
}
