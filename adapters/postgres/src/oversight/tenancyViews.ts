import type {
  AccessOversight,
  CredentialEntry,
  DeliverySettings,
  ElementEntry,
  ElementOversight,
  GrantableScope,
  MemberEntry,
  WaitingRole,
  MemberRole,
  OrganizationEntry,
  OrganizationId,
  PoolEntry,
  TaxpayerEntry,
  TaxpayerId,
  TenancyOversight
} from "@overa/domain"
import { Effect, Option } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import { licenceNow } from "../PgLicenseRegister.ts"
import { utc, utcOrNull } from "../rows/OperationRow.ts"
import {
  decodeElement,
  decodePremise,
  decodeTaxpayer,
  elementColumns,
  type ElementRow,
  premiseColumns,
  type PremiseRow,
  taxpayerColumns,
  type TaxpayerRow
} from "../rows/TenancyRows.ts"
import { vpfrAnswers } from "./vpfrAnswers.ts"

interface OrganizationRow {
  readonly organization_id: string
  readonly name: string
  readonly created_at: Date
}

interface TaxpayerViewRow extends TaxpayerRow {
  readonly organization_id: string
  readonly vat_status_since: string | null
  readonly enabled: boolean | null
  readonly sender_name: string | null
  readonly reply_to: string | null
  readonly locale: DeliverySettings["locale"]
  readonly formats: DeliverySettings["formats"]
}

interface ElementViewRow extends ElementRow {
  readonly organization_id: string
  readonly tax_identifier: string
  readonly tin: string
}

interface CredentialRow {
  readonly client_id: string
  readonly organization_id: string
  readonly environment: CredentialEntry["environment"]
  readonly scopes: ReadonlyArray<GrantableScope>
  readonly name: string | null
  readonly premises: CredentialEntry["premises"]
  readonly former_until: Date | null
  readonly created_at: Date
  readonly revoked_at: Date | null
  readonly last_used_at: Date | null
}

const taxpayersStatement = `select t.organization_id, ${taxpayerColumns}, to_char(t.vat_status_since, 'YYYY-MM-DD') as vat_status_since,
    d.enabled, d.sender_name, d.reply_to, d.locale, d.formats
  from taxpayers t left join delivery_settings d using (organization_id, taxpayer_id)
  where ($1::uuid is null or t.organization_id = $1) and ($2::uuid is null or t.taxpayer_id = $2)
  order by t.organization_id, t.environment, t.created_at`

const premisesStatement = `select ${premiseColumns} from business_premises p
  where ($1::uuid is null or p.organization_id = $1) and ($2::uuid is null or p.taxpayer_id = $2)
  order by p.created_at`

const taxpayerEntries = Effect.fnUntraced(function*(database: PgQueries, organizationId: OrganizationId | null, id: TaxpayerId | null) {
  const rows = yield* database.read<TaxpayerViewRow>(taxpayersStatement, [organizationId, id])
  const premises = (yield* database.read<PremiseRow>(premisesStatement, [organizationId, id])).map(decodePremise)
  return rows.map((row): TaxpayerEntry => ({
    organizationId: row.organization_id as OrganizationId,
    taxpayer: decodeTaxpayer(row),
    vatStatusSince: row.vat_status_since,
    preferredPaperFormat: row.preferred_paper_format,
    premises: premises.filter((premise) => premise.taxpayerId === row.taxpayer_id),
    delivery: row.enabled === null
      ? null
      : { enabled: row.enabled, senderName: row.sender_name, replyTo: row.reply_to, locale: row.locale, formats: row.formats }
  }))
})

const elementsStatement = `select e.organization_id, e.tin, t.tax_identifier, ${elementColumns}
  from security_elements e join taxpayers t using (organization_id, taxpayer_id)
  where ($1::uuid is null or e.organization_id = $1) and ($2::uuid is null or e.element_id = $2)
  order by e.valid_to, e.element_id`

const elementEntries = Effect.fnUntraced(function*(database: PgQueries, organizationId: string | null, id: string | null) {
  const rows = yield* database.read<ElementViewRow>(elementsStatement, [organizationId, id])
  return rows.map((row): ElementEntry => ({
    organizationId: row.organization_id as OrganizationId,
    taxIdentifier: row.tax_identifier,
    tin: row.tin,
    element: decodeElement(row)
  }))
})

const organizations = Effect.fnUntraced(function*(database: PgQueries) {
  const rows = yield* database.read<OrganizationRow>("select organization_id, name, created_at from organizations order by name, created_at")
  return rows.map((row): OrganizationEntry => ({ id: row.organization_id as OrganizationId, name: row.name, createdAt: utc(row.created_at) }))
})

