import { Effect, Option, Result } from "effect"
import type { Signer } from "../../documents/InvoiceToSign.ts"
import { retryableOf } from "../../documents/FiscalDocument.ts"
import { IdempotencyKeyReusedInOtherEnvironment, IdempotencyKeyReusedWithDifferentRequest } from "../../idempotency/errors.ts"
import { replayDecision } from "../../idempotency/replayDecision.ts"
import { isDocument, type KeyHolder } from "../../operations/KeyHolder.ts"
import type { BoundKey, Operation } from "../../operations/Operation.ts"
import { Installation } from "../../ports/TenancyDirectory.ts"
import { OperationStore } from "../../ports/OperationStore.ts"
import { TaxAuthority } from "../../ports/TaxAuthority.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { Environment } from "../../tenancy/Environment.ts"
import { comparedRates, type DocumentDraft, draftDocument, draftWithoutKey, type IssuableKind, type KeyLookUp } from "./draftDocument.ts"
import { type CarriedOut, carryOut, type Opened } from "./carryOut.ts"
import { apiActor, type Kept, newDocument } from "./reservation.ts"
import { sendReserved } from "./sendReserved.ts"
import { waitForOutcome } from "./waitForOutcome.ts"

/** The operation as it is now, and whether this request issued it or found it. */
export interface Issued<K = unknown> {
  readonly operation: Operation
  readonly replayed: boolean
  /** What this request's first commit stored; null where the key had an operation before. */
  readonly kept: K | null
}

interface Keyed<Subject, K extends Kept, E, R, Content> {
  readonly request: KeyedRequest
  readonly kind: IssuableKind<Subject, K, E, R, Content>
  readonly lookUp: KeyLookUp
}

/** A draft with its element, opened or not. */
interface Ready<Subject, Content> {
  readonly draft: DocumentDraft<Subject, Content>
  readonly opened: Opened
}

const signerAt = (tenant: Tenant, { place }: Pick<DocumentDraft, "place">): Signer => ({
  tenant,
  elementId: place.element.id,
  jid: place.element.jid
})

const open = Effect.fnUntraced(function*<Subject, Content>(tenant: Tenant, draft: DocumentDraft<Subject, Content>) {
  const authority = yield* TaxAuthority
  const opened: Opened = yield* Effect.result(authority.open(signerAt(tenant, draft)))
  return { draft, opened } satisfies Ready<Subject, Content>
})

/** Step 11 and 12 for a new document. */
const issueNew = Effect.fnUntraced(function*<Subject, K extends Kept, E, R, Content>(
  { kind, request }: Keyed<Subject, K, E, R, Content>,
  { draft, opened }: Ready<Subject, Content>
) {
  const installation = yield* Installation
  const { taxpayer, premise } = draft.place.found
  const blank = yield* newDocument(
    {
      tenant: request.tenant,
      clientId: request.clientId,
      boundKey: request.boundKey,
      taxpayerId: taxpayer.id,
      businessPremiseId: premise.id,
      signer: signerAt(request.tenant, draft)
    },
    Result.isFailure(opened) ? opened.failure.failureCode : null
  )
  return yield* carryOut({
    firstCommit: yield* kind.firstCommit(blank, draft),
    opened,
    callerGone: request.callerGone,
    actor: apiActor(installation),
    earlierUnresolved: false
  })
})

const replay = (operation: Operation): Issued<never> => ({ operation, replayed: true, kept: null })

/** Steps 5 to 10 again, for a document that the same key sends again (Decisions §3). */
const readyAgain = Effect.fnUntraced(function*<Subject, K extends Kept, E, R, Content>({ kind, request }: Keyed<Subject, K, E, R, Content>) {
  return yield* open(request.tenant, yield* draftWithoutKey(request.tenant, kind))
})

/**
 * The answer to a request whose key is taken (Decisions §3). `ready` is the result of steps 5 to 10, where this request has passed them already; only
 * sending again needs it. A refusal is computed again: its cause may have been this very operation, stored meanwhile by the same request.
 */
const answerStored = Effect.fnUntraced(function*<Subject, K extends Kept, E, R, Content>(
  keyed: Keyed<Subject, K, E, R, Content>,
  existing: KeyHolder,
  ready: Ready<Subject, Content> | null
) {
  const { kind, request } = keyed
  yield* checkReplay(request, existing)
  if (!isDocument(existing)) return yield* Effect.die(new Error(`${existing.id} is no document, although its key was looked up for one`))
  if (existing.status === "SUBMITTING") return replay(yield* waitForOutcome(existing))
  if (kind.replay === "REPLAY" || !retryableOf(existing.status, existing.failureCode)) return replay(existing)
  const again = ready ?? (yield* readyAgain(keyed))
  const installation = yield* Installation
  const sent = yield* sendReserved(existing, {
    signer: signerAt(request.tenant, again.draft),
    opened: again.opened,
    taxRates: yield* comparedRates(request.tenant, again.draft.place.element.id, existing.content),
    callerGone: request.callerGone,
    actor: apiActor(installation),
    operator: null,
    ...(kind.redrive === undefined ? {} : { redrive: kind.redrive })
  })
  return { ...sent, kept: null } satisfies Issued<never>
})

