import { Clock, DateTime, Deferred, Effect, Exit, Layer, Result } from "effect"
import {
  type SecurityElementId,
  TaxConfigurationUnavailable,
  type TaxRateHistory,
  TaxRates,
  type Tenant
} from "@overa/domain"
import type { Meaning } from "./askElement.ts"
import { askStatus, type StatusText } from "./askStatus.ts"
import { readTaxRates } from "./readTaxRates.ts"
import { VpfrConnection } from "./VpfrConnection.ts"
import { VpfrElements } from "./VpfrElements.ts"

type Fetched = Exit.Exit<TaxRateHistory, TaxConfigurationUnavailable>
interface Entry {
  readonly tenant: Tenant
  readonly elementId: SecurityElementId
  history: TaxRateHistory | null
  /** Milliseconds of the monotonic clock; the history counts as fresh for five minutes from here. */
  askedAt: number
  usedAt: number
  /** The one fetch in flight, if any: all other callers wait for it. */
  fetching: Deferred.Deferred<TaxRateHistory, TaxConfigurationUnavailable> | null
}

/** Decisions §2, Fresh tax configuration. */
const freshForMillis = 300_000
/** Refreshed in the background from this age on, so that no caller waits for the fetch. */
const refreshAfterMillis = 200_000
/** The rates of an element that was not used for this long are no longer refreshed. */
const idleAfterMillis = 900_000
const refreshRound = "10 seconds"
const refreshesAtOnce = 8
const mostEntries = 10_000

const unavailable = (detail: string) => new TaxConfigurationUnavailable({ detail })

const historyOf = (status: StatusText, fetchedAt: DateTime.Utc): Meaning<Fetched> => {
  const failed = (detail: string): Meaning<Fetched> => ({ value: Exit.fail(unavailable(detail)), reusable: false })
  if (status._tag === "None") return failed(status.detail)
  const groups = readTaxRates(status.text)
  return Result.isSuccess(groups)
    ? { value: Exit.succeed({ groups: groups.success, fetchedAt }), reusable: true }
    : failed(groups.failure.reason)
}

const makeTaxRates = Effect.gen(function*() {
  const settings = yield* VpfrConnection
  const elements = yield* VpfrElements
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const entries = new Map<SecurityElementId, Entry>()
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

  const entryOf = (tenant: Tenant, elementId: SecurityElementId): Entry => {
    const known = entries.get(elementId)
    const entry = known ?? { tenant, elementId, history: null, askedAt: 0, usedAt: 0, fetching: null }
    entries.delete(elementId) // moved to the end: the map's order is the order of last use
    entries.set(elementId, entry)
    for (const oldest of entries.keys()) {
      if (entries.size <= mostEntries) break
      entries.delete(oldest)
    }
    entry.usedAt = now()
    return entry
  }

  const ask = Effect.fn("VpfrTaxRates.fetch")(function*(entry: Entry) {
    const element = yield* elements.open(entry.tenant.organizationId, entry.elementId).pipe(
      Effect.mapError((notPossible) => unavailable(notPossible.detail))
    )
    const fetchedAt = yield* DateTime.now
    return yield* yield* askStatus(element, clock, settings.statusDeadlineMillis, (status) => historyOf(status, fetchedAt))
  })

  /** Joins the fetch in flight or starts one. It belongs to the layer, not to the caller that came first. */
  const fetch = Effect.fnUntraced(function*(entry: Entry) {
    if (entry.fetching !== null) return yield* Deferred.await(entry.fetching)
    const fetching = Deferred.makeUnsafe<TaxRateHistory, TaxConfigurationUnavailable>()
    entry.fetching = fetching
    const askedAt = now()
    yield* ask(entry).pipe(
      Effect.onExit((exit) =>
        Effect.suspend(() => {
          entry.fetching = null
          if (Exit.isSuccess(exit)) {
            entry.history = exit.value
            entry.askedAt = askedAt
          }
          return Deferred.done(fetching, exit)
        })
      ),
      Effect.exit,
      Effect.forkIn(scope, { startImmediately: true })
    )
    return yield* Deferred.await(fetching)
  })

  const freshHistory = (entry: Entry): TaxRateHistory | null => (now() - entry.askedAt < freshForMillis ? entry.history : null)

  const fresh = Effect.fn("TaxRates.fresh")(function*(tenant: Tenant, elementId: SecurityElementId) {
    const entry = entryOf(tenant, elementId)
    const history = freshHistory(entry)
    return history === null ? yield* fetch(entry) : history
  })

  const known = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
    const entry = entryOf(tenant, elementId)
    return entry.history ?? (yield* fetch(entry).pipe(Effect.catch(() => Effect.succeed(null))))
  })

  const doubt = Effect.fn("TaxRates.doubt")(function*(elementId: SecurityElementId) {
    const entry = entries.get(elementId)
    if (entry === undefined) return
    entry.askedAt = Number.NEGATIVE_INFINITY
    yield* Effect.forkIn(Effect.ignore(fetch(entry)), scope)
  })

  const refreshDue = Effect.suspend(() => {
    const at = now()
    const due = [...entries.values()].filter((entry) =>
      entry.history !== null && at - entry.askedAt > refreshAfterMillis && at - entry.usedAt < idleAfterMillis
    )
    return Effect.forEach(due, (entry) => Effect.ignore(fetch(entry)), { concurrency: refreshesAtOnce, discard: true })
  })
  yield* Effect.sleep(refreshRound).pipe(Effect.andThen(refreshDue), Effect.forever, Effect.forkIn(scope))

  return TaxRates.of({ fresh, known, doubt })
})

/** The V-PFR's tax rates from its status endpoint, per element (V-PFR §5; Decisions §2). */
export const VpfrTaxRates = {
  layer: Layer.effect(TaxRates, makeTaxRates).pipe(Layer.provide(VpfrElements.layer))
}
