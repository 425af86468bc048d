import { Effect, Option, Result } from "effect"
import { composeContent, paidBy } from "../documents/composeContent.ts"
import { isDocument } from "../operations/KeyHolder.ts"
import type { Operation } from "../operations/Operation.ts"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import { ProformaTrainingDocuments } from "../ports/WorkflowStores.ts"
import { WorkflowNotFound } from "../proforma-training/errors.ts"
import { claimSource, repeatSource, type SourceRefund } from "../proforma-training/ProformaTrainingWorkflow.ts"
import { callerMayReference, checkReference } from "../references/checkReference.ts"
import { ReferenceDocumentNotFound } from "../references/errors.ts"
import { type DocumentReference, referencedDocument } from "../references/ReferencedDocument.ts"
import type { ProformaTrainingRequest } from "../requests/ProformaTrainingRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import {
  checkLabelsNow, checkLabelsThen, checkPrerequisites, type DocumentDraft, type DraftFacts, type IssuableKind, type Proven
} from "./issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { type Blank, type Committed, type FirstCommit, type Kept, rereadByKey, withContent } from "./issuing/reservation.ts"

/** The workflow of this request; for a refund, the sale that it gives back, with the refunds that the sale has already. */
interface Source {
  readonly workflowId: WorkflowId
  readonly given: { readonly sale: Operation; readonly reference: DocumentReference; readonly refunds: ReadonlyArray<SourceRefund> } | null
}

/** A request that drives its key again continues its workflow, which has claimed the source already. */
const workflowOf = Effect.fnUntraced(function*({ boundKey, tenant }: KeyedRequest) {
  const store = yield* OperationStore
  const identifiers = yield* Identifiers
  const known = Option.getOrNull(yield* store.findByKey({ organizationId: tenant.organizationId, role: "REQUEST", key: boundKey.key }))
  const workflow = known !== null && isDocument(known) ? known.workflow : null
  return workflow === null ? (yield* identifiers.uuid) as WorkflowId : workflow.id
})

/** The sale that a refund gives back, by the reference of its request. */
const refundedSale = Effect.fnUntraced(function*(tenant: Tenant, request: ProformaTrainingRequest, fiscalDocumentId: FiscalDocumentId) {
  const documents = yield* ProformaTrainingDocuments
  const sale = Option.getOrNull(yield* (yield* OperationStore).get(tenant, fiscalDocumentId))
  if (sale === null) return yield* new ReferenceDocumentNotFound({ fiscalDocumentId })
  const reference = yield* Effect.fromResult(checkReference(request, fiscalDocumentId, referencedDocument(sale)))
  return { sale, reference, refunds: yield* documents.refundsOf(tenant, sale.id) } satisfies Source["given"]
})

const proven = Effect.fnUntraced(function*(fiscal: KeyedRequest, request: ProformaTrainingRequest) {
  const { businessPremiseId, items, payments, reference, taxpayerId, transactionType } = request
  const workflowId = yield* workflowOf(fiscal)
  const asked = { taxpayerId, businessPremiseId, use: "PROFORMA_TRAINING", paymentMode: paidBy(payments), items } as const
  const place = yield* checkPrerequisites(fiscal.tenant, asked)
  const given = transactionType === "REFUND" && reference?.source === "SVC" ? yield* refundedSale(fiscal.tenant, request, reference.fiscalDocumentId) : null
  const source: Proven<Source> = { place, subject: { workflowId, given }, ratesAt: given === null ? "NOW" : given.reference }
  return source
})

type Refusal = Exclude<Effect.Error<ReturnType<typeof proven>>, StoreUnavailable> | Result.Result.Failure<ReturnType<typeof compose>>
type Needs = OperationStore | ProformaTrainingDocuments | Identifiers

/** Steps 9 and 10: of a sale the labels, and that it names no other document; of a refund every item of its source in order, and that no other refund has it. */
const compose = (request: ProformaTrainingRequest, facts: DraftFacts<Source>) => {
  const { place, subject: { given, workflowId } } = facts
  return Result.gen(function*() {
    if (given === null) {
      yield* checkLabelsNow(request.items, facts)
      yield* request.reference === null ? Result.void : callerMayReference(request)
      return composeContent({ ...request, reference: null }, request, place)
    }
    const { reference, refunds, sale } = given
    yield* checkLabelsThen(sale.content.items, facts)
    const items = yield* repeatSource(sale.content.items, request.items)
    yield* claimSource(workflowId, refunds)
    return composeContent({ ...request, reference }, { ...request, items }, place)
  })
}

/** The document, and the claim on its source, in one commit: of any number of refunds one wins. */
const claimingCommit = Effect.fnUntraced(function*(blank: Blank, { content, subject: { workflowId } }: DocumentDraft<Source>) {
  const documents = yield* ProformaTrainingDocuments
  const store = yield* OperationStore
  const reservation = withContent({ ...blank, operation: { ...blank.operation, workflow: { type: "PROFORMA_TRAINING", id: workflowId } } }, content)
  const kept: Committed<Kept> = { _tag: "Kept", kept: { reservation } }
  const reserve = documents.reserve(reservation)
  const commit: FirstCommit<Kept, Result.Result.Failure<ReturnType<typeof claimSource>>> = {
    offered: reservation,
    buyer: content.buyer,
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
export const proformaTrainingKind = (fiscal: KeyedRequest, request: ProformaTrainingRequest): IssuableKind<Source, Kept, Refusal, Needs> =>
  ({
    keyLookup: "FIRST",
    gates: proven(fiscal, request),
    compose: (facts) => compose(request, facts),
    firstCommit: claimingCommit,
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
