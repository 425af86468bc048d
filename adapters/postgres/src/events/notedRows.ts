import { licenseExpiry, type NotedType, type OrganizationId, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import type { PgDatabase, PgStatements } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"
import { noteChanges } from "./noteChanges.ts"

/** What one commit takes. */
const notesAtOnce = 1_000

/** $1 organization, $2 environment, $3 rows: what is taken is gone with the commit that numbers it. */
export const takeNotes = `delete from noted_changes where organization_id = $1 and environment = $2 and source = any (array(
    select source from noted_changes where organization_id = $1 and environment = $2 order by at, source limit $3))
returning source, type, at, subject_id, operation_id`

/** $1 organization, $2 environment, $3 sources. */
const numberedSources = "select source from events where organization_id = $1 and environment = $2 and source = any ($3::text[])"

/** A noted change as it is stored. */
export interface NotedRow {
  readonly source: string
  readonly type: NotedType
  readonly at: Date
  readonly subject_id: string
  readonly operation_id: string | null
}

/** Takes the changes that wait for numbers, in the order of their times. One that has its number already is taken and forgotten. */
export const takeNotedRows = Effect.fnUntraced(function*(tx: PgStatements, { environment, organizationId }: Tenant) {
  const scope = [organizationId, environment]
  const taken = yield* tx.query<NotedRow>(takeNotes, [...scope, notesAtOnce])
  if (taken.length === 0) return []
  const known = yield* tx.query<{ readonly source: string }>(numberedSources, [...scope, taken.map(({ source }) => source)])
  const sources = new Set(known.map(({ source }) => source))
  const inOrder = taken.toSorted((one, other) => one.at.getTime() - other.at.getTime() || (one.source < other.source ? -1 : 1))
  return inOrder.filter(({ source }) => !sources.has(source))
})

/** $1 organization, $2 environment, $3 first sequence, $4 types, $5 times, $6 sources, $7 subjects, $8 documents or ''. */
const insertNoted = `insert into events (organization_id, environment, sequence, type, at, source, subject_id, operation_id)
select $1, $2, $3::int8 + many.place - 1, many.type, many.at, many.source, many.subject_id, nullif(many.operation_id, '')::uuid
from unnest($4::text[], $5::timestamptz[], $6::text[], $7::uuid[], $8::text[]) with ordinality as many (type, at, source, subject_id, operation_id, place)`

/** Stores the events of noted changes, numbered from `first` on. */
export const storeNotedEvents = (tx: PgStatements, { environment, organizationId }: Tenant, first: number, rows: ReadonlyArray<NotedRow>) =>
  tx.query(insertNoted, [
    organizationId, environment, first, rows.map(({ type }) => type), rows.map(({ at }) => at), rows.map(({ source }) => source),
    rows.map(({ subject_id }) => subject_id), rows.map(({ operation_id }) => operation_id ?? "")
  ])

/** A licence that has ended without an event of that; only the event's name tells one end from another. */
const endedLicences = `select l.organization_id, l.expires_at from licences l where l.expires_at <= now() and not exists (
    select from events e where e.organization_id = l.organization_id and e.environment = 'production'
      and e.source = 'license.expired ' || trunc(extract(epoch from l.expires_at) * 1000)::text)`

/** Notes the licences whose end has passed: no commit of anybody says it. */
export const noteEndedLicences = Effect.fnUntraced(function*(database: PgDatabase["Service"]) {
  const ended = yield* database.read<{ readonly organization_id: OrganizationId; readonly expires_at: Date }>(endedLicences)
  for (const { expires_at, organization_id } of ended) {
    yield* database.transaction((tx) =>
      noteChanges(tx, { organizationId: organization_id, environment: "production" }, [licenseExpiry(organization_id, utc(expires_at))]))
  }
})
