import { DateTime, Effect, Result } from "effect"
import { labelWarningDays } from "../catalogue/endingLabels.ts"
import { ratesItem, ratesMail, type RatesWarning, ratesWarnings } from "../catalogue/ratesWarning.ts"
import { type ElementEntry, ElementOversight } from "../ports/Oversight.ts"
import { ProductStore } from "../ports/ProductStore.ts"
import { RecordActs } from "../ports/RecordActs.ts"
import { TaxRates } from "../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"
import { Environment } from "../tenancy/Environment.ts"

/** How many elements of an environment are tried before its rates count as unknown for this pass. */
const mostAsked = 3

const tenantOf = ({ element, organizationId }: ElementEntry) => ({ organizationId, environment: element.environment })

/** The groups of rates that the V-PFR publishes. It publishes the same for every element of an environment, so one answer serves all. */
const publishedGroups = Effect.fnUntraced(function*(active: ReadonlyArray<ElementEntry>) {
  const rates = yield* TaxRates
  for (const entry of active.slice(0, mostAsked)) {
    const answer = yield* Effect.result(rates.fresh(tenantOf(entry), entry.element.id))
    if (Result.isSuccess(answer)) return answer.success.groups
  }
  return []
})

const isAnnounced = ({ validFrom }: TaxRateGroup, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(validFrom, now) && DateTime.isLessThanOrEqualTo(validFrom, DateTime.add(now, { days: labelWarningDays }))

/**
 * The oldest element of each taxpayer that still issues. It carries the taxpayer's items also after it was replaced: a new certificate does not warn once more.
 */
const carriers = (entries: ReadonlyArray<ElementEntry>): ReadonlyArray<ElementEntry> => {
  const issuing = new Set(entries.filter(({ element }) => element.status === "ACTIVE").map(({ element }) => element.taxpayerId))
  const newestFirst = entries.toSorted((a, b) => DateTime.Order(b.element.validFrom, a.element.validFrom) || (a.element.id < b.element.id ? 1 : -1))
  // Of the entries of one taxpayer the map keeps the last, which is the oldest.
  const oldest = new Map(newestFirst.map((entry) => [entry.element.taxpayerId, entry]))
  return [...oldest.values()].filter(({ element }) => issuing.has(element.taxpayerId))
}

/** A warning that has just been raised. */
export interface RaisedRatesWarning {
  readonly entry: ElementEntry
  readonly warning: RatesWarning
}

const warnTaxpayer = Effect.fnUntraced(function*(entry: ElementEntry, groups: ReadonlyArray<TaxRateGroup>, now: DateTime.Utc) {
  const { element, organizationId, taxIdentifier } = entry
  const products = yield* (yield* ProductStore).all(tenantOf(entry), element.taxpayerId).pipe(
    // An inactive taxpayer sells nothing.
    Effect.catchTag("TaxpayerNotFound", () => Effect.succeed([]))
  )
  const recordActs = yield* RecordActs
  const shop = { taxIdentifier, environment: element.environment }
  const raised: Array<RaisedRatesWarning> = []
  for (const warning of ratesWarnings(products, groups, now)) {
    const about = { organizationId, elementId: element.id, environment: element.environment }
    const told = { change: null, ownersMail: ratesMail(shop, warning) }
    if (yield* recordActs.raiseAboutElement(about, ratesItem(shop, warning), told)) raised.push({ entry, warning })
  }
  return raised
})

/**
 * Warns each taxpayer whose catalogue carries a label that ends with a group of rates of the coming week: an item on the attention list and a message to the
 * owners, in one commit, once for each change. Catalogues are read only while a change is announced. Answers those warned now.
 */
export const warnOfRates = Effect.fn("warnOfRates")(function*() {
  const all = yield* (yield* ElementOversight).elements(null)
  const now = yield* DateTime.now
  const raised: Array<RaisedRatesWarning> = []
  for (const environment of Environment.literals) {
    const entries = all.filter(({ element }) => element.environment === environment)
    const groups = yield* publishedGroups(entries.filter(({ element }) => element.status === "ACTIVE"))
    if (!groups.some((group) => isAnnounced(group, now))) continue
    for (const entry of carriers(entries)) raised.push(...yield* warnTaxpayer(entry, groups, now))
  }
  return raised
})
