import { DateTime, Effect, Option, Result } from "effect"
import type { Operator } from "../../activity/Activity.ts"
import type { Signer } from "../../documents/InvoiceToSign.ts"
import type { Attempt, Operation } from "../../operations/Operation.ts"
import { nextRequestIds } from "../../operations/derivedRequestId.ts"
import { mayHaveArrived, searchTable } from "../../operations/outcomeTable.ts"
import { pauseAfterSearch } from "../../operations/nextCheck.ts"
import { Installation, TenancyDirectory } from "../../ports/TenancyDirectory.ts"
import { OperationHistory, OperationStore } from "../../ports/OperationStore.ts"
import { TaxAuthority } from "../../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../../tax/TaxRateGroup.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import { environmentGate } from "../../tenancy/premiseGate.ts"
import { isSettledSince, leaseMillis, SubmissionPolicy, untilLeaseEnds } from "./lease.ts"
import { carryOut, type Opened } from "./carryOut.ts"
import { receiptConclusion } from "./conclusionOf.ts"
import { raiseSecondReceipt } from "./raiseAttention.ts"
import { type GuardedRedrive, nextAttemptCommit, nextAttemptOf, retriedBy } from "./nextAttempt.ts"
import { apiActor, workerActor } from "./reservation.ts"
import { type LostReceipt, searchLostAttempts } from "./searchLostAttempts.ts"
import { storeOutcome } from "./storeOutcome.ts"
import { comparedRates } from "./draftDocument.ts"
import { waitForOutcome } from "./waitForOutcome.ts"

/** What sending a stored operation needs besides the operation. */
export interface Sending<E = never, R = never> {
  readonly signer: Signer
  /** The element, where this request has opened it already; null to open it here. */
  readonly opened: Opened | null
  readonly taxRates: TaxRateGroup | null
  readonly callerGone: AbortSignal
  /** This process, as the outcome's transition names it: a host serving a caller, or the worker (`apiActor`, `workerActor`). */
  readonly actor: string
  /** The operator who has it sent, and why; null where the process sends on its own. */
  readonly operator: Operator | null
  /** The compare-and-set, where more than the operation itself decides. */
  readonly redrive?: GuardedRedrive<E, R>
}

/** The operation as it is afterwards, and whether this call sent it. */
export interface Sent {
  readonly operation: Operation
  readonly replayed: boolean
}

const replay = (operation: Operation): Sent => ({ operation, replayed: true })

/**
 * Before anything is sent again, every earlier RequestId that may have arrived is searched for (Decisions §4): a receipt that is found is the answer,
 * and where a search gets no answer, or the attempt is so young that its receipt may still come, nothing is sent.
 */
const searchEarlierAttempts = Effect.fnUntraced(function*(
  { actor, operator, signer, taxRates }: Pick<Sending, "actor" | "operator" | "signer" | "taxRates">,
  existing: Operation
) {
  const history = yield* OperationHistory
  const authority = yield* TaxAuthority
  const policy = yield* SubmissionPolicy
  const attempts = yield* history.attempts(existing.organizationId, existing.id)
  // Another process added an attempt after this one had read the document: its outcome is the answer, and is not searched for here.
  if (attempts.some(({ number }) => number > existing.attempt)) return { operation: (yield* waitForWinner(existing)).operation, attempts }
  const unresolved = attempts.filter(mayHaveArrived)
  for (const attempt of unresolved) {
    const { elementId, jid, number, requestId, startedAt } = attempt
    const { content } = existing
    const outcome = yield* authority.find({ tenant: signer.tenant, elementId, jid, content, taxRates }, { requestId, submittedAt: startedAt })
    if (searchTable[outcome._tag].sendAgain === "ONCE_SETTLED" && (yield* isSettledSince(startedAt))) continue
    if (outcome._tag !== "Found") return { operation: existing, attempts }
    const at = yield* DateTime.now
    const { id: operationId, organizationId, workflow } = existing
    const receipt = receiptConclusion({ organizationId, operationId, workflow, attempt: number, at, actor, buyerDetails: null }, outcome)
    const stored = yield* storeOutcome(
      { operation: existing, attempt, again: null, isAdded: false },
      // The search for the other attempts continues.
      { ...receipt, ...retriedBy(operator, number), nextCheckAfterMillis: unresolved.length > 1 ? pauseAfterSearch(1) : null },
      DateTime.toEpochMillis(at) + leaseMillis(policy)
    )
    return { operation: stored, attempts }
  }
  return { operation: null, attempts }
})

/**
 * Stores the attempt that a restore lost, with its receipt; a second receipt goes to the attention list. Nothing is sent: the compare-and-set is that of
 * an attempt, so that no other process sends either.
 */
