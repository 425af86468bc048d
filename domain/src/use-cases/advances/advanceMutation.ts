import { Clock, Effect, Option, Result } from "effect"
import { AdvanceCaseNotFound, AdvanceCaseNotOpen } from "../../advances/errors.ts"
import type { AdvanceMutation } from "../../advances/advanceGate.ts"
import { type AdvanceContent, type DocumentInFlight, isSentByAnother, mayBeRedriven, type RedriveRefusals } from "../../advances/planAdvanceDocument.ts"
import type { OpenedAdvanceCase, StoredAdvanceCase } from "../../advances/AdvanceCase.ts"
import type { LicensedUse } from "../../licensing/licenseGate.ts"
import type { DocumentContent } from "../../documents/DocumentContent.ts"
import { composeContent } from "../../documents/composeContent.ts"
import type { Operation } from "../../operations/Operation.ts"
import { AdvanceCases, type CaseReserved } from "../../ports/WorkflowStores.ts"
import { OperationStore, type Redrive, type Reservation } from "../../ports/OperationStore.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../../tenancy/identifiers.ts"
import { type Blank, type Committed, type FirstCommit, type Kept, rereadByKey, withContent } from "../issuing/reservation.ts"
import { checkPrerequisites, type DocumentDraft, type GateRequest, type IssuableKind, type Proven } from "../issuing/draftDocument.ts"
import { leaseMillis, SubmissionPolicy } from "../issuing/lease.ts"
import { waitForOutcome } from "../issuing/waitForOutcome.ts"

/** A case after a request, with this request's document, and whether an earlier request with the same key did the work. */
export interface AdvanceMutated {
  readonly stored: StoredAdvanceCase
  /** Null where the request issued no document: opening. As this process knows it, where the store has lost it and has it no more. */
  readonly current: Operation | null
  readonly replayed: boolean
}

/** The request's document as it is stored in the case; as this process knows it where the store has lost it, whose outcome is then never a receipt. */
export const currentIn = ({ documents }: StoredAdvanceCase, issued: Operation): Operation => documents.find(({ id }) => id === issued.id) ?? issued

/** The case, or the 404 refusal. Source: Decisions §1. */
export const readAdvanceCase = Effect.fn("readAdvanceCase")(function*(tenant: Tenant, id: WorkflowId) {
  const cases = yield* AdvanceCases
  const found = yield* cases.get(tenant, id)
  return Option.isSome(found) ? found.value : yield* new AdvanceCaseNotFound({ advanceCaseId: id })
})

/** A case without its documents: where only the first commit needs them, which reads them under the case's row lock. */
export type CaseOpening = Pick<StoredAdvanceCase, "opened">

const findOpened = Effect.fnUntraced(function*(tenant: Tenant, id: WorkflowId) {
  const found = yield* (yield* AdvanceCases).find(tenant.organizationId, { id })
  return Option.filter(found, ({ environment }) => environment === tenant.environment)
})

/** The case without its documents, or the 404 refusal. */
const readOpening = Effect.fnUntraced(function*(tenant: Tenant, id: WorkflowId) {
  const found = yield* findOpened(tenant, id)
  if (Option.isNone(found)) return yield* new AdvanceCaseNotFound({ advanceCaseId: id })
  const opening: CaseOpening = { opened: found.value }
  return opening
})

/** What a mutation asks of a case's premise. */
type CaseRequest<U extends LicensedUse, E> = Pick<GateRequest<U, E>, "use" | "paymentMode" | "items"> & Partial<Pick<Proven<StoredAdvanceCase>, "ratesAt">>

const proven = Effect.fnUntraced(function*<S extends CaseOpening, U extends LicensedUse, E>(tenant: Tenant, subject: S, { ratesAt = "NOW", ...gates }: CaseRequest<U, E>) {
  const { businessPremiseId, taxpayerId } = subject.opened
  const place = yield* checkPrerequisites(tenant, { taxpayerId, businessPremiseId, ...gates })
  return { place, subject, ratesAt } satisfies Proven<S>
})

/** Steps 5 to 8b for a case's premise; a case that does not exist is refused first. `asked` depends on the case. */
export const provenCase = <U extends LicensedUse, E>(tenant: Tenant, id: WorkflowId, asked: (stored: StoredAdvanceCase) => CaseRequest<U, E>) =>
  Effect.flatMap(readAdvanceCase(tenant, id), (subject) => proven(tenant, subject, asked(subject)))

/** The same where the case's documents decide nothing of it. */
export const provenOpening = <U extends LicensedUse, E>(tenant: Tenant, id: WorkflowId, asked: CaseRequest<U, E>) =>
  Effect.flatMap(readOpening(tenant, id), (subject) => proven(tenant, subject, asked))

/** A case whose premise may issue. The content of its next document is decided by the first commit alone, under the case's row lock. */
export type CaseDraft<S extends CaseOpening = StoredAdvanceCase> = DocumentDraft<S, null>

/** A mutation of a case. */
export type CaseKind<E, R = never, S extends CaseOpening = StoredAdvanceCase> = IssuableKind<S, CaseKept, E, R | CaseNeeds, null>

/** Nothing more to compose, once the checks that need no lock have passed. */
export const underLock = <E>(checked: Result.Result<unknown, E>): Result.Result<null, E> => Result.map(checked, () => null)

