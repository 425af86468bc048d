import { DateTime, Effect, Option, Result } from "effect"
import type { Operator, OperatorsDeed } from "../../activity/Activity.ts"
import type { DocumentContent } from "../../documents/DocumentContent.ts"
import type { Signer } from "../../documents/InvoiceToSign.ts"
import { isDocument, type KeyHolder } from "../../operations/KeyHolder.ts"
import type { Attempt, BoundKey, Operation, Transition } from "../../operations/Operation.ts"
import { Identifiers, Installation } from "../../ports/TenancyDirectory.ts"
import { OperationStore, type Reservation } from "../../ports/OperationStore.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { BusinessPremiseId, FiscalDocumentId, TaxpayerId } from "../../tenancy/identifiers.ts"
import { leaseMillis, SubmissionPolicy } from "./lease.ts"

type Host = Pick<Installation["Service"], "hostId">

/** This host serving a caller, as transitions name it. */
export const apiActor = ({ hostId }: Host): string => `api:${hostId}`
/** This host's worker. */
export const workerActor = ({ hostId }: Host): string => `worker:${hostId}`
/** A person of the installation, by name. */
export const operatorActor = (name: string): string => `operator:${name}`

/** What the activity log says of an operator's act on a document. */
export const operatorsDeed = ({ name, reason }: Operator, act: string, after: OperatorsDeed["after"]): OperatorsDeed =>
  ({ actor: operatorActor(name), reason, act, after })

/** What a first commit stores: the document that is sent next, and whatever a kind stores with it. */
export interface Kept {
  readonly reservation: Reservation
}

/** A document as a first commit may store it, but for its content. */
export interface Blank extends Omit<Reservation, "operation"> {
  readonly operation: Omit<Operation, "content">
}

export const withContent = ({ operation, ...blank }: Blank, content: DocumentContent): Reservation => ({ ...blank, operation: { ...operation, content } })

export type Committed<K> =
  | { readonly _tag: "Kept"; readonly kept: K }
  /** Another request or host has the key, the attempt number, or a resource that only one may have. `existing` is null if the holder is not known. */
  | { readonly _tag: "Taken"; readonly existing: KeyHolder | null }

/** Commit 1 of an attempt: of a new document, or of the next attempt of one that is stored. */
export interface FirstCommit<K extends Kept, Refusal = never> {
  /** The document as offered. The stored one has the same id and attempt. */
  readonly offered: Blank
  /** The buyer of the document, whose company is looked up while it is stored and sent. */
  readonly buyer: DocumentContent["buyer"]
  readonly commit: Effect.Effect<Result.Result<Committed<K>, Refusal>, StoreUnavailable>
  /** Reads the result of a commit that was not confirmed; None when it is not stored. */
  readonly reread: Effect.Effect<Option.Option<Committed<K>>, StoreUnavailable>
  /** Stores the same reservation again, after the store lost it. */
  readonly again: (kept: K) => Effect.Effect<Committed<K>, StoreUnavailable>
}

/** Whether a stored operation is still exactly as offered, so that its attempt may be sent. */
export const isAsOffered = (stored: Operation, offered: Blank["operation"]): boolean =>
  stored.id === offered.id && stored.status === offered.status && stored.attempt === offered.attempt

/** Reads by the offered document's key: the own commit, which `kept` builds from what is stored, or the other holder of the key. */
export const rereadByKey = Effect.fnUntraced(function*<K>(
  store: OperationStore["Service"],
  offered: Blank["operation"],
  kept: (stored: Operation) => Effect.Effect<Option.Option<K>, StoreUnavailable>
) {
  const { organizationId, boundKey } = offered
  const stored = yield* store.findByKey({ organizationId, role: boundKey.role, key: boundKey.key })
  if (Option.isNone(stored)) return Option.none<Committed<K>>()
  const own = isDocument(stored.value) && isAsOffered(stored.value, offered) ? yield* kept(stored.value) : Option.none<K>()
  return Option.some<Committed<K>>(
    Option.isSome(own) ? { _tag: "Kept", kept: own.value } : { _tag: "Taken", existing: stored.value }
  )
})

/** Stores the document alone. */
export const plainCommit = Effect.fnUntraced(function*(blank: Blank, { content }: { readonly content: DocumentContent }) {
  const store = yield* OperationStore
  const reservation = withContent(blank, content)
  const reserve = Effect.map(store.reserve(reservation), (reserved): Committed<Kept> =>
    reserved._tag === "Reserved"
      ? { _tag: "Kept", kept: { reservation } }
      : { _tag: "Taken", existing: reserved.existing })
  const commit: FirstCommit<Kept> = {
    offered: blank,
    buyer: content.buyer,
    commit: Effect.map(reserve, Result.succeed),
    reread: Effect.suspend(() => rereadByKey(store, blank.operation, () => Effect.succeedSome({ reservation }))),
    again: () => reserve
  }
  return commit
})

/** A document to be stored for the first time. */
export interface NewDocument {
  readonly tenant: Tenant
  readonly clientId: string
  readonly boundKey: BoundKey
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly signer: Signer
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

const received = (at: DateTime.Utc, actor: string): ReadonlyArray<Transition> => [
  { from: null, to: "RECEIVED", at, cause: "received", actor, attempt: 0 },
  { from: "RECEIVED", to: "VALIDATED", at, cause: "validated", actor, attempt: 0 }
]

const submitted = (at: DateTime.Utc, actor: string): Transition =>
  ({ from: "VALIDATED", to: "SUBMITTING", at, cause: "reserved", actor, attempt: 1 })

const notSent = (at: DateTime.Utc, actor: string): Transition =>
  ({ from: "VALIDATED", to: "NOT_FISCALIZED", at, cause: "notSent", actor, attempt: 0 })

/**
 * The first commit of a document that the store has lost whole, with its newest attempt as its first one. The attempts before it are lost: a next one is
 * made only where none of them is known to have a receipt.
 */
export const storedWhole = ({ attempt, leaseMillis: lease, operation }: Reservation & { readonly attempt: Attempt }, actor: string): Reservation => ({
  operation: { ...operation, attempt: 1 },
  attempt: { ...attempt, number: 1 },
  transitions: [...received(operation.createdAt, actor), submitted(attempt.startedAt, actor)],
  leaseMillis: lease
})

/**
 * The document as the first commit stores it: SUBMITTING with its first attempt; or NOT_FISCALIZED without one, where the element could
 * not be opened and `failureCode` says why.
 */
export const newDocument = Effect.fnUntraced(function*(document: NewDocument, failureCode: Operation["failureCode"]) {
  const identifiers = yield* Identifiers
  const actor = apiActor(yield* Installation)
  const policy = yield* SubmissionPolicy
  const at = yield* DateTime.now
  const id = (yield* identifiers.uuid) as FiscalDocumentId
  const attempt = failureCode === null ? yield* newAttempt(id, 1, document.signer, null) : null
  const operation: Blank["operation"] = {
    id,
    organizationId: document.tenant.organizationId,
    environment: document.tenant.environment,
    taxpayerId: document.taxpayerId,
    businessPremiseId: document.businessPremiseId,
    clientId: document.clientId,
    boundKey: document.boundKey,
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
  const blank: Blank = {
    operation,
    attempt,
    transitions: [...received(at, actor), attempt === null ? notSent(at, actor) : submitted(at, actor)],
    leaseMillis: leaseMillis(policy)
  }
  return blank
})
