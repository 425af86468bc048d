import { Buyer, type Environment, ExternalAdvance, type OpenedAdvanceCase, type Operation, type OrganizationId, type WorkflowId } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { decodeOperation, operationColumns, type OperationRow, utc } from "../rows/OperationRow.ts"
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

const documentsOf = `select ${operationColumns} from advance_documents join operations using (organization_id, operation_id)
  where organization_id = $1 and case_id = $2 order by place`

/** The documents of a case in the order they were reserved. */
export const readDocuments = Effect.fnUntraced(function*(statements: PgStatements, organizationId: string, caseId: string) {
  const rows = yield* statements.query<OperationRow>(documentsOf, [organizationId, caseId])
  const documents: ReadonlyArray<Operation> = rows.map(decodeOperation)
  return documents
})

/** $1 organization, $2 case, $3 operations in their order. */
export const insertDocuments = `insert into advance_documents (organization_id, case_id, place, operation_id)
  select $1::uuid, $2::uuid, (select coalesce(max(place), 0) from advance_documents where organization_id = $1 and case_id = $2) + d.ordinal,
    d.operation_id
  from unnest($3::uuid[]) with ordinality as d (operation_id, ordinal) on conflict do nothing`
