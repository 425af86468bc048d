import {
  type BusinessPremiseId,
  type PremiseForIssuing,
  type SecurityElement,
  type TaxpayerId,
  type Tenant,
  TenancyDirectory
} from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { recentReads } from "./recentReads.ts"
import { utc } from "./rows/OperationRow.ts"
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
} from "./rows/TenancyRows.ts"

interface ActiveElementRow {
  readonly element_id: string
  readonly jid: string
  readonly environment: SecurityElement["environment"]
  readonly valid_to: Date
}

const taxpayersOf = `select ${taxpayerColumns} from taxpayers t where t.organization_id = $1 and t.environment = $2`
const activeTaxpayer = `${taxpayersOf} and t.taxpayer_id = $3 and t.status = 'active'`
const premisesOf = `select ${premiseColumns} from business_premises p
  where p.organization_id = $1 and p.environment = $2 and p.taxpayer_id = $3`
const activeElement = `select e.element_id, e.jid, e.environment, e.valid_to from security_elements e
  where e.organization_id = $1 and e.premise_id = $2 and e.status = 'ACTIVE'`

// The element is read whatever its environment: the use case refuses one of another environment than the caller's.
const loadForIssuing = Effect.fnUntraced(function*(
  database: PgDatabase["Service"],
  [organizationId, environment, taxpayerId, premiseId]: ReadonlyArray<string>
) {
  const [taxpayer] = yield* database.read<TaxpayerRow>(activeTaxpayer, [organizationId, environment, taxpayerId])
  if (taxpayer === undefined) return Option.none<PremiseForIssuing>()
  const [premise] = yield* database.read<PremiseRow>(`${premisesOf} and p.premise_id = $4`, [
    organizationId,
    environment,
    taxpayerId,
    premiseId
  ])
  const [element] = premise === undefined
    ? []
    : yield* database.read<ActiveElementRow>(activeElement, [organizationId, premiseId])
  return Option.some<PremiseForIssuing>({
    taxpayer: decodeTaxpayer(taxpayer),
    premise: premise === undefined ? null : decodePremise(premise),
    activeElement: element === undefined
      ? null
      : {
        id: element.element_id as SecurityElement["id"],
        jid: element.jid,
        environment: element.environment,
        validTo: utc(element.valid_to)
      },
    preferredPaperFormat: taxpayer.preferred_paper_format,
    brandingId: taxpayer.branding_id
  })
})

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const forIssuing = yield* recentReads((key) => loadForIssuing(database, key.split(" ")))
  return TenancyDirectory.of({
    premiseForIssuing: (tenant: Tenant, taxpayerId: TaxpayerId, businessPremiseId: BusinessPremiseId) =>
      forIssuing([tenant.organizationId, tenant.environment, taxpayerId, businessPremiseId].join(" ")),
    taxpayers: Effect.fn("TenancyDirectory.taxpayers")(function*(tenant: Tenant) {
      const rows = yield* database.read<TaxpayerRow>(`${taxpayersOf} order by t.created_at, t.taxpayer_id`, [
        tenant.organizationId,
        tenant.environment
      ])
      return rows.map(decodeTaxpayer)
    }),
    businessPremises: Effect.fn("TenancyDirectory.businessPremises")(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
      const scope = [tenant.organizationId, tenant.environment, taxpayerId]
      const taxpayers = yield* database.read(activeTaxpayer, scope)
      if (taxpayers.length === 0) return Option.none()
      const rows = yield* database.read<PremiseRow>(`${premisesOf} order by p.created_at, p.premise_id`, scope)
      return Option.some(rows.map(decodePremise))
    }),
    securityElements: Effect.fn("TenancyDirectory.securityElements")(function*(tenant: Tenant) {
      const rows = yield* database.read<ElementRow>(
        `select ${elementColumns} from security_elements e where e.organization_id = $1 and e.environment = $2
         order by e.created_at, e.element_id`,
        [tenant.organizationId, tenant.environment]
      )
      return rows.map(decodeElement)
    })
  })
})

/** Taxpayers, premises and elements; what every receipt reads is cached for two seconds. */
export const layerTenancyDirectory: Layer.Layer<TenancyDirectory, never, PgDatabase> = Layer.effect(TenancyDirectory, make)
