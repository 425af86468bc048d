import { DateTime, Effect } from "effect"
import type { DocumentContent } from "../../documents/DocumentContent.ts"
import type { Signer } from "../../documents/InvoiceToSign.ts"
import type { Attempt, BoundKey, Operation, Transition } from "../../operations/Operation.ts"
import { Identifiers } from "../../ports/Identifiers.ts"
import { Installation } from "../../ports/Installation.ts"
import type { Reservation } from "../../ports/OperationStore.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../../tenancy/identifiers.ts"
import { apiActor } from "./actors.ts"
import { leaseMillis, SubmissionPolicy } from "./SubmissionPolicy.ts"

/** A document to be stored for the first time. */
export interface NewDocument {
  readonly tenant: Tenant
  readonly clientId: string
  readonly boundKey: BoundKey
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly signer: Signer
  readonly content: DocumentContent
}

/** A RequestId that nobody can compute again: a UUID without dashes, 32 characters (Decisions §4). */
const requestIdOf = (uuid: string): string => uuid.replaceAll("-", "")

/** An attempt that is made now. `derived` is its RequestId where the document's RequestIds are derived (`derivedRequestId`). */
export const newAttempt = Effect.fnUntraced(function*(
  operationId: FiscalDocumentId,
  number: number,
  signer: Pick<Signer, "elementId" | "jid">,
  derived: string | null
) {
  const installation = yield* Installation
  const identifiers = yield* Identifiers
  const startedAt = yield* DateTime.now
  const uuid = yield* identifiers.uuid
  const attempt: Attempt = {
    operationId,
    number,
    requestId: derived ?? requestIdOf(uuid),
    mark: derived === null ? null : uuid,
    elementId: signer.elementId,
    jid: signer.jid,
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

/**
 * The document as the first commit stores it: SUBMITTING with its first attempt; or NOT_FISCALIZED without one, where the element could
 * not be opened and `failureCode` says why.
 */
export const newReservation = Effect.fnUntraced(function*(document: NewDocument, failureCode: Operation["failureCode"]) {
  const identifiers = yield* Identifiers
  const installation = yield* Installation
  const policy = yield* SubmissionPolicy
  const at = yield* DateTime.now
  const id = (yield* identifiers.uuid) as FiscalDocumentId
  const attempt = failureCode === null ? yield* newAttempt(id, 1, document.signer, null) : null
  const operation: Operation = {
    id,
    organizationId: document.tenant.organizationId,
    environment: document.tenant.environment,
    taxpayerId: document.taxpayerId,
    businessPremiseId: document.businessPremiseId,
    clientId: document.clientId,
    boundKey: document.boundKey,
    content: document.content,
    workflow: null,
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
    transitions: openingTransitions(at, apiActor(installation), attempt !== null),
    leaseMillis: leaseMillis(policy)
  }
  return reservation
})
