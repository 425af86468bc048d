import { type OpenedElement, type SubmissionOutcome, TaxAuthority, traceStep } from "@overa/domain"
import { Clock, Context, Effect, Layer } from "effect"

/** One request's time at the V-PFR; read when the request is over. */
export interface RequestShare {
  /** Milliseconds of all its submissions. */
  millis: number
  /** How each of them ended. */
  readonly outcomes: Array<SubmissionOutcome["_tag"]>
}

export const newShare = (): RequestShare => ({ millis: 0, outcomes: [] })

/** The share of the current request; outside of requests it is not used. */
export class VpfrShare extends Context.Reference<RequestShare>("@overa/rest-api/operational/VpfrShare", { defaultValue: newShare }) {}

const nanosPerMilli = 1_000_000

const submitTimed = Effect.fnUntraced(function*(
  clock: Clock.Clock,
  opened: OpenedElement,
  ...submission: Parameters<OpenedElement["submit"]>
) {
  const share = yield* VpfrShare
  const startedAt = clock.monotonicTimeNanosUnsafe()
  const outcome = yield* traceStep("TaxAuthority.submit", { kind: "client" })(opened.submit(...submission))
  share.millis += Number(clock.monotonicTimeNanosUnsafe() - startedAt) / nanosPerMilli
  share.outcomes.push(outcome._tag)
  return outcome
})

/** The same tax authority, its submissions timed into the share of the request they belong to. */
export const timedTaxAuthority: Layer.Layer<TaxAuthority, never, TaxAuthority> = Layer.effect(
  TaxAuthority,
  Effect.gen(function*() {
    const authority = yield* TaxAuthority
    const clock = yield* Clock.Clock
    return TaxAuthority.of({
      find: authority.find,
      resetConnections: authority.resetConnections,
      open: (signer) =>
        Effect.map(authority.open(signer), (opened) => ({
          submit: (document, terms) => submitTimed(clock, opened, document, terms)
        }))
    })
  })
)
