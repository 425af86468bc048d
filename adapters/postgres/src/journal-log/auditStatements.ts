import { bytesBefore, isWithinBytes } from "../rows/withinBytes.ts"
import { leafColumns } from "./leafRows.ts"
import { hasDocuments } from "./logStatements.ts"

/** Documents whose leaves are compared by one read: at most so many, whose contents have at most so many bytes together, or one larger document. */
const documentsAtOnce = 1_000
const bytesAtOnce = 8 * 1_048_576

/**
 * $1 organization, $2 environment, $3 index, $4 size: the next entries from there on of a log of this size, each with its document's row if it exists;
 * none only where the log has none. Each document is looked up by its key, whatever the planner knows of the table.
 */
export const entriesFrom = `with entries as materialized (
    select operation_id, first_position, first_index, leaves from journal_log_entries
    where organization_id = $1 and environment = $2 and first_index >= $3 and first_index < $4 order by first_index limit ${documentsAtOnce}),
  sized as materialized (
    select e.*, ${bytesBefore("s.bytes", "e.first_index")} as bytes_before
    from entries e left join lateral (
      select octet_length(o.content) as bytes from operations o where o.organization_id = $1 and o.operation_id = e.operation_id offset 0) s on true)
select e.operation_id as entry_id, e.first_position, e.first_index, e.leaves, d.*
from sized e left join lateral (
  select ${leafColumns} from operations o where o.organization_id = $1 and o.operation_id = e.operation_id offset 0) d on true
where ${isWithinBytes("e.bytes_before", bytesAtOnce)} order by e.first_index`

/** $1 organization, $2 environment, $3 index: entries from there on that are not in the log, whatever its size is now. */
export const entriesBeyond = `select e.operation_id, e.first_index from journal_log_entries e
join journal_logs l on l.organization_id = e.organization_id and l.environment = e.environment
where e.organization_id = $1 and e.environment = $2 and e.first_index >= $3 and e.first_index + e.leaves > l.size order by e.first_index limit 1000`

/** Every log. */
export const allLogs = "select organization_id, environment, size from journal_logs order by organization_id, environment"

/** $1 organization, $2 environment. */
export const allCheckpoints = `select size, note, signed_at from journal_checkpoints where organization_id = $1 and environment = $2 order by size`

/** Tiles of 8 KiB in one read. */
export const tilesAtOnce = 500

/** $1 organization, $2 environment, $3 level, $4 position: the tiles of a level from there on. */
export const tilesFrom = `select position, hashes from journal_log_tiles where organization_id = $1 and environment = $2 and level = $3 and position >= $4
order by position limit ${tilesAtOnce}`

const ended = "(o.moved_by, o.operation_id) <= (p.moved_by, p.operation_id)"

/**
 * $1 organization, $2 environment, $3 after, $4 last: operations of a page that differ from the log. `leaves`: the leaves that the log has of it.
 * `passed`: the sealer has read further, so the log should have it; `waiting`: not in flight for ten minutes. The leaves are found by the operation
 * alone: with the environment, a server that has no statistics yet would read all entries of the log for each operation.
 */
export const miscounted = `select o.operation_id, o.revision, o.sealed as claimed, c.leaves,
  coalesce(p.swept_at is not null and (o.moved_by is null or ${ended}), false) as passed,
  o.updated_at < now() - interval '10 minutes' as waiting
from operations o
cross join lateral (select coalesce(sum(e.leaves) filter (where e.environment = $2), 0)::int4 as leaves from journal_log_entries e
  where e.organization_id = $1 and e.operation_id = o.operation_id) c
left join journal_log_positions p on p.organization_id = $1 and p.environment = $2
where o.organization_id = $1 and o.environment = $2 and o.operation_id > $3 and o.operation_id <= $4
  and (c.leaves > o.revision or o.sealed > c.leaves
    or (c.leaves < o.revision and o.status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')))
order by o.operation_id limit 1000`

/** $1 organization, $2 operations, $3 environment. */
export const leafRowsById = `select ${leafColumns} from operations where organization_id = $1 and operation_id = any ($2::uuid[]) and environment = $3`

/** Tenants with documents and no log yet. */
export const tenantsWithoutLog = `select g.organization_id, v.environment
from organizations g cross join (values ('sandbox'), ('production')) v (environment)
where not exists (select from journal_logs l where l.organization_id = g.organization_id and l.environment = v.environment)
  and ${hasDocuments}`
