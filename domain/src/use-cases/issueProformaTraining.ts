import { Effect, Option, Result } from "effect"
import { composeContent, paidBy } from "../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../documents/errors.ts"
import { isDocument } from "../operations/KeyHolder.ts"
import type { Operation } from "../operations/Operation.ts"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import { OperationStore, type Reservation } from "../ports/OperationStore.ts"
import { ProformaTrainingDocuments } from "../ports/WorkflowStores.ts"
import { WorkflowNotFound } from "../proforma-training/errors.ts"
import { claimSource, repeatSource, sourceReference, type SourceRefund } from "../proforma-training/ProformaTrainingWorkflow.ts"
import { referencedDocument } from "../references/ReferencedDocument.ts"
import type { ProformaTrainingRequest } from "../requests/ProformaTrainingRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { WorkflowId } from "../tenancy/identifiers.ts"
import { checkLabelsNow, checkLabelsThen, type DraftFacts, type IssuableKind, checkPrerequisites, type PlaceRefusal } from "./issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { type Committed, type FirstCommit, type Kept, rereadByKey } from "./issuing/reservation.ts"

/** The sale that a refund names, with the refunds it has already; and the workflow of this request. */
interface Source {
  readonly sale: Operation | null
  readonly refunds: ReadonlyArray<SourceRefund>
  readonly workflowId: WorkflowId
}

/** A request that drives its key again continues its workflow, which has claimed the source already. */
const workflowOf = Effect.fnUntraced(function*({ boundKey, tenant }: KeyedRequest) {
  const store = yield* OperationStore
  const identifiers = yield* Identifiers
  const known = Option.getOrNull(yield* store.findByKey({ organizationId: tenant.organizationId, role: "REQUEST", key: boundKey.key }))
  const workflow = known !== null && isDocument(known) ? known.workflow : null
  return workflow === null ? (yield* identifiers.uuid) as WorkflowId : workflow.id
})

const readSource = Effect.fnUntraced(function*(request: KeyedRequest, { reference }: ProformaTrainingRequest) {
  const store = yield* OperationStore
  const documents = yield* ProformaTrainingDocuments
  const workflowId = yield* workflowOf(request)
  if (reference?.source !== "SVC") return { sale: null, refunds: [], workflowId } satisfies Source
  const sale = Option.getOrNull(yield* store.get(request.tenant, reference.fiscalDocumentId))
  const refunds = sale === null ? [] : yield* documents.refundsOf(request.tenant, sale.id)
  const source: Source = { sale, refunds, workflowId }
  return source
})

type Refusal = PlaceRefusal<"PROFORMA_TRAINING", PaymentTypeNotAllowedOnPremise> | Result.Result.Failure<ReturnType<typeof compose>>
type Needs = Effect.Services<ReturnType<typeof readSource>>

/** Steps 9 and 10: the labels, the reference, every item of the source in order, and that no other refund has it. */
const compose = (request: ProformaTrainingRequest, facts: DraftFacts<Source>) => {
  const { place, subject: { refunds, sale, workflowId } } = facts
  const isRefund = request.transactionType === "REFUND"
  const referenced = request.reference?.source === "SVC" ? request.reference.fiscalDocumentId : null
  return Result.gen(function*() {
    if (!isRefund) yield* checkLabelsNow(request.items, facts)
    const reference = yield* sourceReference({ ...request, referenced }, sale === null ? null : referencedDocument(sale))
    if (!isRefund) return composeContent({ ...request, reference }, request, place)
    const sold = sale?.content.items ?? []
    yield* checkLabelsThen(sold, facts)
    const items = yield* repeatSource(sold, request.items)
    yield* claimSource(workflowId, refunds)
    return composeContent({ ...request, reference }, { ...request, items }, place)
  })
}

/** The document, and the claim on its source, in one commit: of any number of refunds one wins. */
const claimingCommit = Effect.fnUntraced(function*(blank: Reservation, workflowId: WorkflowId) {
  const documents = yield* ProformaTrainingDocuments
  const store = yield* OperationStore
  const reservation: Reservation = {
    ...blank,
    operation: { ...blank.operation, workflow: { type: "PROFORMA_TRAINING", id: workflowId } }
  }
  const kept: Committed<Kept> = { _tag: "Kept", kept: { reservation } }
  const reserve = documents.reserve(reservation)
  const commit: FirstCommit<Kept, Result.Result.Failure<ReturnType<typeof claimSource>>> = {
    reservation,
    commit: Effect.map(reserve, (reserved) => {
      if (reserved._tag === "SourceClaimed") return Result.map(claimSource(workflowId, [reserved.by]), () => kept)
      return Result.succeed<Committed<Kept>>(reserved._tag === "Reserved" ? kept : { _tag: "Taken", existing: reserved.existing })
    }),
    reread: Effect.suspend(() => rereadByKey(store, reservation.operation, () => Effect.succeedSome({ reservation }))),
    again: () => Effect.flatMap(reserve, (reserved) => {
      if (reserved._tag === "Reserved") return Effect.succeed(kept)
      const holder = reserved._tag === "KeyTaken" ? Effect.succeed(reserved.existing) : Effect.map(documents.get(blank.operation, reserved.by.workflowId), Option.getOrNull)
      return Effect.map(holder, (existing): Committed<Kept> => ({ _tag: "Taken", existing }))
    })
  }
  return commit
})

/** A proforma or training document. Source: Spec, proforma-training-workflows; Decisions §5, Proforma and training. */
const proformaTrainingKind = (fiscal: KeyedRequest, request: ProformaTrainingRequest): IssuableKind<Source, Kept, Refusal, Needs> =>
  ({
    keyLookup: "FIRST",
    subject: readSource(fiscal, request),
    gates: () =>
      checkPrerequisites(fiscal.tenant, {
        taxpayerId: request.taxpayerId,
        businessPremiseId: request.businessPremiseId,
        use: "PROFORMA_TRAINING",
        paymentMode: paidBy(request.payments),
        items: request.items
      }),
    ratesAt: ({ sale }) => request.transactionType === "SALE" ? "NOW" : { pfrTime: sale?.answer?.pfr.sdcTime ?? "" },
    compose: (facts) => compose(request, facts),
    firstCommit: (blank, { subject }) => claimingCommit(blank, subject.workflowId),
    replay: "RETRY"
  })

/**
 * Has a proforma or training document signed, sale or refund. It is an operation like any other, but no fiscal receipt for the buyer. Answers the
 * operation as it is afterwards. Fails as `issueUnderKey` does. Source: Decisions §5, Proforma and training.
 */
export const issueProformaTraining = Effect.fn("issueProformaTraining")(function*(
  request: KeyedRequest,
  document: ProformaTrainingRequest
) {
  return yield* issueUnderKey(request, proformaTrainingKind(request, document))
})

/** The document of a workflow of the caller's organization and environment. Source: Decisions §5, Proforma and training. */
export const readProformaTraining = Effect.fn("readProformaTraining")(function*(tenant: Tenant, id: WorkflowId) {
  const documents = yield* ProformaTrainingDocuments
  const found = yield* documents.get(tenant, id)
  return Option.isSome(found) ? found.value : yield* new WorkflowNotFound({ workflowId: id })
})
