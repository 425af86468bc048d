import { BillingTerms, type CalendarMonth, closeMonth, Installation, monthsToClose, type OrganizationId } from "@overa/domain"
import { DateTime, Effect, Ref } from "effect"

/** Organizations per pass: a pass is finished before the worker stops. */
const organizations = 20

/** Where the next pass goes on; null begins with the first month again. */
interface Place {
  readonly month: CalendarMonth
  readonly after: OrganizationId | null
}

const monthsOpen = Effect.gen(function*() {
  if ((yield* (yield* Installation).settings("production")).restoring) return []
  const terms = yield* BillingTerms
  const months = monthsToClose(yield* terms.priceLists, yield* DateTime.now)
  // Without an issuer nothing can be billed; the operator's page says so.
  return months.length === 0 || (yield* terms.issuer) === null ? [] : months
})

/** Closes a part of the month at the place; answers where to go on, null after the last month. */
const closeSome = Effect.fnUntraced(function*(place: Place | null) {
  const months = yield* monthsOpen
  const month = months.find((one) => place === null || one >= place.month)
  if (month === undefined) return null
  const act = { actor: `worker:${(yield* Installation).hostId}`, reason: `${month} is over` }
  const { issued, next } = yield* closeMonth(act, month, month === place?.month ? place.after : null, organizations)
  if (issued > 0) yield* Effect.logInfo("worker: invoices issued", { month, issued })
  if (next !== null) return { month, after: next }
  const following = months.find((one) => one > month)
  return following === undefined ? null : { month: following, after: null }
})

/** Months that are over get their invoices (docs/adr/0113). Several workers may do it at once: each invoice is issued once. */
export const closeMonths = () => {
  const place = Ref.makeUnsafe<Place | null>(null)
  return {
    name: "closeMonths",
    pass: Effect.gen(function*() {
      const next = yield* closeSome(yield* Ref.get(place))
      yield* Ref.set(place, next)
      return next !== null
    }),
    pauseMillis: 10 * 60_000,
    busyPauseMillis: 200
  }
}
