import { Effect, Option, Result } from "effect"
import type { KeyHolder } from "../../operations/KeyHolder.ts"
import type { Operation } from "../../operations/Operation.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import type { OpenedElement, SubmissionNotPossible } from "../../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../../tax/TaxRateGroup.ts"
import { concludeUnsent } from "./concludeUnsent.ts"
import { type Moment, thisMoment } from "./elapsed.ts"
import type { Committed, FirstCommit, Kept } from "./FirstCommit.ts"
import { InFlight } from "./InFlight.ts"
import { submitReserved } from "./submitReserved.ts"

export type Opened = Result.Result<OpenedElement, SubmissionNotPossible>

/** One attempt from its first commit to its stored outcome. */
export interface AttemptToCarryOut<K extends Kept, Refusal> {
  readonly firstCommit: FirstCommit<K, Refusal>
  /** The element, opened before the first commit; where it could not be opened nothing is sent. */
  readonly opened: Opened
  readonly taxRates: TaxRateGroup | null
  readonly callerGone: AbortSignal
  /** Who sends, as the outcome's transition names it. */
  readonly actor: string
  /** An earlier attempt may have reached the V-PFR: the search for it continues. */
  readonly earlierUnresolved: boolean
}

export type CarriedOut<K> =
  /** The document after its outcome was stored, or as it was stored unsent. */
  | { readonly _tag: "CarriedOut"; readonly operation: Operation; readonly kept: K }
  | { readonly _tag: "Taken"; readonly existing: KeyHolder | null }
  /** The store lost the attempt after it was sent, and another operation has its key, which now answers instead. */
  | { readonly _tag: "TakenOver"; readonly operation: Operation }

/**
 * A first commit that the store did not confirm is read again. If it is not found, nothing is sent (Decisions §4, Store trouble), and that fact is
 * stored as soon as possible.
 */
const rereadUnconfirmed = Effect.fnUntraced(function*<K extends Kept, E>(
  attempt: AttemptToCarryOut<K, E>,
  leaseFrom: Moment,
  error: StoreUnavailable
) {
  if (error.committed === "no") return yield* error
  const { firstCommit } = attempt
  const found = yield* Effect.result(firstCommit.reread)
  if (Result.isSuccess(found) && Option.isSome(found.success)) return Result.succeed(found.success.value)
  if (firstCommit.reservation.attempt !== null) yield* Effect.forkDetach(concludeUnsent(attempt, leaseFrom))
  return yield* error
})

const attemptOnce = Effect.fnUntraced(function*<K extends Kept, E>(attempt: AttemptToCarryOut<K, E>) {
  const { firstCommit, opened } = attempt
  const leaseFrom = yield* thisMoment
  const decided = yield* firstCommit.commit.pipe(
    Effect.catchTag("StoreUnavailable", (error) => rereadUnconfirmed(attempt, leaseFrom, error))
  )
  const committed: Committed<K> = yield* Effect.fromResult(decided)
  if (committed._tag === "Taken") return committed
  const { kept } = committed
  const { operation, attempt: reserved } = kept.reservation
  if (reserved === null || Result.isFailure(opened)) return { _tag: "CarriedOut", operation, kept } satisfies CarriedOut<K>
  const stored = yield* submitReserved({
    operation,
    attempt: reserved,
    element: opened.success,
    taxRates: attempt.taxRates,
    callerGone: attempt.callerGone,
    actor: attempt.actor,
    leaseFrom,
    earlierUnresolved: attempt.earlierUnresolved,
    isAdded: kept.reservation.transitions[0]?.from !== null,
    reserveAgain: firstCommit.again(kept)
  })
  return stored.id === operation.id
    ? { _tag: "CarriedOut", operation: stored, kept } satisfies CarriedOut<K>
    : { _tag: "TakenOver", operation: stored } satisfies CarriedOut<K>
})

const storedBy = (done: CarriedOut<unknown>): Operation | null => (done._tag === "CarriedOut" ? done.operation : null)

/**
 * Reserves an attempt, submits it and stores its outcome: the only code that sends anything. Not interruptible, so that from the first commit on only
 * the outcome counts (Decisions §4).
 *
 * Fails with the first commit's refusal, which stored nothing, and with `StoreUnavailable` where the first commit was not confirmed.
 */
export const carryOut = Effect.fnUntraced(function*<K extends Kept, E>(attempt: AttemptToCarryOut<K, E>) {
  const inFlight = yield* InFlight
  const { operation } = attempt.firstCommit.reservation
  const done: CarriedOut<K> = yield* inFlight.during(operation.id, attemptOnce(attempt), storedBy)
  return done
}, Effect.uninterruptible)
