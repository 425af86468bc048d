import { type Act, type Branding, BrandingChanged, BrandingStore, type BrandingLogo, Identifiers, type TaxpayerId, type Tenant } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { recordActivity, rightNow } from "./administration/activity.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"

interface BrandingRow {
  readonly contact_lines: ReadonlyArray<string>
  readonly logo: Uint8Array | null
  readonly logo_media_type: BrandingLogo["mediaType"] | null
  readonly thank_you_note: string | null
}

const decodeBranding = (row: BrandingRow): Branding => ({
  logo: row.logo === null || row.logo_media_type === null ? null : { mediaType: row.logo_media_type, bytes: new Uint8Array(row.logo) },
  contactLines: row.contact_lines,
  thankYouNote: row.thank_you_note
})

const versionStatement = `insert into branding_versions
  (organization_id, branding_id, taxpayer_id, contact_lines, logo, logo_media_type, thank_you_note, created_at)
  values ($1, $2, $3, $4::text[], $5, $6, $7, $8)`

const currentStatement = `select b.branding_id, b.contact_lines, b.logo, b.logo_media_type, b.thank_you_note from taxpayers t
  join branding_versions b using (organization_id, taxpayer_id, branding_id)
  where t.organization_id = $1 and t.taxpayer_id = $2 and t.environment = $3`

// The taxpayer's row is locked and checked against its tenant before the version is written: nobody can change another tenant's branding, and of two
// concurrent saves the second sees the first one's version.
const lockCurrent = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, taxpayerId: TaxpayerId) {
  const [row] = yield* tx.query<{ readonly branding_id: string | null }>(
    "select branding_id from taxpayers where organization_id = $1 and taxpayer_id = $2 and environment = $3 for update",
    [tenant.organizationId, taxpayerId, tenant.environment]
  )
  // The port has no refusal for this: the caller has just read the taxpayer.
  if (row === undefined) return yield* Effect.die(new Error(`There is no taxpayer ${taxpayerId} in this organization and environment`))
  return row.branding_id
})

interface NewVersion {
  readonly act: Act
  readonly tenant: Tenant
  readonly taxpayerId: TaxpayerId
  readonly branding: Branding
  readonly replaces: string | null | undefined
  readonly id: string
}

const saveVersion = Effect.fnUntraced(function*(tx: PgStatements, { act, branding, id, replaces, taxpayerId, tenant }: NewVersion) {
  const { organizationId } = tenant
  const before = yield* lockCurrent(tx, tenant, taxpayerId)
  if (replaces !== undefined && replaces !== before) return yield* new BrandingChanged({})
  const at = yield* rightNow
  const { contactLines, logo, thankYouNote } = branding
  const values = [contactLines, logo?.bytes ?? null, logo?.mediaType ?? null, thankYouNote]
  yield* tx.query(versionStatement, [organizationId, id, taxpayerId, ...values, at])
  yield* tx.query("update taxpayers set branding_id = $3, updated_at = $4 where organization_id = $1 and taxpayer_id = $2", [organizationId, taxpayerId, id, at])
  const after = { brandingId: id, contactLines, thankYouNote, logoBytes: logo?.bytes.length ?? 0 }
  yield* recordActivity(tx, act, { organizationId, act: "branding changed", subject: taxpayerId, before: { brandingId: before }, after })
})

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const identifiers = yield* Identifiers
  return BrandingStore.of({
    find: Effect.fn("BrandingStore.find")(function*(tenant: Tenant, brandingId: string) {
      const [row] = yield* database.read<BrandingRow>(
        `select b.contact_lines, b.logo, b.logo_media_type, b.thank_you_note from branding_versions b
         join taxpayers t using (organization_id, taxpayer_id)
         where b.organization_id = $1 and b.branding_id::text = $2 and t.environment = $3`,
        [tenant.organizationId, brandingId, tenant.environment]
      )
      return Option.map(Option.fromNullishOr(row), decodeBranding)
    }),
    current: Effect.fn("BrandingStore.current")(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
      const [row] = yield* database.read<BrandingRow & { readonly branding_id: string }>(
        currentStatement,
        [tenant.organizationId, taxpayerId, tenant.environment]
      )
      return Option.map(Option.fromNullishOr(row), (found) => ({ id: found.branding_id, branding: decodeBranding(found) }))
    }),
    save: Effect.fn("BrandingStore.save")(function*(act: Act, tenant: Tenant, taxpayerId: TaxpayerId, branding: Branding, replaces?: string | null) {
      const id = yield* identifiers.uuid
      yield* database.transaction((tx) => saveVersion(tx, { act, tenant, taxpayerId, branding, replaces, id }))
      return id
    })
  })
})

/** Branding versions; a version once saved is never changed. */
export const layerBrandingStore: Layer.Layer<BrandingStore, never, PgDatabase | Identifiers> = Layer.effect(BrandingStore, make)
