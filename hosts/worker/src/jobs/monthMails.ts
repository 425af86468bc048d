import { type MonthMailOwner, queueMonthMails } from "@overa/domain"
import { Effect, Ref } from "effect"

/** People per pass: the worker finishes a pass before it stops. */
const people = 20

/** Queues the messages about bookkeepers' months that are complete (docs/adr/0378). Several workers may do it at the same time: each month of a person is queued once. */
export const queueDueMonthMails = () => {
  const place = Ref.makeUnsafe<MonthMailOwner | null>(null)
  return {
    name: "queueDueMonthMails",
    pass: Effect.gen(function*() {
      const { next, queued } = yield* queueMonthMails(yield* Ref.get(place), people)
      yield* Ref.set(place, next)
      // Whoever had a message may have another month open.
      return next !== null || queued > 0
    }),
    pauseMillis: 5 * 60_000,
    busyPauseMillis: 200
  }
}
