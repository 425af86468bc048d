import {
  AdvanceCaseNotFound, type BusinessPremiseId, CredentialRestrictedToPremises, FiscalDocumentId, FiscalDocumentNotFound, type Operation as StoredOperation, OperationNotFound,
  readAdvanceCase, readDelivery, readDocument, readProformaTraining, readRefund, ReceiptDeliveryId, ReceiptDeliveryNotFound, RefundWorkflowNotFound, StoreUnavailable, type Tenant, WorkflowId,
  WorkflowNotFound
} from "@overa/domain"
import { Effect } from "effect"
import type { HostServices } from "./HostServices.ts"
import type { Call } from "./Operation.ts"
import { pathId } from "./pathId.ts"

/**
 * How an operation stays within the premises of a credential that is restricted to some (docs/adr/0180). `body`: the body names the premise. `query`: the
 * query does, and must. `path`: what the path names is of one premise. `document`: the document that the body names is. `own`: the handler leaves out what is
 * of other premises. `everybody`: nothing in it is of one premise. `whole`: it is about all premises, and refused.
 */
export type PremiseRule = "body" | "query" | "path" | "document" | "own" | "everybody" | "whole"

type Premises = NonNullable<Call["caller"]["premises"]>

/** The premise of what a path names, and the answer where it is not there for this credential: the same as for what does not exist. */
interface Subject {
  readonly premiseOf: (tenant: Tenant, id: string) => Effect.Effect<BusinessPremiseId, unknown, HostServices>
  readonly notFound: (id: string) => { readonly _tag: string }
}

const premiseOfDocument = ({ businessPremiseId }: Pick<StoredOperation, "businessPremiseId">) => businessPremiseId

const documentPremise: Subject["premiseOf"] = (tenant, id) => Effect.map(readDocument(tenant, FiscalDocumentId.make(id)), premiseOfDocument)

const deliveryPremise: Subject["premiseOf"] = (tenant, id) =>
  Effect.flatMap(readDelivery(tenant, ReceiptDeliveryId.make(id)), ({ fiscalDocumentId }) => documentPremise(tenant, fiscalDocumentId))

const documents: Subject = { premiseOf: documentPremise, notFound: (fiscalDocumentId) => new FiscalDocumentNotFound({ fiscalDocumentId }) }

/** By the names of path parameters. */
const subjects: Readonly<Record<string, Subject>> = {
  fiscalDocumentId: documents,
  operationId: { premiseOf: documentPremise, notFound: (operationId) => new OperationNotFound({ operationId }) },
  refundWorkflowId: {
    premiseOf: (tenant, id) => Effect.map(readRefund(tenant, WorkflowId.make(id)), ({ refund }) => refund.businessPremiseId),
    notFound: (workflowId) => new RefundWorkflowNotFound({ workflowId })
  },
  advanceCaseId: {
    premiseOf: (tenant, id) => Effect.map(readAdvanceCase(tenant, WorkflowId.make(id)), ({ opened }) => opened.businessPremiseId),
    notFound: (advanceCaseId) => new AdvanceCaseNotFound({ advanceCaseId })
  },
  workflowId: {
    premiseOf: (tenant, id) => Effect.map(readProformaTraining(tenant, WorkflowId.make(id)), premiseOfDocument),
    notFound: (workflowId) => new WorkflowNotFound({ workflowId })
  },
  receiptDeliveryId: { premiseOf: deliveryPremise, notFound: (deliveryId) => new ReceiptDeliveryNotFound({ deliveryId }) }
}

const refused = new CredentialRestrictedToPremises({})

/** A text that names none of the premises is refused; the handler answers what is no text, and what is missing. */
const named = (premises: Premises, text: unknown): Effect.Effect<void, CredentialRestrictedToPremises> =>
  typeof text !== "string" || premises.has(text.toLowerCase() as BusinessPremiseId) ? Effect.void : refused

const memberOf = (body: Call["body"], name: string): unknown =>
  typeof body?.tree === "object" && body.tree !== null ? Object.getOwnPropertyDescriptor(body.tree, name)?.value : undefined

/** What does not exist is answered like what is of another premise. A store that does not answer is no answer about the premise. */
const subjectIsWithin = Effect.fnUntraced(function*(tenant: Tenant, premises: Premises, { notFound, premiseOf }: Subject, text: string) {
  const id = pathId(text)
  if (id === null) return yield* Effect.fail(notFound(text))
  const premise = yield* premiseOf(tenant, id).pipe(Effect.catchIf((error) => !(error instanceof StoreUnavailable), () => Effect.succeed(null)))
  if (premise === null || !premises.has(premise)) return yield* Effect.fail(notFound(id))
})

const pathIsWithin = (call: Call, tenant: Tenant, premises: Premises) => {
  const [named] = Object.entries(call.params).flatMap(([name, text]) => subjects[name] === undefined ? [] : [{ subject: subjects[name], text }])
  return named === undefined ? refused : subjectIsWithin(tenant, premises, named.subject, named.text)
}

/** Whether a premise is one that the caller may know of. */
export const mayUse = ({ premises }: Pick<Call["caller"], "premises">, premise: BusinessPremiseId): boolean => premises === null || premises.has(premise)

/** Refuses what is not about the premises of a restricted credential, before the handler looks anything up: also before an idempotency key is. */
export const withinPremises = (rule: PremiseRule, call: Call, premises: Premises): Effect.Effect<void, unknown, HostServices> => {
  const { environment, organizationId } = call.caller
  const tenant = { organizationId, environment: environment ?? "sandbox" } as const
  switch (rule) {
    case "own":
    case "everybody":
      return Effect.void
    case "whole":
      return refused
    case "body":
      return named(premises, memberOf(call.body, "businessPremiseId"))
    case "query":
      return named(premises, call.query["businessPremiseId"]?.[0] ?? "")
    case "document": {
      const text = memberOf(call.body, "fiscalDocumentId")
      return typeof text === "string" ? subjectIsWithin(tenant, premises, documents, text) : Effect.void
    }
    case "path":
      return pathIsWithin(call, tenant, premises)
  }
}
