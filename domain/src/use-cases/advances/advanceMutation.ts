import { Clock, Effect, Option, Result } from "effect"
import { AdvanceCaseNotFound, AdvanceCaseNotOpen } from "../../advances/errors.ts"
import type { AdvanceMutation } from "../../advances/advanceGate.ts"
import { type AdvanceContent, type DocumentInFlight, mayBeRedriven, type RedriveRefusals } from "../../advances/planAdvanceDocument.ts"
import type { OpenedAdvanceCase, StoredAdvanceCase } from "../../advances/AdvanceCase.ts"
import type { LicensedUse } from "../../licensing/licenseGate.ts"
import { composeContent } from "../../documents/composeContent.ts"
import type { Operation } from "../../operations/Operation.ts"
import { AdvanceCases, type CaseReserved } from "../../ports/WorkflowStores.ts"
import { OperationStore, type Redrive, type Reservation } from "../../ports/OperationStore.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../../tenancy/identifiers.ts"
import { type Committed, type FirstCommit, type Kept, rereadByKey } from "../issuing/reservation.ts"
import { type DocumentDraft, type DraftFacts, type GateRequest, checkPrerequisites } from "../issuing/draftDocument.ts"
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

/** The case as the subject of the checks of a kind. */
export const caseSubject = (tenant: Tenant, id: WorkflowId) => AdvanceCases.use((cases) => cases.get(tenant, id))

export type CaseSubject = Option.Option<StoredAdvanceCase>

/** Steps 5 to 8b for a case's premise; a case that does not exist is refused first. */
export const caseGates = Effect.fnUntraced(function*<U extends LicensedUse, E>(
  tenant: Tenant,
  id: WorkflowId,
  subject: CaseSubject,
  asked: Pick<GateRequest<U, E>, "use" | "paymentMode" | "items">
) {
  if (Option.isNone(subject)) return yield* new AdvanceCaseNotFound({ advanceCaseId: id })
  const { businessPremiseId, taxpayerId } = subject.value.opened
  return yield* checkPrerequisites(tenant, { taxpayerId, businessPremiseId, ...asked })
})

/** The case that the checks have found. */
export const provenCase = (subject: CaseSubject): StoredAdvanceCase => {
  if (Option.isNone(subject)) throw new Error("The checks passed for an advance case that does not exist.")
  return subject.value
}

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
export const inCase = (reservation: Reservation, { id }: OpenedAdvanceCase): Reservation => ({
  ...reservation,
  operation: { ...reservation.operation, workflow: { type: "ADVANCE", id } }
})

/** The document as it was planned, to be signed at its premise. */
export const withContent = (reservation: Reservation, planned: AdvanceContent, place: DraftFacts<CaseSubject>["place"]): Reservation => ({
  ...reservation,
  operation: { ...reservation.operation, content: composeContent(planned, planned, place) }
})

/**
 * The first commit of one document of a case, or of the two of a closing. What is reserved is decided by the documents as they are under the case's
 * row lock, not as the checks read them.
 *
 * @param sent Picks the document that is sent next among the results of `plan`.
 */
export const caseCommit = Effect.fnUntraced(function*<E>(
  opened: OpenedAdvanceCase,
  sent: Reservation,
  plan: (documents: ReadonlyArray<Operation>) => Result.Result<ReadonlyArray<Reservation>, E>
) {
  const cases = yield* AdvanceCases
  const store = yield* OperationStore
  const id = sent.operation.id
  const commit: FirstCommit<CaseKept, E> = {
    reservation: sent,
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

/** The first commit of a mutation that issues one document: `plan` is evaluated again under the case's row lock. */
export const planThenCommit = <E>(plan: (stored: StoredAdvanceCase) => Result.Result<AdvanceContent, E>) =>
  (blank: Reservation, { place, subject }: DocumentDraft<CaseSubject>) => {
    const { opened } = provenCase(subject)
    const offered = inCase(blank, opened)
    return caseCommit(opened, offered, (documents) =>
      Result.map(plan({ opened, documents }), (planned) => [withContent(offered, planned, place)]))
  }

/** Sends a document of the case again, if the state of the case under its row lock still allows it. */
export const redriveInCase = <M extends AdvanceMutation>(tenant: Tenant, caseId: WorkflowId, mutation: M) =>
  Effect.fnUntraced(function*(redrive: Redrive) {
    const cases = yield* AdvanceCases
    const found = yield* cases.get(tenant, caseId)
    const decided: Result.Result<boolean, CaseRefusal<M>> = Option.isNone(found)
      ? Result.fail(new AdvanceCaseNotFound({ advanceCaseId: caseId }))
      : yield* cases.redrive(found.value.opened, redrive, (documents) => mayBeRedriven[mutation](documents, redrive.operation))
    return decided
  })

const isInFlight = (error: { readonly _tag: string }): error is DocumentInFlight => error._tag === "DocumentInFlight"

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
    yield* waitForOutcome(failure.operation)
  }
})
