import { DateTime } from "effect"
import { portableSha256 } from "../idempotency/boundKey.ts"
import type { Transition, WorkflowLink } from "../operations/Operation.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { type NotedChange, notedTypes } from "./notedChange.ts"

/** Changes that follow from the transitions of documents. */
export const documentChangeTypes = [
  "document.fiscalized",
  "document.found",
  "document.rejected",
  "document.not_fiscalized",
  "document.outcome_unknown",
  "refund_workflow.changed",
  "advance_case.changed",
  "proforma_training_workflow.changed"
] as const
export type DocumentChangeType = (typeof documentChangeTypes)[number]

/** What an event says. `document.…`: the outcome of a document; `….changed`: read it again. Source: docs/adr/0176, 0202. */
export const changeTypes = [...documentChangeTypes, ...notedTypes] as const
export type ChangeType = (typeof changeTypes)[number]

/** What an event can be about. */
export const resourceTypes = [
  "FISCAL_DOCUMENT",
  "REFUND_WORKFLOW",
  "ADVANCE_CASE",
  "PROFORMA_TRAINING_WORKFLOW",
  "RECEIPT_DELIVERY",
  "SECURITY_ELEMENT",
  "LICENSE"
] as const

/** What an event is about: a document, the workflow that the document is part of, or something beside documents. */
export interface ChangedResource {
  readonly type: (typeof resourceTypes)[number]
  readonly id: string
  /** Its path in the API. */
  readonly url: string
}

/** A change that a caller could see. */
export interface ChangeEvent {
  /** The same whenever the event is answered or sent, also after the events were numbered again. */
  readonly id: string
  /** The number of the event in its organization and environment: from 1, without gaps. */
  readonly sequence: number
  readonly type: ChangeType
  /** When the change happened. */
  readonly at: DateTime.Utc
  readonly resource: ChangedResource
  /** The document whose change it was, or that it concerns; null where it concerns none. */
  readonly fiscalDocumentId: FiscalDocumentId | null
  /** That document's. */
  readonly clientReference: string | null
  /** The official number, where the event says that there is a receipt; null elsewhere. */
  readonly invoiceNumber: string | null
}

const workflows = {
  REFUND: { change: "refund_workflow.changed", type: "REFUND_WORKFLOW", path: "/v1/refund-workflows/" },
  ADVANCE: { change: "advance_case.changed", type: "ADVANCE_CASE", path: "/v1/advance-cases/" },
  PROFORMA_TRAINING: { change: "proforma_training_workflow.changed", type: "PROFORMA_TRAINING_WORKFLOW", path: "/v1/proforma-training-workflows/" }
} as const

/** The outcome that a transition brought; null for a step between two outcomes, and where the outcome stays as it was. */
const outcomeOf = ({ cause, from, to }: Transition): DocumentChangeType | null => {
  if (to === "FISCALIZED") return from === "SUBMITTING" && cause === "signed" ? "document.fiscalized" : "document.found"
  if (to === "REJECTED") return "document.rejected"
  if (to === "NOT_FISCALIZED") return from === "NOT_FISCALIZED" ? null : "document.not_fiscalized"
  // A search that found nothing: the outcome was unknown before it, and is.
  return to === "OUTCOME_UNKNOWN" && from !== "RECONCILING" ? "document.outcome_unknown" : null
}

/**
 * The events of one transition, in order: the document's outcome, then its workflow's change. Steps between two outcomes have none. A closing that was
 * given up changes its case without a new outcome.
 *
 * @example changesOf(transition, null) // ["document.fiscalized"]
 */
export const changesOf = (transition: Transition, workflow: WorkflowLink["type"] | null): ReadonlyArray<DocumentChangeType> => {
  const outcome = outcomeOf(transition)
  const isChange = outcome !== null || transition.cause === "closingGivenUp"
  return [...(outcome === null ? [] : [outcome]), ...(isChange && workflow !== null ? [workflows[workflow].change] : [])]
}

/** A numbered event of a document as a store has it. */
export interface NumberedChange {
  readonly sequence: number
  readonly type: DocumentChangeType
  readonly at: DateTime.Utc
  readonly documentId: FiscalDocumentId
  /** Which transition of the document, from 1. */
  readonly position: number
  readonly workflow: WorkflowLink | null
  readonly clientReference: string
  readonly invoiceNumber: string | null
}

/** A numbered event of anything else. */
export interface NumberedNote extends NotedChange {
  readonly sequence: number
  /** The document's that it concerns. */
  readonly clientReference: string | null
}

const documentAt = (id: string): ChangedResource => ({ type: "FISCAL_DOCUMENT", id, url: `/v1/fiscal-documents/${id}` })

const resourceOf = ({ documentId, type, workflow }: NumberedChange): ChangedResource => {
  if (type.startsWith("document.") || workflow === null) return documentAt(documentId)
  const kind = workflows[workflow.type]
  return { type: kind.type, id: workflow.id, url: `${kind.path}${workflow.id}` }
}

const notedResourceOf = ({ subjectId, type }: NotedChange): ChangedResource => {
  if (type.startsWith("receipt_delivery.")) return { type: "RECEIPT_DELIVERY", id: subjectId, url: `/v1/receipt-deliveries/${subjectId}` }
  return type.startsWith("security_element.")
    ? { type: "SECURITY_ELEMENT", id: subjectId, url: "/v1/security-elements" }
    : { type: "LICENSE", id: subjectId, url: "/v1/license" }
}

const idOf = (facts: ReadonlyArray<string | number>): string => `evt_${portableSha256(JSON.stringify(facts)).slice(0, 32)}`

/** The event as callers get it. Its id is made from the change itself, so a change that a restored database lost and another one never share an id. */
export const changeEvent = (tenant: Tenant, change: NumberedChange): ChangeEvent => {
  const { at, clientReference, documentId, invoiceNumber, position, sequence, type } = change
  const isReceipt = type === "document.fiscalized" || type === "document.found"
  return {
    id: idOf([tenant.organizationId, tenant.environment, documentId, position, type, DateTime.toEpochMillis(at)]),
    sequence,
    type,
    at,
    resource: resourceOf(change),
    fiscalDocumentId: documentId,
    clientReference,
    invoiceNumber: isReceipt ? invoiceNumber : null
  }
}

/** The same for a change that was noted. */
export const notedEvent = (tenant: Tenant, note: NumberedNote): ChangeEvent => {
  const { at, clientReference, documentId, sequence, source, type } = note
  return {
    id: idOf([tenant.organizationId, tenant.environment, source, DateTime.toEpochMillis(at)]),
    sequence,
    type,
    at,
    resource: notedResourceOf(note),
    fiscalDocumentId: documentId,
    clientReference: documentId === null ? null : clientReference,
    invoiceNumber: null
  }
}
