import { changesOf, type Tenant, type WorkflowLink } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { noteEndedLicences, storeNotedEvents, takeNotedRows } from "../events/notedRows.ts"
import type { PgDatabase, PgStatements } from "../PgDatabase.ts"
import { type ExtrasOwner, readTransitions } from "./leafRows.ts"
import { readExtras } from "./readLeaves.ts"

/** Log entries read for events by one commit. */
const entriesAtOnce = 1_000

/** Tenants whose log has leaves that were not read for events, or that have noted changes without a number. */
const unnumberedTenants = `select organization_id, environment from noted_changes union select l.organization_id, l.environment from journal_logs l
left join event_heads h on h.organization_id = l.organization_id and h.environment = l.environment
where l.size > 0 and (h.leaves is null or h.leaves < l.size)`

/** $1 organization, $2 environment. */
const openHead = "insert into event_heads (organization_id, environment, sequence, leaves) values ($1, $2, 0, 0) on conflict do nothing"

/** $1 organization, $2 environment: no row where another worker numbers these events. */
const lockHead = "select sequence, leaves from event_heads where organization_id = $1 and environment = $2 for update skip locked"

/**
 * $1 organization, $2 environment, $3 leaves read before, $4 rows: the next entries of the log, in its order. Each document is looked up by its whole
 * key, one by one: with a join, a plan made for a small table reads every document of the organization.
 */
export const nextEntries = `select e.first_index, e.first_position, e.leaves, o.operation_id, o.workflow_type, o.attempt, o.request_id, o.history, o.revision
from (select * from journal_log_entries l where l.organization_id = $1 and l.environment = $2 and l.first_index >= $3 order by l.first_index limit $4) e
cross join lateral (
    select d.operation_id, d.workflow_type, d.attempt, d.request_id, d.history, d.revision from operations d
    where d.organization_id = $1 and d.operation_id = e.operation_id offset 0) o
order by e.first_index`

/** $1 organization, $2 environment, $3 first sequence, $4 types, $5 times, $6 operations, $7 positions. */
const insertEvents = `insert into events (organization_id, environment, sequence, type, at, operation_id, position)
select $1, $2, $3::int8 + many.place - 1, many.type, many.at, many.operation_id, many.position
from unnest($4::text[], $5::timestamptz[], $6::uuid[], $7::int4[]) with ordinality as many (type, at, operation_id, position, place)`

/** $1 organization, $2 environment, $3 leaves before, $4 leaves, $5 events added: no row where somebody else has numbered them. */
const moveHead = `update event_heads set leaves = $4, sequence = sequence + $5
where organization_id = $1 and environment = $2 and leaves = $3 returning sequence`

interface EntryRow extends ExtrasOwner {
  readonly first_index: bigint
  readonly first_position: number
  readonly leaves: number
  readonly workflow_type: WorkflowLink["type"] | null
}

type Extras = Effect.Success<ReturnType<typeof readExtras>>

const eventsOf = (row: EntryRow, extrasOf: Extras) => {
  // A row with an unreadable history: `journal verify` reports it.
  const transitions = readTransitions(row, extrasOf(row.operation_id).transitions) ?? []
  return transitions.slice(row.first_position - 1, row.first_position - 1 + row.leaves).flatMap((transition, place) =>
    changesOf(transition, row.workflow_type).map((type) => ({
      type, at: DateTime.toDateUtc(transition.at), operationId: row.operation_id, position: row.first_position + place
    }))
  )
}

/** The entries that continue the log without a gap; none is left out, whatever a statement has seen of it. */
const unbroken = (rows: ReadonlyArray<EntryRow>, leaves: number): ReadonlyArray<EntryRow> => {
  let next = leaves
  const broken = rows.findIndex((row) => {
    const isNext = Number(row.first_index) === next
    next += row.leaves
    return !isNext
  })
  return broken === -1 ? rows : rows.slice(0, broken)
}

interface Numbered {
  /** Leaves that were read. */
  readonly read: number
  /** Whether more can be read at once. */
  readonly more: boolean
}
const nothing: Numbered = { read: 0, more: false }

/** One commit: the events of the next entries of the log and of the noted changes, and the head. */
const numberBatch = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant) {
  const { environment, organizationId } = tenant
  const scope = [organizationId, environment]
  yield* tx.query(openHead, scope)
  const [head] = yield* tx.query<{ readonly sequence: bigint; readonly leaves: bigint }>(lockHead, scope)
  if (head === undefined) return nothing
  const before = Number(head.leaves)
  const rows = unbroken(yield* tx.query<EntryRow>(nextEntries, [...scope, before, entriesAtOnce]), before)
  const read = rows.reduce((sum, { leaves }) => sum + leaves, 0)
  const noted = yield* takeNotedRows(tx, tenant)
  if (read === 0 && noted.length === 0) return nothing
  const extrasOf = yield* readExtras(tx, organizationId, rows)
  const found = rows.flatMap((row) => eventsOf(row, extrasOf))
  const first = Number(head.sequence) + 1
  yield* tx.query(insertEvents, [
    ...scope, first, found.map(({ type }) => type), found.map(({ at }) => at), found.map(({ operationId }) => operationId), found.map(({ position }) => position)
  ])
  yield* storeNotedEvents(tx, tenant, first + found.length, noted)
  const [moved] = yield* tx.query(moveHead, [...scope, before, before + read, found.length + noted.length])
  if (moved === undefined) return yield* Effect.die(new Error("events were numbered under the lock of their head"))
  return { read, more: rows.length === entriesAtOnce || noted.length > 0 } satisfies Numbered
})

/**
 * Gives numbers to the events of every log's new leaves, of one log about `limit` leaves. The log is the order: its places are given after the commits
 * and without gaps (docs/adr/0084), so no transaction that still runs can add an event before one that has its number (docs/adr/0176).
 */
export const numberEvents = Effect.fn("numberEvents")(function*(database: PgDatabase["Service"], limit: number) {
  yield* noteEndedLicences(database)
  const waiting = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(unnumberedTenants)
  for (const row of waiting) {
    const tenant = { organizationId: row.organization_id, environment: row.environment } as Tenant
    for (let read = 0, more = true; more && read < limit;) {
      const batch = yield* database.transaction((tx) => numberBatch(tx, tenant))
      read += batch.read
      more = batch.more
    }
  }
})
