import { BillingTerms, type CalendarMonth, closeMonth, Installation, monthsToClose, type OrganizationId } from "@overa/domain"
import { DateTime, Effect, Ref } from "effect"

/** Organizations per pass: the worker finishes a pass before it stops. */
const organizations = 20

/** A completed month is read again after this time; organizations that had nothing to pay are then counted again. */
const lookAgainMillis = 24 * 60 * 60_000

/** Where the next pass continues, and when each month was completed. */
interface Progress {
  readonly place: { readonly month: CalendarMonth; readonly after: OrganizationId } | null
  readonly closed: ReadonlyMap<CalendarMonth, number>
}

/** The months to read now, oldest first. */
const monthsOpen = Effect.fnUntraced(function*({ closed }: Progress) {
  if ((yield* (yield* Installation).settings("production")).restoring) return []
  const terms = yield* BillingTerms
  const now = yield* DateTime.now
  const months = monthsToClose(yield* terms.priceLists, now)
  // Without an issuer nothing can be billed; the operator's page says so.
  if (months.length === 0 || (yield* terms.issuer) === null) return []
  return months.filter((month) => (closed.get(month) ?? 0) + lookAgainMillis <= DateTime.toEpochMillis(now))
})

const withClosed = (closed: Progress["closed"], month: CalendarMonth, at: number): Progress["closed"] => new Map([...closed, [month, at]])

/** Closes a part of the oldest open month; returns how far it came, and whether more is waiting. */
const closeSome = Effect.fnUntraced(function*(progress: Progress) {
  const [month, ...later] = yield* monthsOpen(progress)
  if (month === undefined) return { progress: { ...progress, place: null }, more: false }
  const act = { actor: `worker:${(yield* Installation).hostId}`, reason: `${month} is over` }
  const after = progress.place?.month === month ? progress.place.after : null
  const { issued, next } = yield* closeMonth(act, month, after, organizations)
  if (issued > 0) yield* Effect.logInfo("worker: invoices issued", { month, issued })
  if (next !== null) return { progress: { ...progress, place: { month, after: next } }, more: true }
  const closed = withClosed(progress.closed, month, DateTime.toEpochMillis(yield* DateTime.now))
  return { progress: { place: null, closed }, more: later.length > 0 }
})

/** Issues the invoices of past months (docs/adr/0113). Several workers may do it at the same time: each invoice is issued once. */
export const closeMonths = () => {
  const progress = Ref.makeUnsafe<Progress>({ place: null, closed: new Map() })
  return {
    name: "closeMonths",
    pass: Effect.gen(function*() {
      const { more, progress: reached } = yield* closeSome(yield* Ref.get(progress))
      yield* Ref.set(progress, reached)
      return more
    }),
    pauseMillis: 10 * 60_000,
    busyPauseMillis: 200
  }
}
