import { Context, type Effect, type Option } from "effect"
import type { BusinessPremise } from "../tenancy/BusinessPremise.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import type { Taxpayer } from "../tenancy/Taxpayer.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { PremiseForIssuing } from "../tenancy/PremiseForIssuing.ts"

/** Taxpayers, premises and elements of one tenant. Another tenant's object is answered as not found (Decisions §7). */
export class TenancyDirectory extends Context.Service<TenancyDirectory, {
  /** None when the taxpayer is not this tenant's or is inactive. May be up to two seconds old: it is read for every receipt. */
  readonly premiseForIssuing: (
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    businessPremiseId: BusinessPremiseId
  ) => Effect.Effect<Option.Option<PremiseForIssuing>, StoreUnavailable>
  readonly taxpayers: (tenant: Tenant) => Effect.Effect<ReadonlyArray<Taxpayer>, StoreUnavailable>
  readonly businessPremises: (
    tenant: Tenant,
    taxpayerId: TaxpayerId
  ) => Effect.Effect<Option.Option<ReadonlyArray<BusinessPremise>>, StoreUnavailable>
  readonly securityElements: (tenant: Tenant) => Effect.Effect<ReadonlyArray<SecurityElement>, StoreUnavailable>
}>()("@overa/domain/ports/TenancyDirectory") {}
