import { columnFaults, type FixedCells, fixedColumns, guessColumns, type ProductColumn, productColumns, type Sheet } from "@overa/domain"
import { all, el, type Html } from "../../html/el.ts"
import { choice, field, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { columnWords } from "./columnWords.ts"
import { carriedText } from "./importedFile.ts"

const sampleRows = 3

const fieldName = (at: number): string => `column-${at}`

/** Which of our columns the person has chosen for each column of the file; null for a form that chooses none. */
export const chosenColumns = (visit: MemberVisit, heads: ReadonlyArray<string>): ReadonlyArray<ProductColumn | null> =>
  heads.map((_, at) => productColumns.find((column) => column === visit.form?.text(fieldName(at))) ?? null)

/** What the person has given for every product, where the file has no such column. */
export const chosenFixed = (visit: MemberVisit): FixedCells => Object.fromEntries(fixedColumns.map((column) => [column, visit.form?.text(`fixed-${column}`) ?? ""]))

/** Shop programs export neither units nor tax labels. */
const fixedFields = (visit: MemberVisit): Html => {
  const { say } = visit
  const fixed = chosenFixed(visit)
  return el(
    "fieldset",
    {},
    el("legend", {}, say("За све производе, ако датотека нема ту колону", "For every product, where the file has no such column")),
    fixedColumns.map((column) => field({ name: `fixed-${column}`, label: columnWords(say, column), value: fixed[column] ?? "" }))
  )
}

const sampleOf = ({ rows }: Sheet, at: number): string =>
  rows.slice(1, 1 + sampleRows).map(({ cells }) => cells[at] ?? "").filter((cell) => cell !== "").join(" · ")

/** What is still missing or chosen twice, all at once. */
const faultNotice = (visit: MemberVisit, columns: ReadonlyArray<ProductColumn | null>): Html => {
  const { say } = visit
  const { missing, repeated } = columnFaults(columns, chosenFixed(visit))
  if (missing.length + repeated.length === 0) return null
  const names = (some: ReadonlyArray<ProductColumn>) => some.map((column) => columnWords(say, column)).join(", ")
  return notice(
    "bad",
    missing.length === 0 ? null : el("p", {}, say("Недостаје: ", "Missing: "), names(missing)),
    repeated.length === 0 ? null : el("p", {}, say("Изабрано двапут: ", "Chosen twice: "), names(repeated))
  )
}

/** The person says which column of the file is what; headings that are known are chosen already. */
export const columnsPage = (visit: MemberVisit, taxpayerId: string, sheet: Sheet, readAs: string, chosen: ReadonlyArray<ProductColumn | null> | null = null) => {
  const { say } = visit
  const heads = sheet.rows[0]?.cells ?? []
  const columns = chosen ?? guessColumns(heads)
  const title = say("Шта је која колона", "Which column is what")
  const options: ReadonlyArray<readonly [string, string]> = [["", say("– не увози се", "– not imported")], ...productColumns.map((column) => [column, columnWords(say, column)] as const)]
  return page(title, el("div", { class: "card" }, all(
    el("h1", {}, title),
    chosen === null ? null : faultNotice(visit, columns),
    el("p", {}, say(
      "Погледајте примере испод сваке колоне; ако се слова не виде како треба, сачувајте датотеку као XLSX. Цене могу бити 2.399,99, а „Активан“ да или не; без колоне „Активан“ сви производи ће бити активни.",
      "Look at the samples of each column; where letters are wrong, save the file as XLSX. Prices may be 2.399,99, and “Active” may be yes or no; without a column “Active” all products will be active."
    ), ` (${readAs})`),
    form(
      visit,
      { action: "/catalogue/import/columns", submit: say("Погледај шта се мења", "See what changes"), files: true },
      el("input", { type: "hidden", name: "taxpayer", value: taxpayerId }),
      el("input", { type: "hidden", name: "readAs", value: readAs }),
      el("input", { type: "hidden", name: "csv", value: carriedText(sheet) }),
      heads.map((head, at) => choice({ name: fieldName(at), label: head.trim() === "" ? `${say("Колона", "Column")} ${at + 1}` : head, hint: sampleOf(sheet, at), value: columns[at] ?? "", options })),
      fixedFields(visit)
    ),
    el("p", {}, el("a", { href: "/catalogue/import" }, say("Друга датотека", "Another file")))
  )), chosen === null ? 200 : 422)
}