/** Steps 5 to 12 for a key that is not known to be taken. */
const pass = Effect.fnUntraced(function*<Subject, K extends Kept, E, R, Content>(keyed: Keyed<Subject, K, E, R, Content>) {
  const { kind, lookUp, request } = keyed
  const drafted = yield* draftDocument(request.tenant, kind, kind.keyLookup === "FIRST" ? null : lookUp)
  if (drafted._tag === "KeyKnown") return { _tag: "Taken", existing: drafted.existing, ready: null } as const
  const ready = yield* open(request.tenant, drafted.draft)
  const done: CarriedOut<K> = yield* issueNew(keyed, ready)
  return done._tag === "Taken" ? { ...done, ready } : done
})

type Passed<Subject, K, Content> =
  | Extract<CarriedOut<K>, { readonly _tag: "CarriedOut" | "TakenOver" }>
  | { readonly _tag: "Taken"; readonly existing: KeyHolder | null; readonly ready: Ready<Subject, Content> | null }

/** This request's document, or the one that the key already has. */
const answerPassed = Effect.fnUntraced(function*<Subject, K extends Kept, E, R, Content>(
  keyed: Keyed<Subject, K, E, R, Content>,
  passed: Passed<Subject, K, Content>
) {
  if (passed._tag === "CarriedOut" && passed.operation.status !== "SUBMITTING") {
    return { operation: passed.operation, replayed: false, kept: passed.kept } satisfies Issued<K>
  }
  // This request has sent already: whatever the status of the operation that now has the key, nothing is sent again.
  if (passed._tag === "TakenOver") {
    const { operation } = passed
    yield* checkReplay(keyed.request, operation)
    return replay(operation.status === "SUBMITTING" ? yield* waitForOutcome(operation) : operation)
  }
  // Taken, or sent again by another request while this attempt's outcome came too late to be stored.
  const existing = passed._tag === "CarriedOut" ? passed.operation : passed.existing
  if (existing === null) return yield* Effect.die(new Error("a key is taken, but its holder does not exist"))
  return yield* answerStored(keyed, existing, passed._tag === "CarriedOut" ? null : passed.ready)
})

/**
 * Issues one document of a kind under one key, or answers with what the key already has. Every document that a caller asks for is issued by this
 * function. Two durable commits around one submission, never sent twice (Decisions §4). Answers the operation as it is afterwards; only FISCALIZED is
 * a receipt.
 *
 * The contract requires the look-up of the key before the checks of steps 5 to 10. Where nothing is read before the first commit, the commit itself
 * is the look-up: its unique constraint finds a taken key. The key is looked up separately only where the checks refuse, or before anything slow; the
 * answers are the same (docs/adr/0007).
 *
 * Fails with the first refusal in the order of checks, with `StoreUnavailable` when nothing could be reserved, and with the idempotency conflicts.
 */
export const issueUnderKey = Effect.fnUntraced(function*<Subject, K extends Kept, E extends { readonly _tag: string }, R, Content>(
  request: KeyedRequest,
  kind: IssuableKind<Subject, K, E, R, Content>
) {
  const store = yield* OperationStore
  const { boundKey, tenant } = request
  const lookUp = store.findByKey({ organizationId: tenant.organizationId, role: boundKey.role, key: boundKey.key })
  const keyed: Keyed<Subject, K, E, R, Content> = { request, kind, lookUp }
  if (kind.keyLookup === "FIRST") {
    const known = yield* lookUp
    if (Option.isSome(known)) return yield* answerStored(keyed, known.value, null)
  }
  const passed = yield* Effect.result(pass(keyed))
  if (Result.isSuccess(passed)) return yield* answerPassed(keyed, passed.success)
  const { failure } = passed
  if (failure._tag === "StoreUnavailable") return yield* Effect.fail(failure)
  // A duplicate under the same key may have been stored meanwhile, or long before the premise changed: the stored operation decides.
  const meanwhile = yield* lookUp
  if (Option.isNone(meanwhile)) return yield* Effect.fail(failure)
  return yield* answerStored(keyed, meanwhile.value, null)
})

/** Whether a taken key may answer this request at all (Decisions §3). */
export const checkReplay = Effect.fnUntraced(function*(
  request: { readonly tenant: Tenant; readonly boundKey: BoundKey },
  existing: { readonly id: string; readonly boundKey: BoundKey; readonly environment: Environment }
) {
  const decision = replayDecision({ existing: existing.boundKey, environment: existing.environment }, {
    presented: request.boundKey,
    environment: request.tenant.environment
  })
  if (decision === "OTHER_ENVIRONMENT") return yield* new IdempotencyKeyReusedInOtherEnvironment({ operationId: existing.id })
  if (decision === "DIFFERENT") {
    return yield* new IdempotencyKeyReusedWithDifferentRequest({ operationId: existing.id })
  }
})

/** Who requests a document, and under which key. */
export interface KeyedRequest {
  readonly tenant: Tenant
  readonly clientId: string
  readonly boundKey: BoundKey
  /** Aborts when the caller disconnects. */
  readonly callerGone: AbortSignal
}
