import { DateTime, Effect, Option } from "effect"
import { isCarriedOnByService } from "../../operations/carriedOnByService.ts"
import { OperationStore } from "../../ports/OperationStore.ts"
import { conclusionOf } from "./conclusionOf.ts"
import { type Moment, millisSince } from "./elapsed.ts"
import type { FirstCommit, Kept } from "./FirstCommit.ts"
import { leaseMillis, SubmissionPolicy } from "./SubmissionPolicy.ts"
import { untilLeaseEnds, untilStored } from "./untilStored.ts"

const unsent = {
  _tag: "NotSent",
  failureCode: "PFR_SUBMISSION_CANCELLED_BEFORE_SEND",
  detail: "the first commit was not confirmed, so nothing was sent",
  elementRefused: false
} as const

export interface UnsentAttempt<K extends Kept, E> {
  readonly firstCommit: FirstCommit<K, E>
  readonly actor: string
  readonly earlierUnresolved: boolean
}

/** True when there is nothing more to do: concluded, or the attempt belongs to another request. A commit that is not visible yet may still arrive. */
const concludeOnce = Effect.fnUntraced(function*<K extends Kept, E>({ actor, earlierUnresolved, firstCommit }: UnsentAttempt<K, E>) {
  const store = yield* OperationStore
  const found = yield* firstCommit.reread
  if (Option.isNone(found)) return false
  if (found.value._tag === "Taken") return true
  const { operation } = found.value.kept.reservation
  const { organizationId, id, workflow, attempt } = operation
  const at = yield* DateTime.now
  const concerning = { organizationId, operationId: id, workflow, attempt, at, actor, buyerDetails: null }
  const facts = { earlierUnresolved, isInner: operation.boundKey.role === "INNER", isCarriedOn: isCarriedOnByService(operation) }
  yield* store.conclude(conclusionOf(concerning, unsent, facts))
  return true
}, Effect.catchTag("StoreUnavailable", () => Effect.succeed(false)))

/**
 * For a first commit that was not confirmed and that a second read did not find. Its caller got 503 and nothing was sent, but the commit may be
 * stored, or may still arrive. Only this host knows that nothing was sent, and it stores that fact while the attempt's lease lasts; otherwise the
 * document would become an unknown outcome that only an operator can end.
 */
export const concludeUnsent = Effect.fnUntraced(function*<K extends Kept, E>(attempt: UnsentAttempt<K, E>, leaseFrom: Moment) {
  const policy = yield* SubmissionPolicy
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  const elapsed = yield* millisSince(leaseFrom)
  yield* untilStored(concludeOnce(attempt), (done) => done, untilLeaseEnds(now + leaseMillis(policy) - elapsed))
})
