import { type BookLine, type BookSheet, dayFigures, incomeDays, popdvFigures, type PopdvRow } from "@overa/domain"
import type { Say } from "../../language/Language.ts"
import { sheetOf, type SheetWords } from "./sheetOf.ts"

type Words = readonly [serbian: string, english: string]

/** What each row of the VAT overview has, and the rule that it comes from. */
const popdvWords: Readonly<Record<PopdvRow, { readonly name: Words; readonly rule: Words }>> = {
  "3.2": {
    name: ["Промет за који је порески дужник обвезник који га врши", "Turnover whose taxpayer is the seller"],
    rule: ["ЗПДВ чл. 14 и 17; потписани рачуни врсте Промет – продаја", "VAT law, art. 14 and 17; signed Normal Sales"]
  },
  "3.6": {
    name: ["Смањење основице, односно ПДВ", "Reduction of the base and the VAT"],
    rule: ["ЗПДВ чл. 21; потписане рефундације промета", "VAT law, art. 21; signed Normal Refunds"]
  },
  "3.8": { name: ["Укупна основица и обрачунати ПДВ за промет", "Base and VAT of the turnover"], rule: ["3.2 + 3.6", "3.2 + 3.6"] },
  "3.9": {
    name: ["Наплаћено пре промета (аванс) и ПДВ по том основу", "Paid before the turnover (advances), and its VAT"],
    rule: ["ЗПДВ чл. 16; аванси умањени за рефундације аванса (и при затварању)", "VAT law, art. 16; Advance Sales less Advance Refunds (of closings too)"]
  },
  "3.10": { name: ["Укупно обрачунати ПДВ", "VAT in all"], rule: ["3.8 + 3.9", "3.8 + 3.9"] }
}

const columnTitles = (say: Say): ReadonlyArray<string> => [
  say("Основица, општа стопа", "Base, general rate"), say("ПДВ, општа стопа", "VAT, general rate"),
  say("Основица, посебна стопа", "Base, special rate"), say("ПДВ, посебна стопа", "VAT, special rate"),
  say("Без ПДВ (део 1 или 2, по основу ослобођења)", "Without VAT (part 1 or 2, by the exemption)"),
  say("Друге стопе: основица", "Other rates: base"), say("Друге стопе: порез", "Other rates: tax")
]

const columnCells = ({ GENERAL, OTHER, SPECIAL, WITHOUT }: ReturnType<typeof popdvFigures>[number]["columns"]) =>
  [GENERAL.base, GENERAL.tax, SPECIAL.base, SPECIAL.tax, WITHOUT.base, OTHER.base, OTHER.tax]

const popdvSheet = (say: Say, lines: ReadonlyArray<BookLine>): BookSheet => sheetOf(
  say("ПОПДВ", "POPDV"),
  [say("Ред", "Row"), say("Шта је", "What it is"), ...columnTitles(say), say("Одакле", "Where it comes from")],
  () => popdvFigures(lines).map(({ columns, row }) => [row, say(...popdvWords[row].name), ...columnCells(columns), say(...popdvWords[row].rule)])
)

const daysSheet = ({ premiseName, say }: SheetWords, lines: ReadonlyArray<BookLine>): BookSheet => sheetOf(
  say("КИР", "KIR"),
  [
    say("Дан", "Day"), say("Пословни простор", "Premise"), say("Рачуна", "Receipts"), say("Од броја", "From number"), say("До броја", "To number"),
    say("Укупно са порезом", "In all with tax"), ...columnTitles(say), say("Одакле", "Where it comes from")
  ],
  () => dayFigures(lines).map(({ all, columns, day, firstNumber, lastNumber, premiseId }) => [
    { date: day }, premiseName(premiseId), all.receipts, firstNumber, lastNumber, all.gross, ...columnCells(columns),
    say("ЗПДВ чл. 46; рачуни тог дана, рефундације са минусом", "VAT law, art. 46; that day's receipts, refunds negative")
  ])
)

const incomeSheet = (say: Say, lines: ReadonlyArray<BookLine>): BookSheet => sheetOf(
  say("КПО", "KPO"),
  [
    say("Ред. бр.", "No."), say("Дан", "Day"), say("Опис", "Description"), say("Производи (уписује обвезник)", "Products (entered by the taxpayer)"),
    say("Услуге (уписује обвезник)", "Services (entered by the taxpayer)"), say("Свега приход", "Income in all"), say("Одакле", "Where it comes from")
  ],
  () => incomeDays(lines).map(({ day, income, receipts }, at) => [
    at + 1, { date: day }, `${say("Фискални рачуни, комада", "Fiscal receipts, number")}: ${receipts}`, null, null, income,
    say("ЗПДГ чл. 43, књига КПО; промет дана умањен за рефундације", "Income tax law, art. 43, book KPO; the day's turnover less refunds")
  ])
)

/** What a VAT return and a flat-rate taxpayer's book take from the month; each row names the rule it comes from. */
export const vatSheets = (words: SheetWords, lines: ReadonlyArray<BookLine>): ReadonlyArray<BookSheet> =>
  [popdvSheet(words.say, lines), daysSheet(words, lines), incomeSheet(words.say, lines)]
