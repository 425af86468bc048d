import { Effect, Option, Result } from "effect"
import type { Operator } from "../../activity/Activity.ts"
import type { Signer } from "../../documents/InvoiceToSign.ts"
import { isSameAttempt } from "../../operations/derivedRequestId.ts"
import type { Attempt, Operation } from "../../operations/Operation.ts"
import { OperationHistory, OperationStore, type Redrive, type Reservation } from "../../ports/OperationStore.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import { leaseMillis, SubmissionPolicy } from "./lease.ts"
import { type Committed, type FirstCommit, type Kept, newAttempt, operatorActor, operatorsDeed, storedWhole } from "./reservation.ts"

/** The compare-and-set of a next attempt, where a kind checks more than the operation's own status; its refusal stores nothing. */
export type GuardedRedrive<E, R = never> = (redrive: Redrive) => Effect.Effect<Result.Result<boolean, E>, StoreUnavailable, R>

/** Who adds an attempt. */
interface Adding {
  readonly signer: Signer
  /** This process, as the transition names it. */
  readonly actor: string
  /** The operator who has it sent, and why; null where the process sends on its own. */
  readonly operator: Operator | null
}

/** Why a stored operation is sent now. */
const causeOf = ({ status }: Operation): "reserved" | "redriven" | "retriedByOperator" => {
  if (status === "VALIDATED") return "reserved"
  return status === "REJECTED" ? "retriedByOperator" : "redriven"
}

/** The operator's act in the commit that adds the attempt, or that stores the receipt of an earlier one, which was found instead. */
export const retriedBy = (operator: Operator | null, attempt: number): Pick<Redrive, "deed"> =>
  operator === null ? {} : { deed: operatorsDeed(operator, "rejected copy retried", { attempt }) }

/** The operation with its next attempt, made now or lost by a restore, as it is offered to the store. */
export const nextAttemptOf = Effect.fnUntraced(function*(
  existing: Operation,
  { actor, operator, signer }: Adding,
  requestId: string | null,
  lost: Pick<Attempt, "elementId" | "jid" | "startedAt"> | null
) {
  const policy = yield* SubmissionPolicy
  const made = yield* newAttempt(existing.id, existing.attempt + 1, signer, requestId)
  const attempt: Attempt = { ...made, ...lost }
  const operation: Operation = {
    ...existing,
    status: "SUBMITTING",
    attempt: attempt.number,
    failureCode: null,
    rejection: null,
    updatedAt: made.startedAt
  }
  const transition = {
    from: existing.status,
    to: "SUBMITTING",
    at: made.startedAt,
    cause: causeOf(existing),
    actor: operator === null ? actor : operatorActor(operator.name),
    attempt: attempt.number
  } as const
  const redrive: Redrive = { operation, attempt, transition, leaseMillis: leaseMillis(policy), ...retriedBy(operator, attempt.number) }
  return redrive
})

/**
 * What is stored of an attempt that the store lost and does not take as the document's next one: the attempt, where it is stored since. Where the document
 * is lost too, it is stored again with the attempt as its first one, so that the key does not become free; one of a workflow is not, for its workflow would
 * be missing.
 */
const storedAgain = Effect.fnUntraced(function*(
  { history, store }: { readonly history: OperationHistory["Service"]; readonly store: OperationStore["Service"] },
  reservation: Reservation & { readonly attempt: Attempt },
  actor: string
) {
  const { attempt, operation } = reservation
  const kept = (stored: Reservation): Committed<Kept> => ({ _tag: "Kept", kept: { reservation: stored } })
  const own = (yield* history.attempts(operation.organizationId, operation.id)).find((stored) => isSameAttempt(stored, attempt))
  if (own !== undefined) return kept({ ...reservation, attempt: own })
  const lost: Committed<Kept> = { _tag: "Taken", existing: null }
  if (operation.workflow !== null || Option.isSome(yield* store.get(operation, operation.id))) return lost
  const whole = storedWhole(reservation, actor)
  const reserved = yield* store.reserve(whole)
  return reserved._tag === "Reserved" ? kept(whole) : { _tag: "Taken", existing: reserved.existing } satisfies Committed<Kept>
})

/** The compare-and-set that adds an attempt; a process that loses it sends nothing. */
export const nextAttemptCommit = Effect.fnUntraced(function*<E, R>(redrive: Redrive, guarded: GuardedRedrive<E, R> | undefined) {
  const store = yield* OperationStore
  const history = yield* OperationHistory
  const services = yield* Effect.context<R>()
  const { operation, attempt, transition, leaseMillis: lease } = redrive
  const reservation = { operation, attempt, transitions: [transition], leaseMillis: lease }
  const kept: Committed<Kept> = { _tag: "Kept", kept: { reservation } }
  const taken: Committed<Kept> = { _tag: "Taken", existing: null }
  const committed = (won: boolean) => (won ? kept : taken)
  const add = Effect.map(store.redrive(redrive), committed)
  const addAgain = Effect.flatMap(add, (added) => added._tag === "Kept" ? Effect.succeed(added) : storedAgain({ history, store }, reservation, transition.actor))
  const decided: Effect.Effect<Result.Result<boolean, E>, StoreUnavailable> = guarded === undefined
    ? Effect.map(store.redrive(redrive), Result.succeed)
    : Effect.provideContext(guarded(redrive), services)
  const commit: FirstCommit<Kept, E> = {
    offered: reservation,
    buyer: operation.content.buyer,
    commit: Effect.map(decided, Result.map(committed)),
    // The attempt's number is the compare-and-set: the attempt stored under it has won, permanently.
    reread: Effect.map(history.attempts(operation.organizationId, operation.id), (attempts) =>
      Option.map(
        Option.fromNullishOr(attempts.find(({ number }) => number === attempt.number)),
        (stored) => (isSameAttempt(stored, attempt) ? kept : taken)
      )),
    again: () => addAgain
  }
  return commit
})
