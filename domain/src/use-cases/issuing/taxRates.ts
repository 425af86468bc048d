import { DateTime, Duration, Effect, Option, Result } from "effect"
import type { LineItem } from "../../documents/LineItem.ts"
import { TaxRates } from "../../ports/TaxRates.ts"
import type { TaxRateHistory } from "../../tax/TaxRateGroup.ts"
import { checkLabels, checkLabelsExist } from "../../tax/checkLabels.ts"
import { groupAt } from "../../tax/currentGroup.ts"
import { CurrentTaxConfigurationUnavailable } from "../../tax/errors.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { SecurityElementId } from "../../tenancy/identifiers.ts"
import { pfrInstant } from "../../time/PfrTime.ts"
import type { DraftFacts } from "./draftDocument.ts"

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

type Items = ReadonlyArray<Pick<LineItem, "taxLabels">>

/** Step 9 for a document whose labels must be valid now: a fresh configuration, the labels in it, the taxpayer's VAT status. */
export const checkLabelsNow = (items: Items, { place, taxRates }: Pick<DraftFacts<unknown>, "place" | "taxRates">) => {
  if (taxRates === null) return Result.fail(new CurrentTaxConfigurationUnavailable({}))
  const { vatStatus } = place.found.taxpayer
  return checkLabels(items, { group: taxRates, vatStatus, vatCategories: place.settings.vatCategories })
}

/**
 * Step 9 for a document that gives back or repeats another: the labels must only exist at the other document's time, and unknown rates stop nothing
 * (Decisions §2).
 */
export const checkLabelsThen = (items: Items, { taxRates }: Pick<DraftFacts<unknown>, "taxRates">) =>
  taxRates === null ? Result.void : checkLabelsExist(items, taxRates)
