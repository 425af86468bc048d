import { DateTime, Duration, Effect } from "effect"
import { TaxRates } from "../ports/TaxRates.ts"
import { CurrentTaxConfigurationUnavailable } from "../tax/errors.ts"
import { groupAt } from "../tax/currentGroup.ts"
import type { TaxRateHistory } from "../tax/TaxRateGroup.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { SecurityElementId } from "../tenancy/identifiers.ts"
import type { KeyKnown } from "./issueDocument.ts"

/** A configuration older than this is not fresh (Decisions §2). */
const freshFor = Duration.minutes(5)

const isFresh = (history: TaxRateHistory, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(history.fetchedAt, freshFor), now)

/**
 * Step 9: the rates in force now for an element, from a configuration the V-PFR gave at most five minutes ago. Where it must be
 * fetched, `beforeWaiting` runs first, so that a stored answer does not wait for the V-PFR.
 */
export const freshTaxRates = Effect.fnUntraced(function*(
  tenant: Tenant,
  elementId: SecurityElementId,
  beforeWaiting: Effect.Effect<void, KeyKnown>
) {
  const rates = yield* TaxRates
  const now = yield* DateTime.now
  const known = yield* rates.known(tenant, elementId)
  if (known === null || !isFresh(known, now)) yield* beforeWaiting
  const history = known !== null && isFresh(known, now)
    ? known
    : yield* rates.fresh(tenant, elementId).pipe(
      Effect.catchTag("TaxConfigurationUnavailable", () => Effect.fail(new CurrentTaxConfigurationUnavailable({})))
    )
  const group = groupAt(history.groups, now)
  return group === null ? yield* new CurrentTaxConfigurationUnavailable({}) : group
})

/** The rates in force at an earlier time, from whatever is known, however old; null when nothing is (Decisions §2, refunds and copies). */
export const taxRatesAt = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId, time: DateTime.Utc) {
  const rates = yield* TaxRates
  const known = yield* rates.known(tenant, elementId)
  return known === null ? null : groupAt(known.groups, time)
})
