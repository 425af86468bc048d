import { type CatalogueImportHeadersInvalid, type CatalogueSkuAlreadyExists, mostFileFaults, mostImportRows, type RequestFaults, type Sheet } from "@overa/domain"
import { all, el, type Html } from "../../html/el.ts"
import { notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { productFaultWords } from "./productFaultWords.ts"

interface CellFault {
  readonly row: number
  /** Lower case; null where the whole row is meant. */
  readonly column: string | null
  readonly message: string
}

const cellFaults = ({ faults }: RequestFaults): ReadonlyArray<CellFault> =>
  faults.map(({ message, pointer }) => {
    const [, , row = "0", column] = pointer.split("/")
    return { row: Number(row), column: column?.toLowerCase() ?? null, message }
  })

const faultCell = (visit: MemberVisit, text: string, found: ReadonlyArray<CellFault>): Html =>
  el(
    "td",
    found.length === 0 ? {} : { class: "wrong" },
    el("span", {}, text === "" ? "–" : text),
    found.map(({ message }) => el("p", { class: "fault" }, productFaultWords(visit.say, message)))
  )

/** The rows with faults, as they are in the file, each fault in its cell. */
const faultTable = (visit: MemberVisit, sheet: Sheet, faults: ReadonlyArray<CellFault>): Html => {
  const heads = (sheet.rows[0]?.cells ?? []).map((head) => head.trim())
  const byRow = Map.groupBy(faults, ({ row }) => row)
  const known = new Set(heads.map((head) => head.toLowerCase()))
  return el(
    "div",
    { class: "wide", tabIndex: 0, role: "region", "aria-label": visit.say("Редови са грешкама", "Rows with faults") },
    el(
      "table",
      { class: "grid" },
      el("caption", {}, visit.say("Редови са грешкама, бројани као у табели", "Rows with faults, counted as the spreadsheet counts them")),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, visit.say("Ред", "Row")), heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, [...byRow].map(([row, found]) => {
        const cells = sheet.rows.find(({ number }) => number === row)?.cells ?? []
        const ofRow = found.filter(({ column }) => column === null || !known.has(column))
        return el(
          "tr",
          {},
          el("th", { scope: "row" }, String(row), ofRow.map(({ message }) => el("p", { class: "fault" }, productFaultWords(visit.say, message)))),
          heads.map((head, at) => faultCell(visit, cells[at] ?? "", found.filter(({ column }) => column === head.toLowerCase())))
        )
      }))
    )
  )
}

const headerFaults = (visit: MemberVisit, { expected, missing, repeated, unexpected }: CatalogueImportHeadersInvalid): Html => {
  const line = (words: string, names: ReadonlyArray<string>): Html => names.length === 0 ? null : el("li", {}, words, names.join(", "))
  return notice(
    "bad",
    el("p", {}, visit.say("Први ред датотеке није заглавље извоза.", "The first row of the file is not the header of an export.")),
    el(
      "ul",
      {},
      line(visit.say("Недостаје: ", "Missing: "), missing),
      line(visit.say("Непознато: ", "Unknown: "), unexpected),
      line(visit.say("Два пута: ", "Twice: "), repeated),
      line(visit.say("Заглавље треба да буде: ", "The header should be: "), expected)
    )
  )
}

/** The faults of a file, each at its place; null for an error that is no fault of the file. */
export const fileFaults = (visit: MemberVisit, sheet: Sheet, error: unknown): Html | null => {
  const { say } = visit
  switch ((error as { readonly _tag?: string })._tag) {
    case "RequestFaults": {
      const faults = cellFaults(error as RequestFaults)
      return all(
        faults.length < mostFileFaults ? null : notice("wait", el("p", {}, say(`Приказано је првих ${mostFileFaults} грешака.`, `The first ${mostFileFaults} faults are shown.`))),
        faultTable(visit, sheet, faults)
      )
    }
    case "CatalogueImportHeadersInvalid":
      return headerFaults(visit, error as CatalogueImportHeadersInvalid)
    case "CatalogueImportTooManyRows":
      return notice("bad", el("p", {}, say(`Датотека има више од ${mostImportRows} производа. Поделите је.`, `The file has more than ${mostImportRows} products. Split it.`)))
    case "CatalogueSkuAlreadyExists": {
      const { rows = [], sku } = error as CatalogueSkuAlreadyExists
      return notice("bad", el("p", {}, say("Шифра ", "The SKU "), el("strong", {}, sku), say(" стоји у више редова: ", " stands in several rows: "), rows.join(", "), "."))
    }
    default:
      return null
  }
}
