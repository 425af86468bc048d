import type { ErasureActs } from "@overa/domain"
import { Effect } from "effect"
import { type Left, signErasure } from "../journal-log/erasureNote.ts"
import { type JournalKeys, readJournalKeys } from "../journal-log/JournalKeys.ts"
import { leafColumns, type LeafRow } from "../journal-log/leafRows.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { packBody, unpackBody } from "../rows/packedBody.ts"
import { bodyWithoutPersonalData, contentWithoutPersonalData } from "../rows/withoutPersonalData.ts"
import { recordActivity, rightNow } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"

/** Documents read by one commit. */
const atOnce = 500
const beforeAll = "00000000-0000-0000-0000-000000000000"

// A document that is still to be sent, or whose outcome is searched for, keeps what it was asked. Of the others only those that the log has in full:
// their leaves are computed from the digests that the erasure keeps.
const nextRows = `select ${leafColumns} from operations o
where organization_id = $1 and environment in ('sandbox', 'production') and operation_id > $2 and erased_note is null
  and status in ('FISCALIZED', 'REJECTED', 'NOT_FISCALIZED') and updated_at <= now() - $3::int4 * interval '1 day'
  and ($4::text is null or client_reference = $4)
  and revision = (select sum(e.leaves) from journal_log_entries e where e.organization_id = $1 and e.operation_id = o.operation_id)
order by operation_id limit ${atOnce} for update`

const eraseStatement = `update operations set content = $3, key_body = $4, key_body_packed = $5, erased_note = $6
where organization_id = $1 and operation_id = $2`

/** What an erasure leaves; null where there is nothing to erase, "unreadable" for a damaged row. */
const leftOf = (row: LeafRow): Left | "unreadable" | null => {
  try {
    const before = row.key_body_packed === null ? row.key_body : unpackBody(row.key_body_packed, row.content)
    const [body, content] = [bodyWithoutPersonalData(before), contentWithoutPersonalData(row.content)]
    if (body === null && content === null) return null
    const left = { body: body ?? before, content: content ?? row.content }
    const packed = packBody(left.body, left.content)
    return { content: left.content, key_body: packed === null ? left.body : "", key_body_packed: packed }
  } catch {
    return "unreadable"
  }
}

const eraseRow = Effect.fnUntraced(function*(tx: PgStatements, keys: JournalKeys, row: LeafRow, at: Date) {
  const left = leftOf(row)
  if (left === null || left === "unreadable") return left
  const note = signErasure(keys, row, left, at)
  yield* tx.query(eraseStatement, [row.organization_id, row.operation_id, left.content, left.key_body, left.key_body_packed, note])
  return "erased" as const
})

/** Erases from the requests of an organization, some hundred documents by one commit, which has its own line of the activity log. */
export const eraseRequestData = ({ database, secrets }: ActTools): ErasureActs["Service"]["eraseRequestData"] =>
  Effect.fn("ErasureActs.eraseRequestData")(function*(act, organizationId, { clientReference, olderThanDays }) {
    const keys = yield* readJournalKeys(database, secrets)
    const eraseNext = Effect.fnUntraced(function*(tx: PgStatements, after: string) {
      const rows = yield* tx.query<LeafRow>(nextRows, [organizationId, after, olderThanDays, clientReference])
      const at = yield* rightNow
      const done = yield* Effect.forEach(rows, (row) => eraseRow(tx, keys, row, at))
      const documents = rows.flatMap((row, place) => done[place] === "erased" ? [row.operation_id] : [])
      // The first commit says that somebody erased, even where there was nothing to erase.
      if (documents.length > 0 || after === beforeAll) {
        yield* recordActivity(tx, act, { organizationId, act: "metadata erased", subject: organizationId, before: null, after: { documents, olderThanDays } })
      }
      return { read: rows.length, erased: documents.length, unreadable: done.filter((one) => one === "unreadable").length, last: rows.at(-1)?.operation_id ?? after }
    })
    const total = { erased: 0, unreadable: 0 }
    for (let [after, read] = [beforeAll, atOnce]; read === atOnce;) {
      const batch = yield* database.transaction((tx) => eraseNext(tx, after))
      ;[after, read] = [batch.last, batch.read]
      total.erased += batch.erased
      total.unreadable += batch.unreadable
    }
    return total
  })
