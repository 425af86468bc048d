import type {
  AttentionEntry,
  AttentionOversight,
  FiscalDocumentId,
  InstallationOversight,
  OperationOversight,
  OrganizationId,
  ReferenceKey,
  UnresolvedEntry
} from "@overa/domain"
import { Effect, Option } from "effect"
import { attentionColumns, type AttentionRow, decodeAttention } from "../administration/recordActs.ts"
import type { PgDatabase, PgQueries } from "../PgDatabase.ts"
import { utc, utcOrNull } from "../rows/OperationRow.ts"
import { searchActivity } from "./activityViews.ts"

interface UnresolvedRow {
  readonly organization_id: string
  readonly environment: UnresolvedEntry["environment"]
  readonly operation_id: string
  readonly status: UnresolvedEntry["status"]
  readonly created_at: Date
  readonly checks: number
  readonly next_check_at: Date | null
}

const decodeUnresolved = (row: UnresolvedRow): UnresolvedEntry => ({
  organizationId: row.organization_id as OrganizationId,
  environment: row.environment,
  id: row.operation_id as FiscalDocumentId,
  status: row.status,
  createdAt: utc(row.created_at),
  checks: row.checks,
  nextCheckAt: utcOrNull(row.next_check_at)
})

const unresolvedColumns = "organization_id, environment, operation_id, status, created_at, checks, next_check_at"

const unresolved = Effect.fnUntraced(function*(database: PgQueries, limit: number) {
  const rows = yield* database.read<UnresolvedRow>(
    `select ${unresolvedColumns} from operations where status in ('OUTCOME_UNKNOWN', 'RECONCILING')
     order by created_at, operation_id limit $1`,
    [limit]
  )
  return rows.map(decodeUnresolved)
})

// The operator names an operation by its id alone, so this searches every organization, over the primary key of each.
const operation = Effect.fnUntraced(function*(database: PgQueries, id: FiscalDocumentId) {
  const [row] = yield* database.read<UnresolvedRow>(
    `select ${unresolvedColumns} from operations
     where organization_id in (select organization_id from organizations) and operation_id = $1`,
    [id]
  )
  return row === undefined ? Option.none<UnresolvedEntry>() : Option.some(decodeUnresolved(row))
})

interface AttentionEntryRow extends AttentionRow {
  readonly acknowledged_at: Date | null
  readonly acknowledged_by: string | null
  readonly acknowledgement: string | null
}

const entryColumns = `${attentionColumns}, acknowledged_at, acknowledged_by, acknowledgement`

const decodeEntry = (row: AttentionEntryRow): AttentionEntry => ({
  ...decodeAttention(row),
  acknowledgedAt: utcOrNull(row.acknowledged_at),
  acknowledgedBy: row.acknowledged_by,
  acknowledgement: row.acknowledgement
})

const attentionOf = Effect.fnUntraced(function*(database: PgQueries, organizationId: OrganizationId, id: FiscalDocumentId) {
  const rows = yield* database.read<AttentionEntryRow>(
    `select ${entryColumns} from attention where organization_id = $1 and operation_id = $2 order by raised_at, attention_id`,
    [organizationId, id]
  )
  return rows.map(decodeEntry)
})

const openAttention = Effect.fnUntraced(function*(database: PgQueries, organizationId: OrganizationId | null, limit: number) {
  const rows = yield* database.read<AttentionRow>(
    `select ${attentionColumns} from attention
     where acknowledged_at is null and ($1::uuid is null or organization_id = $1) order by raised_at, attention_id limit $2`,
    [organizationId, limit]
  )
  return rows.map(decodeAttention)
})

const attention = Effect.fnUntraced(function*(database: PgQueries, id: string) {
  const [row] = yield* database.read<AttentionEntryRow>(`select ${entryColumns} from attention where attention_id::text = $1`, [id])
  return row === undefined ? Option.none<AttentionEntry>() : Option.some(decodeEntry(row))
})

interface ReferenceKeyRow {
  readonly environment: ReferenceKey["environment"]
  readonly kind: ReferenceKey["kind"]
  readonly name: string
  readonly pem: string
  readonly added_at: Date
}

const referenceKeys = Effect.fnUntraced(function*(database: PgQueries) {
  const rows = yield* database.read<ReferenceKeyRow>(
    "select environment, kind, name, pem, added_at from reference_keys order by environment, kind, added_at"
  )
  return rows.map(({ added_at, ...key }): ReferenceKey => ({ ...key, addedAt: utc(added_at) }))
})

/** Operations with an unknown outcome. */
export const operationViews = (database: PgQueries): OperationOversight["Service"] => ({
  unresolved: (limit) => unresolved(database, limit),
  operation: (id) => operation(database, id)
})

/** The attention list. */
export const attentionViews = (database: PgQueries): AttentionOversight["Service"] => ({
  attentionOf: (organizationId, id) => attentionOf(database, organizationId, id),
  attention: (id) => attention(database, id),
  openAttention: (organizationId, limit) => openAttention(database, organizationId, limit)
})

/** The activity log and the keys that others' signatures are verified with. */
export const installationViews = (database: PgDatabase["Service"]): Pick<InstallationOversight["Service"], "searchActivity" | "referenceKeys"> => ({
  searchActivity: (filter) => searchActivity(database, filter),
  referenceKeys: referenceKeys(database)
})
