import { Buyer, type Environment, ExternalAdvance, type OpenedAdvanceCase, type Operation, type OrganizationId, type WorkflowId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { decodeOperation, operationColumns, type OperationRow, utc } from "../rows/OperationRow.ts"
import type { SettledDocuments } from "./SettledDocuments.ts"
import { fromStoredJson, toStoredJson } from "../rows/storedJson.ts"

/** A row of `advance_cases` as the driver reads it. */
export interface CaseRow {
  readonly organization_id: string
  readonly case_id: string
  readonly environment: Environment
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly client_id: string
  readonly key: string
  readonly key_target: string
  readonly key_body: string
  readonly fingerprint_version: number
  readonly fingerprint_digest: string
  readonly client_reference: string
  readonly buyer: string | null
  readonly external_advance: string | null
  readonly created_at: Date
}

export const caseColumns = `organization_id, case_id, environment, taxpayer_id, premise_id, client_id, key, key_target, key_body,
  fingerprint_version, fingerprint_digest, client_reference, buyer, external_advance, created_at`

const readBuyer = fromStoredJson(Buyer)
const readExternalAdvance = fromStoredJson(ExternalAdvance)



export const decodeCase = (row: CaseRow): OpenedAdvanceCase => ({
  id: row.case_id as WorkflowId,
  organizationId: row.organization_id as OrganizationId,
  environment: row.environment,
  taxpayerId: row.taxpayer_id as OpenedAdvanceCase["taxpayerId"],
  businessPremiseId: row.premise_id as OpenedAdvanceCase["businessPremiseId"],
  clientId: row.client_id,
  boundKey: {
    role: "REQUEST",
    key: row.key,
    target: row.key_target,
    body: row.key_body,
    fingerprint: { version: row.fingerprint_version, digest: row.fingerprint_digest }
  },
  clientReference: row.client_reference,
  buyer: row.buyer === null ? null : readBuyer(row.buyer),
  externalAdvance: row.external_advance === null ? null : readExternalAdvance(row.external_advance),
  createdAt: utc(row.created_at)
})

export const caseParameters = (opened: OpenedAdvanceCase): ReadonlyArray<unknown> => [
  opened.organizationId,
  opened.id,
  opened.environment,
  opened.taxpayerId,
  opened.businessPremiseId,
  opened.clientId,
  opened.boundKey.key,
  opened.boundKey.target,
  opened.boundKey.body,
  opened.boundKey.fingerprint.version,
  opened.boundKey.fingerprint.digest,
  opened.clientReference,
  opened.buyer === null ? null : toStoredJson(opened.buyer),
  opened.externalAdvance === null ? null : toStoredJson(opened.externalAdvance),
  new Date(DateTime.toEpochMillis(opened.createdAt))
]

export const insertCase = `insert into advance_cases (${caseColumns})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing returning case_id`
export const caseById = `select ${caseColumns} from advance_cases where organization_id = $1 and case_id = $2`
export const caseByKey = `select ${caseColumns} from advance_cases where organization_id = $1 and key = $2`
/** Every mutation of a case takes this lock before it reads the case's documents. */
export const lockCase = `${caseById} for update`

interface Place {
  readonly operation_id: string
  readonly version: string
}

// A row that only holds a key is no document, also where it has the id of one.
const isDocument = "environment in ('sandbox', 'production')"

// What may still change in a receipt's row: how often it was searched for, and the buyer's details, which can be erased. Each document is looked up
// by its whole key, one by one: with a join or a list of keys, a plan made for a small table reads every document of the organization (seen: each
// payment of a case read its organization's whole history once for every document).
export const placesOf = `select d.operation_id, o.version from advance_documents d
  cross join lateral (
    select concat_ws(' ', status, revision, attempt, updated_at, length(buyer_details)) as version from operations
    where organization_id = $1 and operation_id = d.operation_id and ${isDocument} offset 0) o
  where d.organization_id = $1 and d.case_id = $2 order by d.place`
export const documentsById = `select o.* from unnest($2::uuid[]) as wanted (id)
  cross join lateral (select ${operationColumns} from operations where organization_id = $1 and operation_id = wanted.id and ${isDocument} offset 0) o`

/**
 * The documents of a case in the order they were reserved. Receipts that this process has read before are not read again.
 *
 * Two statements: a document that is concluded between them is read in its new state and cached under its old version, which no later read finds.
 */
export const readDocuments = Effect.fnUntraced(function*(statements: PgStatements, settled: SettledDocuments, organizationId: string, caseId: string) {
  const places = yield* statements.query<Place>(placesOf, [organizationId, caseId])
  const documents = new Map<string, Operation>()
  for (const { operation_id: id, version } of places) {
    const known = settled.find(organizationId, id, version)
    if (known !== undefined) documents.set(id, known)
  }
  const unknown = places.filter(({ operation_id: id }) => !documents.has(id))
  const rows = unknown.length === 0 ? [] : yield* statements.query<OperationRow>(documentsById, [organizationId, unknown.map(({ operation_id: id }) => id)])
  for (const operation of rows.map(decodeOperation)) documents.set(operation.id, operation)
  for (const { operation_id: id, version } of unknown) {
    const operation = documents.get(id)
    if (operation !== undefined) settled.keep(version, operation)
  }
  return places.flatMap(({ operation_id: id }) => documents.get(id) ?? []) as ReadonlyArray<Operation>
})

/** $1 organization, $2 case, $3 operations in their order. */
export const insertDocuments = `insert into advance_documents (organization_id, case_id, place, operation_id)
  select $1::uuid, $2::uuid, (select coalesce(max(place), 0) from advance_documents where organization_id = $1 and case_id = $2) + d.ordinal,
    d.operation_id
  from unnest($3::uuid[]) with ordinality as d (operation_id, ordinal) on conflict do nothing`
