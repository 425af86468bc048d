import { BillingAccounts, type CalendarMonth, type LicenseChange, type LicenseModule, monthRange, type OrganizationId } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { PgDatabase } from "../PgDatabase.ts"
import { utc, utcOrNull } from "../rows/OperationRow.ts"

interface ChangeRow {
  readonly changed_at: Date
  readonly starts_at: Date
  readonly expires_at: Date | null
  readonly suspended: boolean
  readonly modules: ReadonlyArray<LicenseModule>
}

interface BuyerRow {
  readonly organization_name: string
  readonly name: string | null
  readonly tax_identifier: string | null
  readonly address: string | null
  readonly city: string | null
}

// The present licence is added to the noted changes: a host of an earlier release notes none while the installation is upgraded.
const everyChange = `select organization_id, changed_at, starts_at, expires_at, suspended, modules from licence_changes
  union all select organization_id, updated_at, starts_at, expires_at, suspended, modules from licences`

/** $1 and $2 the month's range, $3 the month, $4 after this organization or null, $5 limit. */
const readUnbilled = `select c.organization_id from (${everyChange}) c
where not c.suspended and c.changed_at < $2 and c.starts_at < $2 and (c.expires_at is null or c.expires_at > $1) and ($4::uuid is null or c.organization_id > $4)
  and not exists (select from invoices i where i.organization_id = c.organization_id and i.month = $3)
group by c.organization_id order by c.organization_id limit $5`

// At one instant, the present licence (without the fraction of a millisecond) comes first and the noted changes after it.
const readChanges = `select changed_at, starts_at, expires_at, suspended, modules from licence_changes where organization_id = $1
union all select updated_at, starts_at, expires_at, suspended, modules from licences where organization_id = $1
order by changed_at`

const readBuyer = `select o.name as organization_name, t.name, t.tax_identifier, t.address, t.city
from organizations o left join taxpayers t on t.organization_id = o.organization_id and t.environment = 'production'
where o.organization_id = $1 order by (t.status = 'active') desc nulls last, t.created_at, t.taxpayer_id limit 1`

const decodeChange = (row: ChangeRow): LicenseChange => ({
  changedAt: utc(row.changed_at),
  startsAt: utc(row.starts_at),
  expiresAt: utcOrNull(row.expires_at),
  suspended: row.suspended,
  modules: row.modules
})

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  return BillingAccounts.of({
    unbilled: Effect.fn("BillingAccounts.unbilled")(function*(month: CalendarMonth, after: OrganizationId | null, limit: number) {
      const { from, to } = monthRange(month)
      const rows = yield* database.read<{ readonly organization_id: OrganizationId }>(
        readUnbilled,
        [DateTime.toDateUtc(from), DateTime.toDateUtc(to), month, after, limit]
      )
      return rows.map((row) => row.organization_id)
    }),
    buyer: Effect.fn("BillingAccounts.buyer")(function*(organizationId: OrganizationId) {
      const [row] = yield* database.read<BuyerRow>(readBuyer, [organizationId])
      if (row === undefined) return yield* Effect.die(new Error(`There is no organization ${organizationId}.`))
      return {
        organizationName: row.organization_name,
        name: row.name ?? row.organization_name,
        taxIdentifier: row.tax_identifier,
        address: row.address,
        city: row.city
      }
    }),
    licenseChanges: (organizationId) => Effect.map(database.read<ChangeRow>(readChanges, [organizationId]), (rows) => rows.map(decodeChange))
  })
})

/** The organizations that are billed, and what is charged. */
export const layerBillingAccounts: Layer.Layer<BillingAccounts, never, PgDatabase> = Layer.effect(BillingAccounts, make)
