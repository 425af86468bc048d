import { type ReadAs, readAnySheet, readCsv, writeCsv } from "@overa/adapter-spreadsheets"
import { mostImportRows, type Sheet } from "@overa/domain"
import { Effect, Result } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"

/** A file longer than an import may be is noticed, and not read to its end. */
const mostRows = mostImportRows + 2

/** What the form of the next step can carry: its quotation marks, written for HTML, take six times as much memory. */
const mostCarriedBytes = 5_000_000

/** Rows without content that a form carries so that rows keep their numbers. */
const mostBlankRows = 2_000

/** The uploaded file, or why it cannot be read. */
export const uploadedSheet = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const file = visit.form?.file("file") ?? null
  if (file === null) return { fault: say("Изаберите датотеку.", "Choose a file.") }
  const read = yield* Effect.promise(() => readAnySheet(file.bytes, mostRows))
  if (Result.isFailure(read)) {
    return { fault: say("Датотека није ни Excel (XLSX) ни CSV. Сачувајте је у једном од та два облика.", `The file ${read.failure}.`) }
  }
  const last = read.success.sheet.rows.at(-1)?.number ?? 0
  if (last - read.success.sheet.rows.length > mostBlankRows) return { fault: say("Између производа је превише празних редова; обришите их.", "There are too many empty rows between products; delete them.") }
  if (Buffer.byteLength(carriedText(read.success.sheet)) > mostCarriedBytes) return { fault: say("Датотека има превише текста; поделите је.", "The file has too much text; split it.") }
  return read.success satisfies { readonly sheet: Sheet; readonly as: ReadAs }
})

/** A sheet as the CSV that a hidden field carries to the next step: rows keep their numbers. */
export const carriedText = ({ rows }: Sheet): string => {
  const lines: Array<ReadonlyArray<string>> = []
  for (const { cells, number } of rows) {
    while (lines.length < number - 1) lines.push([""])
    lines.push(cells)
  }
  return `sep=,\n${writeCsv(lines, { delimiter: ",", newline: "\n" })}`
}

/** The sheet that a hidden field has carried. */
export const carriedSheet = (text: string): Effect.Effect<Sheet> => Effect.promise(() => readCsv(text, mostRows))
