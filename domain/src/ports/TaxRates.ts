import { Context, type Effect, Schema } from "effect"
import type { TaxRateHistory } from "../tax/TaxRateGroup.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { SecurityElementId } from "../tenancy/identifiers.ts"

/** The V-PFR gave no tax configuration that is fresh enough (Decisions §2). */
export class TaxConfigurationUnavailable
  extends Schema.TaggedError<TaxConfigurationUnavailable>()("TaxConfigurationUnavailable", { detail: Schema.String })
{}

/** The V-PFR's published tax rates. One fetch at a time for each element; refreshed in the background. */
export class TaxRates extends Context.Service<TaxRates, {
  /** The rates fetched for that element at most five minutes ago. */
  readonly fresh: (
    tenant: Tenant,
    elementId: SecurityElementId
  ) => Effect.Effect<TaxRateHistory, TaxConfigurationUnavailable>
  /** The last known rates, however old: for documents that use the rates of an earlier time. */
  readonly known: (tenant: Tenant, elementId: SecurityElementId) => Effect.Effect<TaxRateHistory | null>
  /** The V-PFR answered 2310: the cached rates may be stale. */
  readonly doubt: (elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/ports/TaxRates") {}
