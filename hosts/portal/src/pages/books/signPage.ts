import { type BookSums, lineSums, type MonthBook, netOf, popdvFigures, rateRows, sidesBy, sumOf } from "@overa/domain"
import { BigDecimal } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { card, facts, table } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, quantity, reportedTime } from "../../language/formats.ts"
import type { AskedMonth } from "./askedMonth.ts"
import { turnoverOf } from "./monthSheets.ts"

const sums = ({ base, gross, tax }: BookSums): ReadonlyArray<Html> => [amount(base), amount(tax), amount(gross)]

const sideTitles = ({ say }: MemberVisit): ReadonlyArray<string> => [say("Основица, RSD", "Base, RSD"), say("Порез, RSD", "Tax, RSD"), say("Са порезом, RSD", "With tax, RSD")]

const ratesTable = (visit: MemberVisit, book: MonthBook, premiseName: (id: string) => string): Html => {
  const { say } = visit
  const rows = rateRows(turnoverOf(book)).flatMap((row) => {
    const name = [premiseName(row.premiseId), row.labels, row.rate === null ? "–" : `${quantity(row.rate)} %`]
    return [[...name, say("Продаја", "Sales"), ...sums(row.sales)], [...name, say("Рефундације", "Refunds"), ...sums(row.refunds)], [...name, say("Нето", "Net"), ...sums(netOf(row))]]
  })
  return table(
    [say("Пословни простор", "Premise"), say("Ознаке", "Labels"), say("Стопа", "Rate"), "", ...sideTitles(visit)],
    rows,
    { caption: say("Промет по стопама", "Turnover by rate"), empty: say("У овом месецу нема промета.", "There is no turnover in this month."), numbers: [4, 5, 6], total: [say("Укупно нето", "Net in all"), "", "", "", ...sums(sumOf(turnoverOf(book).map(lineSums)))] }
  )
}

const premisesTable = (visit: MemberVisit, book: MonthBook, premiseName: (id: string) => string): Html => {
  const { say } = visit
  return table(
    [say("Пословни простор", "Premise"), say("Рачуна продаје", "Sale receipts"), say("Продаја, RSD", "Sales, RSD"), say("Рачуна рефундације", "Refund receipts"), say("Рефундације, RSD", "Refunds, RSD"), say("Нето промет, RSD", "Net turnover, RSD")],
    sidesBy(turnoverOf(book), ({ premiseId }) => premiseId).map((row) => [premiseName(row.name), String(row.sales.receipts), amount(row.sales.gross), String(row.refunds.receipts), amount(row.refunds.gross), amount(netOf(row).gross)]),
    { caption: say("Промет по просторима", "Turnover by premise"), empty: "–", numbers: [1, 2, 3, 4, 5] }
  )
}

const vatTable = (visit: MemberVisit, book: MonthBook): Html => {
  const { say } = visit
  return table(
    ["ПОПДВ", say("Општа: основица", "General: base"), say("Општа: ПДВ", "General: VAT"), say("Посебна: основица", "Special: base"), say("Посебна: ПДВ", "Special: VAT")],
    popdvFigures(turnoverOf(book)).map(({ columns: { GENERAL, SPECIAL }, row }) => [row, amount(GENERAL.base), amount(GENERAL.tax), amount(SPECIAL.base), amount(SPECIAL.tax)]),
    { caption: "ПОПДВ", empty: "–", numbers: [1, 2, 3, 4] }
  )
}

/** The month on paper, to be signed: printed, or saved as a PDF, by the browser. */
export const signContent = (visit: MemberVisit, { month, taxpayer }: AskedMonth, book: MonthBook, premiseName: (id: string) => string): Html => {
  const { say } = visit
  const advances = BigDecimal.sumAll(book.openAdvances.map(({ paid }) => paid))
  return all(
    el("h1", {}, say("Преглед промета за ", "Turnover of "), reportedTime(month)),
    facts([
      [say("Обвезник", "Taxpayer"), taxpayer.name],
      [say("ПИБ", "Tax id"), taxpayer.taxIdentifier],
      [say("Отворени аванси на крају месеца", "Advances open at the end of the month"), `${amount(advances)} RSD (${book.openAdvances.length})`]
    ]),
    card(say("По просторима", "By premise"), premisesTable(visit, book, premiseName)),
    card(say("По стопама", "By rate"), ratesTable(visit, book, premiseName)),
    card("ПОПДВ", vatTable(visit, book)),
    el("p", {}, say("Сваки порески износ је збир потписаних износа, заокружен једном.", "Each amount of tax is the sum of the signed amounts, rounded once.")),
    el("p", { class: "signature" }, say("Одговорно лице: ______________________   Датум: ______________", "Responsible person: ______________________   Date: ______________"))
  )
}
