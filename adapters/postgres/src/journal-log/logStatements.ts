import { firstWithinBytes } from "../rows/firstWithinBytes.ts"
import { leafColumns } from "./leafRows.ts"

// Each statement names one organization, except the search for tenants that have something to seal, which takes no lock.

const atRest = "status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')"

/** The leaves that the log has of an operation `o`. */
const leavesTaken = `(select coalesce(max(e.first_position + e.leaves - 1), 0) from journal_log_entries e
  where e.organization_id = $1 and e.operation_id = o.operation_id)`

/**
 * Whether the tenant of `g` and `v` has a document, by one look into the index of the journal. Not `exists`: a server without statistics, as after a
 * restore, would join all documents, and a million of them are not read within the time of a statement. The index has the rows whose time is not null;
 * the condition on the time says so to the planner.
 */
export const hasDocuments = `(select true from operations o where o.organization_id = g.organization_id and o.environment = v.environment
    and o.created_at > '-infinity'
  order by o.created_at, o.operation_id limit 1) is not null`

/** $1 cluster, $2 next transaction: tenants whose log has work: documents that changed after its position, or a sweep. */
export const unsealedTenants = `select g.organization_id, v.environment
from organizations g cross join (values ('sandbox'), ('production')) v (environment)
left join journal_log_positions p on p.organization_id = g.organization_id and p.environment = v.environment
where case when p.organization_id is null
  then ${hasDocuments}
  else p.swept_at is null or p.swept_at not between now() - interval '1 day' and now() + interval '1 day' or p.cluster <> $1 or p.moved_by > $2::text::xid8 or exists (
    select from operations o where o.organization_id = g.organization_id and o.environment = v.environment
      and o.${atRest} and o.moved_by >= p.moved_by and (o.moved_by, o.operation_id) > (p.moved_by, p.operation_id))
  end`

/** $1 organization, $2 environment: creates the row of a new log. */
export const openLog = "insert into journal_logs (organization_id, environment, size) values ($1, $2, 0) on conflict do nothing returning size"

/** $1 organization, $2 environment: the head, locked; no row where another worker is sealing this log. */
export const lockLog = "select size from journal_logs where organization_id = $1 and environment = $2 for update skip locked"

/**
 * Transactions before `first` have ended, and what they wrote is visible to every later statement; none from `next` on has begun. `now`: the
 * database's clock, the only one that a log uses, because the clocks of workers differ.
 */
export const runningTransactions = "select pg_snapshot_xmin(s)::text as first, pg_snapshot_xmax(s)::text as next, now() as now from pg_current_snapshot() s"

/** The server that numbers the transactions: a database that was copied row by row to another server starts a new numbering. */
export const clusterName = "select system_identifier::text as name from pg_control_system()"

/** $1 organization, $2 environment. */
export const positionOf = `select moved_by::text as moved_by, operation_id, cluster, swept_to, swept_at from journal_log_positions
where organization_id = $1 and environment = $2`

/** $1 organization, $2 environment, $3 transaction, $4 operation, $5 cluster, $6 swept to, $7 swept at. */
export const putPosition = `insert into journal_log_positions (organization_id, environment, moved_by, operation_id, cluster, swept_to, swept_at)
values ($1, $2, $3::text::xid8, $4, $5, $6, $7)
on conflict on constraint journal_log_positions_pk do update set moved_by = excluded.moved_by, operation_id = excluded.operation_id,
  cluster = excluded.cluster, swept_to = excluded.swept_to, swept_at = excluded.swept_at`

/** The contents read by one statement, in bytes; one content may be larger. */
const bytesAtOnce = 4_194_304

const unsealedRows = (selected: string, order: ReadonlyArray<"moved_by" | "operation_id">, limit: string): string =>
  firstWithinBytes({
    columns: `${leafColumns}, o.moved_by::text as moved_by, ${leavesTaken} as taken, extract(epoch from now() - o.updated_at)::float8 * 1000 as waited_millis`,
    selected: `o.${atRest} and o.revision > ${leavesTaken} and ${selected}`,
    order,
    limit,
    bytes: bytesAtOnce,
    texts: "content"
  })

/**
 * $1 organization, $2 environment, $3 transaction, $4 operation, $5 next transaction, $6 limit: documents not in flight that changed after a position
 * and have transitions to seal, in the order of the transactions that changed them. Those of unfinished transactions are not visible; they are found
 * later, because the position stays before them.
 */
export const movedRows = unsealedRows(
  "(o.moved_by, o.operation_id) > ($3::text::xid8, $4::uuid) and o.moved_by < $5::text::xid8",
  ["moved_by", "operation_id"],
  "$6"
)

/** $1 organization, $2 operation, $3 rows: the end of the next page of all operations, and its number of rows; no row after the last page. */
export const pageEnd = `select operation_id as last, (count(*) over ())::int4 as rows from (
  select operation_id from operations where organization_id = $1 and operation_id > $2 order by operation_id limit $3) page
order by operation_id desc limit 1`

/**
 * $1 organization, $2 environment, $3 after, $4 last, $5 limit: documents of a page that are not in flight and have transitions to seal, whichever
 * transaction changed them.
 */
export const sweptRows = unsealedRows("o.operation_id > $3 and o.operation_id <= $4", ["operation_id"], "$5")

/** $1 organization, $2 environment, $3 operations, $4 first positions, $5 first indexes, $6 leaves. */
export const insertEntries = `insert into journal_log_entries (organization_id, environment, operation_id, first_position, first_index, leaves)
select $1, $2, many.* from unnest($3::uuid[], $4::int4[], $5::int8[], $6::int4[]) as many`

/** $1 organization, $2 environment, $3 levels, $4 positions, $5 hashes. */
export const putTiles = `insert into journal_log_tiles (organization_id, environment, level, position, hashes)
select $1, $2, many.* from unnest($3::int4[], $4::int8[], $5::bytea[]) as many
on conflict on constraint journal_log_tiles_pk do update set hashes = excluded.hashes`

/** $1 organization, $2 environment, $3 levels, $4 positions. */
export const tilesAt = `select t.level, t.position, t.hashes from journal_log_tiles t
join unnest($3::int4[], $4::int8[]) as many (level, position) on t.level = many.level and t.position = many.position
where t.organization_id = $1 and t.environment = $2`

/** $1 organization, $2 environment, $3 size before, $4 size: no row where the log has grown meanwhile. */
export const growLog = `update journal_logs set size = $4 where organization_id = $1 and environment = $2 and size = $3 returning size`

/** $1 organization, $2 environment, $3 size, $4 note, $5 at. */
export const insertCheckpoint = `insert into journal_checkpoints (organization_id, environment, size, note, signed_at) values ($1, $2, $3, $4, $5)`

/** $1 organization, $2 environment. */
export const lastCheckpoint = `select size, note from journal_checkpoints where organization_id = $1 and environment = $2 order by size desc limit 1`

/** $1 organization, $2 operation, $3 environment. */
export const entriesOfDocument = `select first_position, first_index, leaves from journal_log_entries
where organization_id = $1 and operation_id = $2 and environment = $3 order by first_position`

/** $1 organization, $2 operation, $3 environment. */
export const leafRowById = `select ${leafColumns} from operations where organization_id = $1 and operation_id = $2 and environment = $3`
