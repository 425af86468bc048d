import { DateTime, Effect, Option, Result } from "effect"
import type { Signer } from "../../documents/InvoiceToSign.ts"
import { mayHaveArrived } from "../../operations/mayHaveArrived.ts"
import { pauseAfterSearch } from "../../operations/nextCheck.ts"
import type { Operation } from "../../operations/Operation.ts"
import { OperationHistory, OperationStore, type Redrive, type Reservation } from "../../ports/OperationStore.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import { TaxAuthority } from "../../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../../tax/TaxRateGroup.ts"
import { operatorActor } from "./actors.ts"
import { carryOut, type Opened } from "./carryOut.ts"
import { receiptConclusion } from "./conclusionOf.ts"
import type { Committed, FirstCommit, Kept } from "./FirstCommit.ts"
import { newAttempt } from "./reservation.ts"
import { storeOutcome } from "./storeOutcome.ts"
import { leaseMillis, SubmissionPolicy } from "./SubmissionPolicy.ts"
import { waitForOutcome } from "./waitForOutcome.ts"

/** The compare-and-set of a next attempt, where a kind checks more than the operation's own status; its refusal stores nothing. */
export type GuardedRedrive<E, R = never> = (redrive: Redrive) => Effect.Effect<Result.Result<boolean, E>, StoreUnavailable, R>

/** What sending a stored operation needs besides the operation. */
export interface Sending<E = never, R = never> {
  readonly signer: Signer
  /** The element, where this request has opened it already; null to open it here. */
  readonly opened: Opened | null
  readonly taxRates: TaxRateGroup | null
  readonly callerGone: AbortSignal
  /** This process, as the outcome's transition names it: a host serving a caller, or the worker (`actors.ts`). */
  readonly actor: string
  /** The name of the operator who has it sent; null where the process sends on its own. */
  readonly operator: string | null
  /** The compare-and-set, where more than the operation itself decides. */
  readonly redrive?: GuardedRedrive<E, R>
}

/** The operation as it is afterwards, and whether this call sent it. */
export interface Sent {
  readonly operation: Operation
  readonly replayed: boolean
}

/** Why a stored operation is sent now. */
const causeOf = ({ status }: Operation): "reserved" | "redriven" | "retriedByOperator" => {
  if (status === "VALIDATED") return "reserved"
  return status === "REJECTED" ? "retriedByOperator" : "redriven"
}

const replay = (operation: Operation): Sent => ({ operation, replayed: true })

/**
 * Before anything is sent again, every earlier RequestId that may have arrived is searched for (Decisions §4): a receipt that is found is the answer,
 * and where a search gets no answer nothing is sent.
 */
const searchEarlierAttempts = Effect.fnUntraced(function*(
  { actor, signer, taxRates }: Pick<Sending, "actor" | "signer" | "taxRates">,
  existing: Operation
) {
  const history = yield* OperationHistory
  const authority = yield* TaxAuthority
  const policy = yield* SubmissionPolicy
  const unresolved = (yield* history.attempts(existing.organizationId, existing.id)).filter(mayHaveArrived)
  for (const { elementId, jid, number, requestId, startedAt } of unresolved) {
    const { content } = existing
    const outcome = yield* authority.find({ tenant: signer.tenant, elementId, jid, content, taxRates }, { requestId, submittedAt: startedAt })
    if (outcome._tag === "NothingFound") continue
    if (outcome._tag !== "Found") return { operation: existing, unresolved }
    const at = yield* DateTime.now
    const { id: operationId, organizationId, workflow } = existing
    const receipt = receiptConclusion({ organizationId, operationId, workflow, attempt: number, at, actor, buyerDetails: null }, outcome)
    const stored = yield* storeOutcome(
      { operation: existing, requestId, elementId, again: null, isAdded: false },
      // The search for the other attempts continues.
      { ...receipt, nextCheckAfterMillis: unresolved.length > 1 ? pauseAfterSearch(1) : null },
      DateTime.toEpochMillis(at) + leaseMillis(policy)
    )
    return { operation: stored, unresolved }
  }
  return { operation: null, unresolved }
})

