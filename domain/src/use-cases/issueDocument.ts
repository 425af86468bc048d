import { DateTime, Effect, Option, Result, Schema } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import type { Attempt, BoundKey, Operation, Transition, WorkflowLink } from "../operations/Operation.ts"
import { Identifiers } from "../ports/Identifiers.ts"
import { Installation } from "../ports/Installation.ts"
import { OperationStore, type Reservation, type Reserved } from "../ports/OperationStore.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { type InvoiceToSign, type PreparedInvoice, TaxAuthority } from "../ports/TaxAuthority.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { BusinessPremiseId, FiscalDocumentId, SecurityElementId, TaxpayerId } from "../tenancy/identifiers.ts"
import { thisMoment } from "./elapsed.ts"
import { InFlight } from "./InFlight.ts"
import { leaseMillis, SubmissionPolicy } from "./SubmissionPolicy.ts"
import { submitReserved } from "./submitReserved.ts"

/** What a kind's checks produced: a document that may be issued now. */
export interface DocumentDraft {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly element: { readonly id: SecurityElementId; readonly jid: string }
  readonly content: DocumentContent
  readonly taxRates: TaxRateGroup | null
  readonly workflow: WorkflowLink | null
}

/** A caller's request to issue one document under one key. */
export interface IssueCommand<E, R> {
  readonly tenant: Tenant
  readonly clientId: string
  readonly boundKey: BoundKey
  /** Aborts when the caller has gone away. */
  readonly callerGone: AbortSignal
  /**
   * Steps 5 to 10 of the order of checks (Decisions §2) for this kind. Runs `beforeWaiting` before anything slow, so that a stored
   * answer never waits for the V-PFR.
   */
  readonly draft: (beforeWaiting: Effect.Effect<void, KeyKnown>) => Effect.Effect<DocumentDraft, E | KeyKnown, R>
}

/** The operation as it stands, and whether this request issued it or found it. */
export interface Issued {
  readonly operation: Operation
  readonly replayed: boolean
}

/** Ends a draft early: the key already has an operation, which decides. Never leaves the use case. */
export class KeyKnown extends Schema.TaggedError<KeyKnown>()("KeyKnown", { existing: Schema.Unknown }) {
  get operation(): Operation {
    return this.existing as Operation
  }
}

export const actorOf = (installation: Installation["Service"]): string => `api:${installation.hostId}`

export const invoiceOf = (tenant: Tenant, draft: Pick<DocumentDraft, "element" | "content" | "taxRates">): InvoiceToSign => ({
  tenant,
  elementId: draft.element.id,
  jid: draft.element.jid,
  content: draft.content,
  taxRates: draft.taxRates
})

/** The RequestId of an attempt: its UUID without dashes, 32 characters (Decisions §4). */
const requestIdOf = (uuid: string): string => uuid.replaceAll("-", "")

export const newAttempt = Effect.fnUntraced(function*(
  operationId: FiscalDocumentId,
  number: number,
  element: DocumentDraft["element"]
) {
  const installation = yield* Installation
  const identifiers = yield* Identifiers
  const startedAt = yield* DateTime.now
  const attempt: Attempt = {
    operationId,
    number,
    requestId: requestIdOf(yield* identifiers.uuid),
    elementId: element.id,
    jid: element.jid,
    hostId: installation.hostId,
    bootId: installation.bootId,
    startedAt,
    outcome: null,
    lastSearch: null
  }
  return attempt
})

const openingTransitions = (at: DateTime.Utc, actor: string, submitted: boolean): ReadonlyArray<Transition> => [
  { from: null, to: "RECEIVED", at, cause: "received", actor, attempt: 0 },
  { from: "RECEIVED", to: "VALIDATED", at, cause: "validated", actor, attempt: 0 },
  submitted
    ? { from: "VALIDATED", to: "SUBMITTING", at, cause: "reserved", actor, attempt: 1 }
    : { from: "VALIDATED", to: "NOT_FISCALIZED", at, cause: "notSent", actor, attempt: 0 }
]

