import type { ErasureActs } from "@overa/domain"
import { Effect } from "effect"
import { type Left, signErasure } from "../journal-log/erasureNote.ts"
import { type JournalKeys, readJournalKeys } from "../journal-log/JournalKeys.ts"
import { leafColumns, type LeafRow } from "../journal-log/leafRows.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { packBody, unpackBody } from "../rows/storedJson.ts"
import { bytesBefore, isWithinBytes } from "../rows/withinBytes.ts"
import { bodyWithoutPersonalData, contentWithoutPersonalData } from "../rows/withoutPersonalData.ts"
import { recordActivity, rightNow } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"
import { erasedAtOnce, eraseInCommits } from "./eraseInCommits.ts"

/** The requests read by one commit, in bytes; one may have more. */
const bytesAtOnce = 4_194_304

// $1 organization, $3 days, $4 reference. A document that is still to be sent, or whose outcome is searched for, keeps what it was asked. Of the others
// only those that the log has in full: their leaves are computed from the digests that the erasure keeps.
const mayBeErased = `organization_id = $1 and environment in ('sandbox', 'production') and erased_note is null
  and status in ('FISCALIZED', 'REJECTED', 'NOT_FISCALIZED') and updated_at <= now() - $3::int4 * interval '1 day'
  and ($4::text is null or client_reference = $4)
  and revision = (select sum(e.leaves) from journal_log_entries e where e.organization_id = $1 and e.operation_id = o.operation_id)`

/** $2 the last document of the batch before: the next ones, which are then read whole. */
const nextIds = `with sized as materialized (
    select s.operation_id, ${bytesBefore("octet_length(s.content) + octet_length(s.key_body)", "s.operation_id")} as bytes_before
    from (select o.operation_id, o.content, o.key_body from operations o where ${mayBeErased} and operation_id > $2 order by operation_id limit ${erasedAtOnce}) s)
  select operation_id from sized where ${isWithinBytes("bytes_before", bytesAtOnce)} order by operation_id`

/** $2 documents: those that may still be erased. */
const lockRows = `select ${leafColumns} from operations o where ${mayBeErased} and operation_id = any ($2::uuid[]) order by operation_id for update`

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

/** Erases from the requests of an organization. */
export const eraseRequestData = ({ database, secrets }: ActTools): ErasureActs["Service"]["eraseRequestData"] =>
  Effect.fn("ErasureActs.eraseRequestData")(function*(act, organizationId, { clientReference, olderThanDays }) {
    const keys = yield* readJournalKeys(database, secrets)
    return yield* eraseInCommits(database, {
      some: Effect.fnUntraced(function*(tx, after) {
        const next = yield* tx.query<Pick<LeafRow, "operation_id">>(nextIds, [organizationId, after, olderThanDays, clientReference])
        const ids = next.map((row) => row.operation_id)
        const rows = yield* tx.query<LeafRow>(lockRows, [organizationId, ids, olderThanDays, clientReference])
        const at = yield* rightNow
        const done = yield* Effect.forEach(rows, (row) => eraseRow(tx, keys, row, at))
        const erased = rows.flatMap((row, place) => done[place] === "erased" ? [row.operation_id] : [])
        return { erased, unreadable: done.filter((one) => one === "unreadable").length, last: ids.at(-1) ?? null }
      }),
      record: (tx, documents) =>
        recordActivity(tx, act, { organizationId, act: "metadata erased", subject: organizationId, before: null, after: { documents, olderThanDays } })
    })
  })
