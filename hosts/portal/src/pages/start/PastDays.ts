import { anyTime, type DayOfRefunds, DocumentCounts, JournalStore, type StoreUnavailable, type Tenant, type TurnoverRow } from "@overa/domain"
import { Cache, Context, type DateTime, Effect, Exit, Layer } from "effect"

/** Past days: from the beginning of last month, and of this month, to the beginning of today. */
export interface Past {
  readonly since: DateTime.Utc
  readonly month: DateTime.Utc
  readonly today: DateTime.Utc
}

/** The overview's figures of past days. */
export interface PastFigures {
  readonly rows: ReadonlyArray<TurnoverRow>
  readonly refunds: ReadonlyArray<DayOfRefunds>
  /** Documents issued this month before today; only of production. */
  readonly documents: number
}

/** How long figures of past days are cached. Only a receipt that is found late changes them. */
const keptFor = "5 minutes"
const mostTenants = 1_000

/** The cache compares keys by their members, so a key has these alone. */
const keyOf = ({ environment, organizationId }: Tenant, { month, since, today }: Past) => ({ tenant: { organizationId, environment }, month, since, today })

/**
 * The figures of past days, cached for some minutes in each portal: with millions of receipts in the journal they take longer than a first page may.
 * Today's figures are never cached.
 */
export class PastDays extends Context.Service<PastDays, {
  readonly of: (tenant: Tenant, past: Past) => Effect.Effect<PastFigures, StoreUnavailable>
}>()("@overa/portal/pages/start/PastDays") {
  static readonly layer: Layer.Layer<PastDays, never, JournalStore | DocumentCounts> = Layer.effect(
    PastDays,
    Effect.gen(function*() {
      const journal = yield* JournalStore
      const counts = yield* DocumentCounts
      const read = Effect.fnUntraced(function*({ month, since, tenant, today }: ReturnType<typeof keyOf>) {
        const range = { from: since, to: today }
        return yield* Effect.all({
          // Two months have few days: no report that is refused.
          rows: journal.turnover(tenant, { taxpayerId: null, businessPremiseId: null, pfr: range, created: anyTime, groupBy: ["day"] }).pipe(Effect.catchTag("RequestFaults", Effect.die)),
          refunds: counts.refunds(tenant, range),
          documents: tenant.environment === "production" ? counts.fiscalized(tenant, { from: month, to: today }) : Effect.succeed(0)
        }, { concurrency: "unbounded" }) satisfies Effect.Effect<PastFigures, StoreUnavailable>
      })
      const cache = yield* Cache.makeWith(read, { capacity: mostTenants, timeToLive: (exit) => Exit.isSuccess(exit) ? keptFor : 0 })
      return PastDays.of({ of: (tenant, past) => Cache.get(cache, keyOf(tenant, past)) })
    })
  )
}
