import { DateTime, Duration, Effect, Option } from "effect"
import { TaxRates } from "../../ports/TaxRates.ts"
import { groupAt } from "../../tax/currentGroup.ts"
import type { TaxRateHistory } from "../../tax/TaxRateGroup.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { SecurityElementId } from "../../tenancy/identifiers.ts"
import { pfrInstant } from "../../time/PfrTime.ts"

/** A configuration older than this is not fresh (Decisions §2). */
const freshFor = Duration.minutes(5)

const isFresh = (history: TaxRateHistory, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(history.fetchedAt, freshFor), now)

/** The configuration that the V-PFR gave for an element at most five minutes ago, if it is cached; null when it must be fetched. */
export const freshAtHand = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
  const rates = yield* TaxRates
  const known = yield* rates.known(tenant, elementId)
  return known !== null && isFresh(known, yield* DateTime.now) ? known : null
})

/** The configuration fetched from the V-PFR now; null when it gives none. */
export const fetchedNow = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
  const rates = yield* TaxRates
  return yield* rates.fresh(tenant, elementId).pipe(Effect.catchTag("TaxConfigurationUnavailable", () => Effect.succeed(null)))
})

/** The rates valid at an instant, from any known configuration, however old; null when none is known (Decisions §2, refunds and copies). */
export const ratesKnownAt = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId, at: DateTime.Utc) {
  const rates = yield* TaxRates
  const known = yield* rates.known(tenant, elementId)
  return known === null ? null : groupAt(known.groups, at)
})

const longAgo = DateTime.toUtc(DateTime.makeUnsafe(0))

/** The same for a PFR time as text. */
export const ratesKnownAtPfrTime = (tenant: Tenant, elementId: SecurityElementId, pfrTime: string) =>
  ratesKnownAt(tenant, elementId, Option.getOrElse(pfrInstant(pfrTime), () => longAgo))
