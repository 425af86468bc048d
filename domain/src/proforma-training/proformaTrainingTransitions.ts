import { Result, Schema } from "effect"
import { type DocumentEvent, TransitionNotAllowed } from "../documents/documentTransitions.ts"
import type { ProformaTrainingStatus } from "./ProformaTrainingWorkflow.ts"

/** What can happen to a proforma or training workflow; each is something that happened to its document. */
export const ProformaTrainingEvent = Schema.Literals([
  "documentSent",
  "documentSigned",
  "documentRejected",
  "documentNotSent",
  "documentUnknown",
  "documentConfirmedNotIssued"
])
export type ProformaTrainingEvent = typeof ProformaTrainingEvent.Type

/**
 * The workflow as one table: status × event → status. A missing cell is a move that must not happen.
 *
 * A document not sent, or confirmed as not issued by the operator, stays PENDING for its key to drive it again; a document taken for
 * not sent may still turn out to be signed. Source: Decisions §3, §4 (late answers), §5 Proforma and training.
 */
export const proformaTrainingTransitions = {
  PENDING: {
    documentSent: "PENDING",
    documentSigned: "COMPLETED",
    documentRejected: "FAILED",
    documentNotSent: "PENDING",
    documentUnknown: "OUTCOME_UNKNOWN"
  },
  OUTCOME_UNKNOWN: {
    documentSigned: "COMPLETED",
    documentRejected: "FAILED",
    documentUnknown: "OUTCOME_UNKNOWN",
    documentConfirmedNotIssued: "PENDING"
  },
  COMPLETED: {},
  FAILED: {}
} as const satisfies Record<ProformaTrainingStatus, Partial<Record<ProformaTrainingEvent, ProformaTrainingStatus>>>

/** Who may cause a move: the request that holds the key, the worker, or an operator (Decisions §4). */
export const ProformaTrainingActor = Schema.Literals(["caller", "worker", "operator"])
export type ProformaTrainingActor = typeof ProformaTrainingActor.Type

/** The actors of each event. A worker learns outcomes by searching; only the caller's key sends. */
export const proformaTrainingEventActors = {
  documentSent: ["caller"],
  documentSigned: ["caller", "worker", "operator"],
  documentRejected: ["caller", "worker"],
  documentNotSent: ["caller"],
  documentUnknown: ["caller", "worker"],
  documentConfirmedNotIssued: ["operator"]
} as const satisfies Record<ProformaTrainingEvent, ReadonlyArray<ProformaTrainingActor>>

/** What an event of the document is to its workflow. A rejection is final here: only a copy of the service's own is sent after one. */
export const proformaTrainingEventOf = {
  received: "documentSent",
  validated: "documentSent",
  reserved: "documentSent",
  redriven: "documentSent",
  signed: "documentSigned",
  found: "documentSigned",
  confirmedIssued: "documentSigned",
  rejected: "documentRejected",
  notSent: "documentNotSent",
  noAnswer: "documentUnknown",
  leaseExpired: "documentUnknown",
  searchStarted: "documentUnknown",
  notFound: "documentUnknown",
  confirmedNotIssued: "documentConfirmedNotIssued"
} as const satisfies Record<Exclude<DocumentEvent, "retriedByOperator">, ProformaTrainingEvent>

/** The status that follows, or the refusal of the move. */
export const nextProformaTrainingStatus = (
  from: ProformaTrainingStatus,
  event: ProformaTrainingEvent
): Result.Result<ProformaTrainingStatus, TransitionNotAllowed> => {
  const row: Partial<Record<ProformaTrainingEvent, ProformaTrainingStatus>> = proformaTrainingTransitions[from]
  const to = row[event]
  return to === undefined ? Result.fail(new TransitionNotAllowed({ from, event })) : Result.succeed(to)
}