/** The operation with its next attempt, as it is offered to the store. */
const nextAttemptOf = Effect.fnUntraced(function*(existing: Operation, { actor, operator, signer }: Pick<Sending, "actor" | "operator" | "signer">) {
  const policy = yield* SubmissionPolicy
  const attempt = yield* newAttempt(existing.id, existing.attempt + 1, signer)
  const operation: Operation = {
    ...existing,
    status: "SUBMITTING",
    attempt: attempt.number,
    failureCode: null,
    rejection: null,
    updatedAt: attempt.startedAt
  }
  const transition = {
    from: existing.status,
    to: "SUBMITTING",
    at: attempt.startedAt,
    cause: causeOf(existing),
    actor: operator === null ? actor : operatorActor(operator),
    attempt: attempt.number
  } as const
  const redrive: Redrive = { operation, attempt, transition, leaseMillis: leaseMillis(policy) }
  return redrive
})

/** The compare-and-set that adds an attempt; a process that loses it sends nothing. */
const nextAttemptCommit = Effect.fnUntraced(function*<E, R>(redrive: Redrive, guarded: GuardedRedrive<E, R> | undefined) {
  const store = yield* OperationStore
  const history = yield* OperationHistory
  const services = yield* Effect.context<R>()
  const { operation, attempt, transition, leaseMillis: lease } = redrive
  const reservation: Reservation = { operation, attempt, transitions: [transition], leaseMillis: lease }
  const kept: Committed<Kept> = { _tag: "Kept", kept: { reservation } }
  const taken: Committed<Kept> = { _tag: "Taken", existing: null }
  const committed = (won: boolean) => (won ? kept : taken)
  const add = Effect.map(store.redrive(redrive), committed)
  const decided: Effect.Effect<Result.Result<boolean, E>, StoreUnavailable> = guarded === undefined
    ? Effect.map(store.redrive(redrive), Result.succeed)
    : Effect.provideContext(guarded(redrive), services)
  const commit: FirstCommit<Kept, E> = {
    reservation,
    commit: Effect.map(decided, Result.map(committed)),
    // The attempt's number is the compare-and-set: the RequestId stored under it has won, permanently.
    reread: Effect.map(history.attempts(operation.organizationId, operation.id), (attempts) =>
      Option.map(
        Option.fromNullishOr(attempts.find(({ number }) => number === attempt.number)),
        ({ requestId }) => (requestId === attempt.requestId ? kept : taken)
      )),
    again: () => add
  }
  return commit
})

/**
 * Sends a stored operation that is not in flight: a NOT_FISCALIZED one again, a document reserved unsent for the first time, a rejected copy on an
 * operator's request. Same id, next attempt, by compare-and-set, so that caller, replay and worker cannot both send; those that lose become waiters.
 * The content is the stored one.
 */
export const sendReserved = Effect.fn("sendReserved")(function*<E = never, R = never>(existing: Operation, sending: Sending<E, R>) {
  const authority = yield* TaxAuthority
  const earlier = yield* searchEarlierAttempts(sending, existing)
  if (earlier.operation !== null) return replay(earlier.operation)
  const opened: Opened = sending.opened ?? (yield* Effect.result(authority.open(sending.signer)))
  if (Result.isFailure(opened)) return { operation: existing, replayed: false } satisfies Sent
  const done = yield* carryOut({
    firstCommit: yield* nextAttemptCommit(yield* nextAttemptOf(existing, sending), sending.redrive),
    opened,
    taxRates: sending.taxRates,
    callerGone: sending.callerGone,
    actor: sending.actor,
    earlierUnresolved: earlier.unresolved.length > 0
  })
  return done._tag === "Taken" || done.operation.status === "SUBMITTING"
    ? yield* waitForWinner(existing)
    : { operation: done.operation, replayed: false } satisfies Sent
})

const waitForWinner = Effect.fnUntraced(function*(existing: Operation) {
  const store = yield* OperationStore
  const tenant = { organizationId: existing.organizationId, environment: existing.environment }
  const current = yield* store.get(tenant, existing.id)
  return replay(yield* waitForOutcome(Option.getOrElse(current, () => existing)))
})
