import type { FiscalDocumentId, JournalLine, Tenant } from "@overa/domain"
import { Effect } from "effect"
import { inParts } from "../inParts.ts"
import type { PgQueries } from "../PgDatabase.ts"
import { byIdsWithinBytes, inOrderOf } from "./byIds.ts"
import { cutAnswer, cutContent, cutSteps, mostBytesOfText } from "./cutTexts.ts"
import { decodeLine, lineColumns, type LineRow, shortColumns } from "./journalLines.ts"

/** Documents read by one statement. */
const linesAtOnce = 500
/** The bytes in the store of the long documents that one statement reads, or one longer document. */
const bytesAtOnce = 1_048_576

/** Each of the three texts is null where it is missing, or too long to be sent with others. */
interface CutRow extends Omit<LineRow, "content"> {
  readonly content: string | null
  readonly is_signed: boolean
}

/** $1 organization, $2 environment, $3 ids. */
const cutLines = `select ${shortColumns}, ${cutContent} as content, ${cutAnswer} as answer_text,
    case when octet_length(o.answer_facts) <= ${mostBytesOfText} then o.answer_facts end as answer_facts,
    o.answer_text is not null or o.answer_facts is not null as is_signed
  from operations o ${cutSteps}
  where o.organization_id = $1 and o.environment = $2 and o.operation_id = any ($3::uuid[])`

/** The row, where each of its texts was cut or is short. */
const completeRow = ({ content, ...row }: CutRow): LineRow | null =>
  content === null || (row.is_signed && (row.answer_text === null || row.answer_facts === null)) ? null : { ...row, content }

const wholeLines = byIdsWithinBytes(lineColumns)

type Lines = Map<FiscalDocumentId, JournalLine>

/** Adds the lines of documents, and answers which documents have to be read whole. */
const addCut = Effect.fnUntraced(function*(database: PgQueries, { environment, organizationId }: Tenant, ids: ReadonlyArray<FiscalDocumentId>, lines: Lines) {
  const long = new Set<FiscalDocumentId>()
  for (let from = 0; from < ids.length; from += linesAtOnce) {
    const reading = database.read<CutRow>(cutLines, [organizationId, environment, ids.slice(from, from + linesAtOnce)])
    yield* inParts(reading, (rows) => {
      for (const row of rows) {
        const complete = completeRow(row)
        if (complete === null) long.add(row.operation_id as FiscalDocumentId)
        else lines.set(row.operation_id as FiscalDocumentId, decodeLine(complete))
      }
    })
  }
  return ids.filter((id) => long.has(id))
})

/** The same for documents read whole, few at a time. */
const addWhole = Effect.fnUntraced(function*(database: PgQueries, { environment, organizationId }: Tenant, ids: ReadonlyArray<FiscalDocumentId>, lines: Lines) {
  for (let left = ids; left.length > 0;) {
    const asked = left
    const reading = database.read<LineRow>(wholeLines, [organizationId, environment, asked, bytesAtOnce])
    const read = yield* inParts(reading, (rows) => inOrderOf(asked, rows).map(decodeLine))
    for (const line of read) lines.set(line.id, line)
    const last = read.at(-1)
    left = last === undefined ? [] : left.slice(left.indexOf(last.id) + 1)
  }
})

/** The lines of documents, in the order of the ids. Throws `FiscalDocumentUnreadable`. */
export const readLines = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
  const lines: Lines = new Map()
  const long = yield* addCut(database, tenant, ids, lines)
  yield* addWhole(database, tenant, long, lines)
  return ids.flatMap((id) => lines.get(id) ?? [])
})