/** The refusals that all mutations of a case have in common. */
export type CaseRefusal<M extends AdvanceMutation> = AdvanceCaseNotFound | RedriveRefusals[M]

export type CaseNeeds = AdvanceCases | OperationStore

/** What a first commit in a case stores: the document that is sent next, and all documents. */
export interface CaseKept extends Kept {
  readonly all: ReadonlyArray<Reservation>
}

const committed = (reserved: CaseReserved, sent: FiscalDocumentId): Committed<CaseKept> => {
  if (reserved._tag === "KeyTaken") return { _tag: "Taken", existing: reserved.existing }
  const reservation = reserved.kept.find(({ operation }) => operation.id === sent)
  if (reservation === undefined) throw new Error(`The store kept no document ${sent} of those it was given.`)
  return { _tag: "Kept", kept: { reservation, all: reserved.kept } }
}

/** A document as part of its case. */
export const inCase = (blank: Blank, { id }: OpenedAdvanceCase): Blank => ({ ...blank, operation: { ...blank.operation, workflow: { type: "ADVANCE", id } } })

/** The document as it was planned, to be signed at its premise. */
export const planned = (blank: Blank, content: AdvanceContent, { place }: CaseDraft<CaseOpening>): Reservation => withContent(blank, composeContent(content, content, place))

/**
 * The first commit of one document of a case, or of the two of a closing. What is reserved is decided by the documents as they are under the case's
 * row lock, not as the checks read them.
 *
 * @param sent Picks the document that is sent next among the results of `plan`.
 */
export const caseCommit = Effect.fnUntraced(function*<E>(
  { opened, buyer = opened.buyer }: { readonly opened: OpenedAdvanceCase; readonly buyer?: DocumentContent["buyer"] },
  sent: Blank,
  plan: (documents: ReadonlyArray<Operation>) => Result.Result<ReadonlyArray<Reservation>, E>
) {
  const cases = yield* AdvanceCases
  const store = yield* OperationStore
  const id = sent.operation.id
  const commit: FirstCommit<CaseKept, E> = {
    offered: sent,
    buyer,
    commit: Effect.map(cases.reserve(opened, plan), (decided) => Result.map(decided, (reserved) => committed(reserved, id))),
    reread: Effect.suspend(() =>
      rereadByKey(store, sent.operation, (operation) => {
        const reservation: Reservation = { ...sent, operation }
        return Effect.succeedSome<CaseKept>({ reservation, all: [reservation] })
      })),
    again: ({ all }) => Effect.map(cases.reserveAgain(opened, all), (reserved) => committed(reserved, id))
  }
  return commit
})

/** The first commit of a mutation that issues one document. */
export const planThenCommit = <E, S extends CaseOpening = StoredAdvanceCase>(
  plan: (stored: StoredAdvanceCase, draft: CaseDraft<S>) => Result.Result<AdvanceContent, E>,
  said: { readonly buyer?: DocumentContent["buyer"] } = {}
) =>
(blank: Blank, draft: CaseDraft<S>) => {
  const { opened } = draft.subject
  const offered = inCase(blank, opened)
  return caseCommit({ opened, ...said }, offered, (documents) =>
    Result.map(plan({ opened, documents }, draft), (content) => [planned(offered, content, draft)]))
}

/** Sends a document of the case again, if the state of the case under its row lock still allows it. */
export const redriveInCase = <M extends AdvanceMutation>(tenant: Tenant, caseId: WorkflowId, mutation: M) =>
  Effect.fnUntraced(function*(redrive: Redrive) {
    const cases = yield* AdvanceCases
    const found = yield* findOpened(tenant, caseId)
    const decided: Result.Result<boolean, CaseRefusal<M>> = Option.isNone(found)
      ? Result.fail(new AdvanceCaseNotFound({ advanceCaseId: caseId }))
      : yield* cases.redrive(found.value, redrive, (documents) =>
        isSentByAnother(documents, redrive.operation) ? Result.void : mayBeRedriven[mutation](documents, redrive.operation))
    return decided
  })

/** Another document of the case is in flight. */
export const isInFlight = (error: { readonly _tag: string }): error is DocumentInFlight => error._tag === "DocumentInFlight"

/**
 * Runs a mutation. While another document of the case is in flight, it waits for that outcome and runs the mutation again, at most as long as a
 * submission may take (Decisions §5: one document in flight per case).
 */
export const waitingForCase = Effect.fnUntraced(function*<A, E extends { readonly _tag: string }, R>(mutation: Effect.Effect<A, E, R>) {
  const policy = yield* SubmissionPolicy
  const until = (yield* Clock.currentTimeMillis) + leaseMillis(policy)
  for (;;) {
    const done = yield* Effect.result(mutation)
    if (Result.isSuccess(done)) return done.success
    const failure: E = done.failure
    if (!isInFlight(failure)) return yield* Effect.fail(failure as Exclude<E, DocumentInFlight>)
    if ((yield* Clock.currentTimeMillis) >= until) return yield* new AdvanceCaseNotOpen({ state: "AWAITING_OUTCOME" })
    if (failure.operation !== null) yield* waitForOutcome(failure.operation)
  }
})
