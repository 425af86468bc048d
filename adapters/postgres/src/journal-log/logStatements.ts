import { leafColumns } from "./leafRows.ts"

// Each statement names one organization, except the search for tenants that have something to seal, which takes no lock.

/** Tenants with committed transitions that are not in their log. */
export const unsealedTenants = `select g.organization_id, v.environment
from organizations g cross join (values ('sandbox'), ('production')) v (environment)
where exists (select from operations o where o.organization_id = g.organization_id and o.environment = v.environment
  and o.sealed < o.revision and o.status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING'))`

/** $1 organization, $2 environment. */
export const openLog = "insert into journal_logs (organization_id, environment, size) values ($1, $2, 0) on conflict do nothing"

/** $1 organization, $2 environment: the head, locked; no row where another worker is sealing this log. */
export const lockLog = "select size from journal_logs where organization_id = $1 and environment = $2 for update skip locked"

/**
 * $1 organization, $2 environment, $3 limit: documents with no attempt in flight and with transitions to seal, in the order in which they last
 * changed.
 */
export const unsealedRows = `select ${leafColumns} from operations
where organization_id = $1 and environment = $2 and sealed < revision and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')
order by updated_at, operation_id limit $3`

const givenFor = (parameter: string): string => `(${parameter}::int4[])[array_position($2::uuid[], operation_id)]`

/** $1 organization, $2 operations, $3 sealed before, $4 revisions: only rows that have not changed since they were read. */
export const markSealed = `update operations set sealed = revision
where organization_id = $1 and operation_id = any ($2::uuid[]) and sealed = ${givenFor("$3")} and revision = ${givenFor("$4")}
returning operation_id`

/** $1 organization, $2 environment, $3 operations, $4 first positions, $5 first indexes, $6 leaves. */
export const insertEntries = `insert into journal_log_entries (organization_id, environment, operation_id, first_position, first_index, leaves)
select $1, $2, many.* from unnest($3::uuid[], $4::int4[], $5::int8[], $6::int4[]) as many`

/** $1 organization, $2 environment, $3 level, $4 position, $5 hashes. */
export const putTile = `insert into journal_log_tiles (organization_id, environment, level, position, hashes) values ($1, $2, $3, $4, $5)
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
