import { leafColumns } from "./leafRows.ts"

/** Documents whose leaves are compared by one read. */
export const auditBatch = 1_000

const ofDocument = leafColumns.replaceAll(/(?<![\w(])(organization_id|operation_id|environment)\b/g, "o.$1")

/** $1 organization, $2 environment, $3 index: entries from there on, each with its document's row if it exists. */
export const entriesFrom = `select e.operation_id as entry_id, e.first_position, e.first_index, e.leaves, ${ofDocument}
from (select * from journal_log_entries where organization_id = $1 and environment = $2 and first_index >= $3 order by first_index limit ${auditBatch}) e
left join operations o on o.organization_id = e.organization_id and o.operation_id = e.operation_id
order by e.first_index`

/** Every log. */
export const allLogs = "select organization_id, environment, size from journal_logs order by organization_id, environment"

/** $1 organization, $2 environment. */
export const allCheckpoints = `select size, note, signed_at from journal_checkpoints where organization_id = $1 and environment = $2 order by size`

/** Tiles of 8 KiB in one read. */
export const tilesAtOnce = 500

/** $1 organization, $2 environment, $3 level, $4 position: the tiles of a level from there on. */
export const tilesFrom = `select position, hashes from journal_log_tiles where organization_id = $1 and environment = $2 and level = $3 and position >= $4
order by position limit ${tilesAtOnce}`

/** $1 organization, $2 environment: documents whose count of sealed transitions is not that of their entries. */
export const miscounted = `select o.operation_id, o.sealed, coalesce(e.leaves, 0)::int4 as leaves from operations o
left join (select operation_id, sum(leaves) as leaves from journal_log_entries where organization_id = $1 and environment = $2 group by operation_id) e
  on e.operation_id = o.operation_id
where o.organization_id = $1 and o.environment = $2 and o.sealed <> coalesce(e.leaves, 0) order by o.operation_id limit 1000`

/** $1 organization, $2 environment: documents with no attempt in flight that have waited for the sealer for ten minutes. */
export const waitingLong = `select operation_id from operations where organization_id = $1 and environment = $2 and sealed < revision
  and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING') and updated_at < now() - interval '10 minutes' order by updated_at limit 1000`

/** Tenants with documents and no log yet. */
export const tenantsWithoutLog = `select g.organization_id, v.environment
from organizations g cross join (values ('sandbox'), ('production')) v (environment)
where not exists (select from journal_logs l where l.organization_id = g.organization_id and l.environment = v.environment)
  and exists (select from operations o where o.organization_id = g.organization_id and o.environment = v.environment)`