const members = Effect.fnUntraced(function*(database: PgQueries, organizationId: OrganizationId) {
  const rows = yield* database.read<{ readonly person: string; readonly role: MemberRole; readonly added_at: Date; readonly effective: boolean }>(
    "select person, role, added_at, person_id is not null as effective from members where organization_id = $1 order by role desc, person",
    [organizationId]
  )
  return rows.map((row): MemberEntry => ({ person: row.person, role: row.role, addedAt: utc(row.added_at), effective: row.effective }))
})

const waitingRoles = Effect.fnUntraced(function*(database: PgQueries) {
  const rows = yield* database.read<{ readonly organization_id: string; readonly name: string; readonly person: string; readonly role: MemberRole; readonly added_at: Date }>(
    `select organization_id, o.name, m.person, m.role, m.added_at from members m join organizations o using (organization_id)
     where m.person_id is null order by o.name, m.person`
  )
  return rows.map((row): WaitingRole => ({
    organizationId: row.organization_id as OrganizationId,
    organization: row.name,
    person: row.person,
    role: row.role,
    addedAt: utc(row.added_at),
    effective: false
  }))
})

const pool = Effect.fnUntraced(function*(database: PgQueries) {
  const rows = yield* database.read<{ readonly jid: string; readonly subject: string; readonly valid_to: Date; readonly added_at: Date }>(
    "select jid, subject, valid_to, added_at from element_pool order by added_at, jid"
  )
  return rows.map((row): PoolEntry => ({ jid: row.jid, subject: row.subject, validTo: utc(row.valid_to), addedAt: utc(row.added_at) }))
})

const credentials = Effect.fnUntraced(function*(database: PgQueries, organizationId: OrganizationId | null) {
  const rows = yield* database.read<CredentialRow>(
    `select client_id, organization_id, environment, scopes, name, premises, former_until, created_at, revoked_at, last_used_at from credentials
     where $1::uuid is null or organization_id = $1 order by created_at, client_id`,
    [organizationId]
  )
  return rows.map((row): CredentialEntry => ({
    clientId: row.client_id,
    organizationId: row.organization_id as OrganizationId,
    environment: row.environment,
    scopes: row.scopes,
    name: row.name,
    premises: row.premises,
    formerSecretUntil: utcOrNull(row.former_until),
    createdAt: utc(row.created_at),
    revokedAt: utcOrNull(row.revoked_at),
    lastUsedAt: utcOrNull(row.last_used_at)
  }))
})

/** Organizations, their members and their taxpayers. */
export const tenancyViews = (database: PgQueries): TenancyOversight["Service"] => ({
  organizations: organizations(database),
  waitingRoles: waitingRoles(database),
  members: (organizationId) => members(database, organizationId),
  taxpayers: (organizationId) => taxpayerEntries(database, organizationId, null),
  taxpayer: (id) => Effect.map(taxpayerEntries(database, null, id), ([entry]) => Option.fromNullishOr(entry))
})

/** Security elements with their premises, and the pool for the sandbox. */
export const elementViews = (database: PgQueries): ElementOversight["Service"] => ({
  elements: (organizationId) => elementEntries(database, organizationId, null),
  element: (id) => Effect.map(elementEntries(database, null, id), ([entry]) => Option.fromNullishOr(entry)),
  pool: pool(database),
  vpfrAnswers: vpfrAnswers(database)
})

/** Credentials and licences. */
export const accessViews = (database: PgQueries): AccessOversight["Service"] => ({
  credentials: (organizationId) => credentials(database, organizationId),
  digestKeys: database.read(
    `select k.id as "keyId", count(distinct (organization_id, client_id))::int as credentials from credentials,
       lateral (select digest_key as id union all select former_digest_key where former_until > now()) k
     where revoked_at is null group by 1 order by 1`
  ),
  ownCredentials: (organizationId) =>
    Effect.map(
      database.read<{ readonly allowed: boolean }>("select own_credentials as allowed from organizations where organization_id = $1", [organizationId]),
      ([row]) => row?.allowed ?? false
    ),
  operators: Effect.map(
    database.read<{ readonly count: number }>(`select count(*)::int as count from people p
        where operator and (totp_secrets is not null or exists (select from portal_passkeys k where k.person_id = p.person_id))`),
    ([row]) => row?.count ?? 0
  ),
  license: (organizationId) => licenceNow(database, organizationId)
})
