import { type Branding, BrandingStore, type BrandingLogo, Identifiers, type TaxpayerId, type Tenant } from "@overa/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { PgDatabase } from "./PgDatabase.ts"

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

// The taxpayer is matched with its environment before the version is written, so nobody brands another tenant's receipts.
const saveStatement = `
with owner as (
  select organization_id, taxpayer_id from taxpayers where organization_id = $1 and environment = $2 and taxpayer_id = $3
),
version as (
  insert into branding_versions (organization_id, branding_id, taxpayer_id, contact_lines, logo, logo_media_type, thank_you_note, created_at)
  select organization_id, $4::uuid, taxpayer_id, $5::text[], $6::bytea, $7::text, $8::text, $9::timestamptz from owner
  returning organization_id, taxpayer_id, branding_id
)
update taxpayers t set branding_id = version.branding_id, updated_at = $9 from version
where t.organization_id = version.organization_id and t.taxpayer_id = version.taxpayer_id
returning t.branding_id`

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
    save: Effect.fn("BrandingStore.save")(function*(tenant: Tenant, taxpayerId: TaxpayerId, branding: Branding) {
      const id = yield* identifiers.uuid
      const at = yield* DateTime.now
      const rows = yield* database.read(saveStatement, [
        tenant.organizationId,
        tenant.environment,
        taxpayerId,
        id,
        branding.contactLines,
        branding.logo?.bytes ?? null,
        branding.logo?.mediaType ?? null,
        branding.thankYouNote,
        new Date(DateTime.toEpochMillis(at))
      ])
      // The port has no refusal for it: whoever saves has just read the taxpayer.
      if (rows.length === 0) return yield* Effect.die(new Error(`There is no taxpayer ${taxpayerId} in this organization and environment`))
      return id
    })
  })
})

/** Branding versions; a version once saved is never changed. */
export const layerBrandingStore: Layer.Layer<BrandingStore, never, PgDatabase | Identifiers> = Layer.effect(BrandingStore, make)