const storeLostReceipt = Effect.fnUntraced(function*<E, R>(
  existing: Operation,
  sending: Sending<E, R>,
  { earlier, lost: [first, ...others] }: { readonly earlier: ReadonlyArray<Attempt>; readonly lost: readonly [LostReceipt, ...ReadonlyArray<LostReceipt>] }
) {
  const policy = yield* SubmissionPolicy
  const { outcome, requestId, ...lost } = first
  const redrive = yield* nextAttemptOf(existing, sending, requestId, lost)
  const { again, commit } = yield* nextAttemptCommit(redrive, sending.redrive)
  const committed = yield* Effect.fromResult(yield* commit)
  if (committed._tag === "Taken") return yield* waitForWinner(existing)
  const at = yield* DateTime.now
  const { attempt, operation } = redrive
  const { id: operationId, organizationId, workflow } = operation
  const concerning = { organizationId, operationId, workflow, attempt: attempt.number, at, actor: sending.actor, buyerDetails: null }
  const untilMillis = DateTime.toEpochMillis(at) + leaseMillis(policy)
  const stored = yield* storeOutcome(
    { operation, attempt, again: again(committed.kept), isAdded: true },
    { ...receiptConclusion(concerning, outcome), nextCheckAfterMillis: earlier.some(mayHaveArrived) ? pauseAfterSearch(1) : null },
    untilMillis
  )
  for (const other of others) yield* raiseSecondReceipt(stored, receiptConclusion(concerning, other.outcome), untilLeaseEnds(untilMillis))
  return replay(stored)
}, Effect.uninterruptible)

/**
 * Sends a stored operation that is not in flight: a NOT_FISCALIZED one again, a document reserved unsent for the first time, a rejected copy on an
 * operator's request. Same id, next attempt, by compare-and-set, so that caller, replay and worker cannot both send; those that lose become waiters.
 * The content is the stored one.
 */
export const sendReserved = Effect.fn("sendReserved")(function*<E = never, R = never>(existing: Operation, sending: Sending<E, R>) {
  const authority = yield* TaxAuthority
  const earlier = yield* searchEarlierAttempts(sending, existing)
  if (earlier.operation !== null) return replay(earlier.operation)
  const lost = yield* searchLostAttempts(sending, existing, earlier.attempts)
  if (lost === "unclear") return { operation: existing, replayed: false } satisfies Sent
  const [first, ...others] = lost
  if (first !== undefined) return yield* storeLostReceipt(existing, sending, { earlier: earlier.attempts, lost: [first, ...others] })
  const [requestId = null] = nextRequestIds(existing, existing.attempt + 1, earlier.attempts, 1)
  const opened: Opened = sending.opened ?? (yield* Effect.result(authority.open(sending.signer)))
  if (Result.isFailure(opened)) return { operation: existing, replayed: false } satisfies Sent
  const done = yield* carryOut({
    firstCommit: yield* nextAttemptCommit(yield* nextAttemptOf(existing, sending, requestId, null), sending.redrive),
    opened,
    callerGone: sending.callerGone,
    actor: sending.actor,
    earlierUnresolved: earlier.attempts.some(mayHaveArrived)
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

/** Who has a stored document sent; an operator has a name and a reason. */
export type StoredSender = "caller" | "worker" | Operator

/** The element that signs; null while there is none of this environment, or while the environment's traffic is switched off. */
const elementOf = Effect.fnUntraced(function*(tenant: Tenant, operation: Operation) {
  const directory = yield* TenancyDirectory
  const installation = yield* Installation
  const found = yield* directory.premiseForIssuing(tenant, operation.taxpayerId, operation.businessPremiseId)
  const element = Option.getOrNull(Option.map(found, ({ activeElement }) => activeElement))
  const settings = yield* installation.settings(tenant.environment)
  const isOpen = Result.isSuccess(environmentGate(settings, tenant.environment))
  return isOpen && element?.environment === tenant.environment ? element : null
})

/**
 * Sends a stored document that passed its checks when it was reserved: neither licence nor labels are checked again (Decisions §2). A premise without
 * an element, or traffic switched off, leaves it unchanged.
 *
 * @returns The operation as it is afterwards, and whether this call sent it; null where it could not be tried.
 */
export const sendStored = Effect.fnUntraced(function*<E = never, R = never>(
  operation: Operation,
  options: { readonly by: StoredSender; readonly callerGone: AbortSignal; readonly redrive?: GuardedRedrive<E, R> }
) {
  const tenant = { organizationId: operation.organizationId, environment: operation.environment }
  const element = yield* elementOf(tenant, operation)
  if (element === null) return null
  const installation = yield* Installation
  const sent: Sent = yield* sendReserved(operation, {
    signer: { tenant, elementId: element.id, jid: element.jid },
    opened: null,
    taxRates: yield* comparedRates(tenant, element.id, operation.content),
    callerGone: options.callerGone,
    actor: options.by === "worker" ? workerActor(installation) : apiActor(installation),
    operator: typeof options.by === "string" ? null : options.by,
    ...(options.redrive === undefined ? {} : { redrive: options.redrive })
  })
  return sent
})
