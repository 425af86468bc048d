import { DateTime, Effect, Option, Result } from "effect"
import { mayHaveArrived } from "../operations/mayHaveArrived.ts"
import type { Operation } from "../operations/Operation.ts"
import { Installation } from "../ports/Installation.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { type PreparedInvoice, TaxAuthority } from "../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { receiptConclusion } from "./conclusionOf.ts"
import { thisMoment } from "./elapsed.ts"
import { InFlight } from "./InFlight.ts"
import { actorOf, type DocumentDraft, invoiceOf, type Issued, newAttempt } from "./issueDocument.ts"
import { storeOutcome } from "./storeOutcome.ts"
import { leaseMillis, SubmissionPolicy } from "./SubmissionPolicy.ts"
import { submitReserved } from "./submitReserved.ts"
import { waitForOutcome } from "./waitForOutcome.ts"

/** What driving a reserved operation needs besides the operation. */
export interface Drive {
  readonly tenant: Tenant
  readonly element: DocumentDraft["element"]
  readonly taxRates: TaxRateGroup | null
  readonly callerGone: AbortSignal
  /** Who has it sent, where it is not this host on its own: an operator by name. */
  readonly operator?: string
}

/** Why a reserved operation is sent now. */
const causeOf = ({ status }: Operation): "reserved" | "redriven" | "retriedByOperator" => {
  if (status === "VALIDATED") return "reserved"
  return status === "REJECTED" ? "retriedByOperator" : "redriven"
}

const replay = (operation: Operation): Issued => ({ operation, replayed: true })

/**
 * Before anything is sent again, every earlier RequestId that may have arrived is searched for (Decisions §4): a receipt found is
 * the answer; no answer means nothing is sent.
 */
const searchEarlierAttempts = Effect.fnUntraced(function*(drive: Drive, existing: Operation) {
  const store = yield* OperationStore
  const authority = yield* TaxAuthority
  const installation = yield* Installation
  const policy = yield* SubmissionPolicy
  const unresolved = (yield* store.attempts(existing.organizationId, existing.id)).filter(mayHaveArrived)
  for (const attempt of unresolved) {
    const element = { id: attempt.elementId, jid: attempt.jid }
    const outcome = yield* authority.find(
      invoiceOf(drive.tenant, { element, content: existing.content, taxRates: drive.taxRates }),
      { requestId: attempt.requestId, submittedAt: attempt.startedAt }
    )
    if (outcome._tag === "NothingFound") continue
    if (outcome._tag !== "Found") return { operation: existing, unresolved }
    const at = yield* DateTime.now
    const stored = yield* storeOutcome(
      { operation: existing, elementId: attempt.elementId, again: Effect.void },
      receiptConclusion({
        organizationId: existing.organizationId,
        operationId: existing.id,
        workflow: existing.workflow,
        attempt: attempt.number,
        at,
        actor: actorOf(installation),
        buyerDetails: null
      }, outcome),
      DateTime.toEpochMillis(at) + leaseMillis(policy)
    )
    return { operation: stored, unresolved }
  }
  return { operation: null, unresolved }
})

/** The next attempt of a reserved operation, sent by whoever wins its compare-and-set; null is for the losers. */
const attemptAgain = Effect.fnUntraced(function*(
  drive: Drive,
  existing: Operation,
  prepared: PreparedInvoice,
  earlierUnresolved: boolean
) {
  const inFlight = yield* InFlight
  const installation = yield* Installation
  const policy = yield* SubmissionPolicy
  const store = yield* OperationStore
  const leaseFrom = yield* thisMoment
  const attempt = yield* newAttempt(existing.id, existing.attempt + 1, drive.element)
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
    actor: drive.operator === undefined ? actorOf(installation) : `operator:${drive.operator}`,
    attempt: attempt.number
  } as const
  inFlight.begin(existing.id)
  // Unless the store confirms the new attempt, nothing is sent; its lease then ends by itself.
  const attempted = store.redrive({ operation, attempt, transition, leaseMillis: leaseMillis(policy) })
  const won = yield* attempted.pipe(
    Effect.tapCause(() => Effect.sync(() => inFlight.end(existing.id, null)))
  )
  if (!won) {
    inFlight.end(existing.id, null)
    return null
  }
  const stored = yield* submitReserved({
    operation,
    attempt,
    prepared,
    callerGone: drive.callerGone,
    actor: actorOf(installation),
    leaseFrom,
    earlierUnresolved,
    reserveAgain: attempted
  })
  inFlight.end(existing.id, stored)
  return { operation: stored, replayed: false } satisfies Issued
}, Effect.uninterruptible)

/**
 * Drives a reserved operation that is not under way: one found NOT_FISCALIZED again, a copy reserved unsent for the first time, a
 * rejected copy by an operator. Same
 * id, next attempt, by compare-and-set, so that caller, replay and worker cannot both send; losers become waiters. The content is the
 * one captured when it was reserved.
 */
export const driveReserved = Effect.fn("driveReserved")(function*(drive: Drive, existing: Operation) {
  const authority = yield* TaxAuthority
  const earlier = yield* searchEarlierAttempts(drive, existing)
  if (earlier.operation !== null) return replay(earlier.operation)
  const content = existing.content
  const prepared = yield* Effect.result(authority.prepare(invoiceOf(drive.tenant, { element: drive.element, taxRates: drive.taxRates, content })))
  if (Result.isFailure(prepared)) return { operation: existing, replayed: false } satisfies Issued
  const issued = yield* attemptAgain(drive, existing, prepared.success, earlier.unresolved.length > 0)
  return issued === null || issued.operation.status === "SUBMITTING" ? yield* waitForWinner(existing) : issued
})

const waitForWinner = Effect.fnUntraced(function*(existing: Operation) {
  const store = yield* OperationStore
  const tenant = { organizationId: existing.organizationId, environment: existing.environment }
  const current = yield* store.get(tenant, existing.id)
  return replay(yield* waitForOutcome(Option.getOrElse(current, () => existing)))
})