/** The operation as the first commit stores it: SUBMITTING, or NOT_FISCALIZED where the element could not be opened. */
export const newReservation = Effect.fnUntraced(function*(
  command: Pick<IssueCommand<never, never>, "tenant" | "clientId" | "boundKey">,
  draft: DocumentDraft,
  failureCode: Operation["failureCode"]
) {
  const identifiers = yield* Identifiers
  const installation = yield* Installation
  const policy = yield* SubmissionPolicy
  const at = yield* DateTime.now
  const id = (yield* identifiers.uuid) as FiscalDocumentId
  const attempt = failureCode === null ? yield* newAttempt(id, 1, draft.element) : null
  const operation: Operation = {
    id,
    organizationId: command.tenant.organizationId,
    environment: command.tenant.environment,
    taxpayerId: draft.taxpayerId,
    businessPremiseId: draft.businessPremiseId,
    clientId: command.clientId,
    boundKey: command.boundKey,
    content: draft.content,
    workflow: draft.workflow,
    status: attempt === null ? "NOT_FISCALIZED" : "SUBMITTING",
    attempt: attempt === null ? 0 : 1,
    failureCode,
    rejection: null,
    answer: null,
    buyerDetails: null,
    createdAt: at,
    updatedAt: at,
    nextCheckAt: null
  }
  const reservation: Reservation = {
    operation,
    attempt,
    transitions: openingTransitions(at, actorOf(installation), attempt !== null),
    leaseMillis: leaseMillis(policy)
  }
  return reservation
})

/**
 * A first commit that the store did not confirm is read again by its key; unless it is found there, nothing is sent (Decisions §4,
 * Store trouble).
 */
export const rereadReserved = Effect.fnUntraced(function*(operation: Operation, error: StoreUnavailable) {
  const store = yield* OperationStore
  if (error.committed === "no") return yield* error
  const stored = yield* store.findByKey({
    organizationId: operation.organizationId,
    role: operation.boundKey.role,
    key: operation.boundKey.key
  })
  if (Option.isNone(stored)) return yield* error
  const isOurs = stored.value.id === operation.id
  const reserved: Reserved = isOurs ? { _tag: "Reserved" } : { _tag: "KeyTaken", existing: stored.value }
  return reserved
})

/** Commit 1, confirmed. */
const reserveConfirmed = Effect.fnUntraced(function*(reservation: Reservation) {
  const store = yield* OperationStore
  return yield* store.reserve(reservation).pipe(
    Effect.catchTag("StoreUnavailable", (error) => rereadReserved(reservation.operation, error))
  )
})

type Attempted = { readonly _tag: "Issued"; readonly operation: Operation } | {
  readonly _tag: "KeyTaken"
  readonly existing: Operation
}

const reserveAndSubmit = Effect.fnUntraced(function*<E, R>(
  command: IssueCommand<E, R>,
  draft: DocumentDraft,
  prepared: Result.Result<PreparedInvoice, { readonly failureCode: NonNullable<Operation["failureCode"]> }>
) {
  const inFlight = yield* InFlight
  const installation = yield* Installation
  const store = yield* OperationStore
  const leaseFrom = yield* thisMoment
  const reservation = yield* newReservation(command, draft, Result.isFailure(prepared) ? prepared.failure.failureCode : null)
  const { operation, attempt } = reservation
  inFlight.begin(operation.id)
  const reserved = yield* reserveConfirmed(reservation).pipe(
    Effect.tapCause(() => Effect.sync(() => inFlight.end(operation.id, null)))
  )
  if (reserved._tag === "KeyTaken" || attempt === null || Result.isFailure(prepared)) {
    inFlight.end(operation.id, null)
    return reserved._tag === "KeyTaken" ? reserved : { _tag: "Issued", operation } satisfies Attempted
  }
  const stored = yield* submitReserved({
    operation,
    attempt,
    prepared: prepared.success,
    callerGone: command.callerGone,
    actor: actorOf(installation),
    leaseFrom,
    earlierUnresolved: false,
    reserveAgain: store.reserve(reservation)
  })
  inFlight.end(operation.id, stored)
  return { _tag: "Issued", operation: stored } satisfies Attempted
}, Effect.uninterruptible)

/** Opens the element, then reserves, sends and stores. A key that turns out to be taken is handed back to be answered. */
export const attemptDraft = Effect.fnUntraced(function*<E, R>(command: IssueCommand<E, R>, draft: DocumentDraft) {
  const authority = yield* TaxAuthority
  const prepared = yield* Effect.result(authority.prepare(invoiceOf(command.tenant, draft)))
  const attempted: Attempted = yield* reserveAndSubmit(command, draft, prepared)
  return attempted
})
