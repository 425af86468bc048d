import { type Clock, Effect, Result } from "effect"
import { refusingStatus } from "./answerText.ts"
import type { Exchanged, ExchangeTerms, HttpRequest } from "./Exchange.ts"
import type { OpenElement } from "./VpfrElements.ts"

/** The meaning of the exchange, and whether its connection can still be trusted. */
export interface Meaning<A> {
  readonly value: A
  readonly reusable: boolean
}

/**
 * Reports to the circuit breaker what the exchange showed about reachability. A refusing status counts for nothing here: for a query it says too
 * little about submissions, and for a submission it is judged with its body.
 */
const tellCircuit = (element: OpenElement, exchanged: Exchanged): void => {
  if (exchanged._tag === "NothingLeft") {
    if (exchanged.cause === "unreachable" || exchanged.cause === "tooLate") element.circuit.unreachable()
  } else if (exchanged._tag === "MayHaveLeft" || !refusingStatus.has(exchanged.status)) element.circuit.reached()
}

/** Counts the contact. Of a failed one: the line for the log, with its cause and without anything of a caller. */
const noteContact = ({ contacts, credentials }: OpenElement, { method, path }: HttpRequest, exchanged: Exchanged): Effect.Effect<void> | null => {
  const failure = contacts.note(credentials.environment, exchanged)
  if (failure === null) return null
  const { environment, jid } = credentials
  // The path of a search ends with its RequestId, which names a receipt in the V-PFR's books.
  const request = `${method} ${path.split("/").slice(0, 4).join("/")}`
  return Effect.logWarning("a contact with the V-PFR failed", { environment, jid, request, result: failure.result, cause: failure.detail })
}

/**
 * One request over one of the element's connections. Always ends by its terms; not interruptible, so that no connection leaks. A defect in
 * `meaningOf` closes the connection and stays a defect.
 */
export const askElement = <A>(
  element: OpenElement,
  request: HttpRequest,
  terms: ExchangeTerms,
  meaningOf: (exchanged: Exchanged) => Meaning<A>
): Effect.Effect<A> =>
  Effect.callback<A>((resume) => {
    element.channel.exchange(request, terms, (exchanged, settle) => {
      tellCircuit(element, exchanged)
      const failure = noteContact(element, request, exchanged)
      const meaning = Result.try(() => meaningOf(exchanged))
      // Before the fiber continues: its next request may use this connection.
      settle(Result.isSuccess(meaning) && meaning.success.reusable)
      const result = Result.isSuccess(meaning) ? Effect.succeed(meaning.success.value) : Effect.die(meaning.failure)
      resume(failure === null ? result : Effect.andThen(failure, result))
    })
  }).pipe(Effect.uninterruptible)

/**
 * Milliseconds since now on both clocks, the longer of the two: the wall clock may be set back, and the monotonic one may stand still while the
 * machine is suspended. For a first byte the safe error is to assume that more time has passed.
 */
export const stopwatch = (clock: Clock.Clock): () => number => {
  const wall = clock.currentTimeMillisUnsafe()
  const monotonic = clock.monotonicTimeNanosUnsafe()
  return () =>
    Math.max(clock.currentTimeMillisUnsafe() - wall, Number(clock.monotonicTimeNanosUnsafe() - monotonic) / 1_000_000)
}

/** Terms of a read-only query: one deadline over waiting, connecting and answering. */
export const queryTerms = (clock: Clock.Clock, deadlineMillis: number): ExchangeTerms => {
  const elapsedMillis = stopwatch(clock)
  return {
    firstByteWithinMillis: deadlineMillis,
    elapsedMillis,
    answerWithinMillis: () => Math.max(deadlineMillis - elapsedMillis(), 0)
  }
}
