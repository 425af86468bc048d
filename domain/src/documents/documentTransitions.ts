import { Result, Schema } from "effect"
import type { DocumentStatus } from "./DocumentStatus.ts"

/** What can happen to a document. Each is kept as the cause of a transition. */
export const DocumentEvent = Schema.Literals([
  "received",
  "validated",
  "reserved",
  "signed",
  "rejected",
  "notSent",
  "noAnswer",
  "leaseExpired",
  "searchStarted",
  "found",
  "notFound",
  "searchUnanswered",
  "redriven",
  "retriedByOperator",
  "confirmedIssued",
  "confirmedNotIssued",
  "closingGivenUp"
])
export type DocumentEvent = typeof DocumentEvent.Type

/**
 * The statuses of a document as one table: status × event → status. A missing cell is a transition that must not happen.
 *
 * A rejection is final for the caller that asked for the document. Only a document that the service composed itself, the copy of a cash refund, may
 * be sent again after a rejection, and only by an operator: `mayRejectionBeRetried`.
 * Source: Spec, States and transitions, Document transitions; Decisions §4 (late answers, operator decisions), §5 (Refund workflow).
 */
export const documentTransitions = {
  RECEIVED: { validated: "VALIDATED" },
  VALIDATED: { reserved: "SUBMITTING", notSent: "NOT_FISCALIZED" },
  SUBMITTING: {
    signed: "FISCALIZED",
    rejected: "REJECTED",
    notSent: "NOT_FISCALIZED",
    noAnswer: "OUTCOME_UNKNOWN",
    leaseExpired: "OUTCOME_UNKNOWN",
    // A search for an earlier attempt, begun before the redrive, may still find that attempt's receipt.
    found: "FISCALIZED"
  },
  OUTCOME_UNKNOWN: {
    searchStarted: "RECONCILING",
    signed: "FISCALIZED",
    // A search that took longer than its own lease.
    found: "FISCALIZED",
    rejected: "REJECTED",
    confirmedIssued: "FISCALIZED",
    confirmedNotIssued: "NOT_FISCALIZED"
  },
  RECONCILING: {
    found: "FISCALIZED",
    notFound: "OUTCOME_UNKNOWN",
    searchUnanswered: "OUTCOME_UNKNOWN",
    leaseExpired: "OUTCOME_UNKNOWN",
    signed: "FISCALIZED",
    rejected: "REJECTED"
  },
  // An earlier attempt's request may still be found at the V-PFR, or its answer come late (Decisions §4); while the document is in doubt, an operator may
  // hold the receipt of an attempt that the store lost. A closing that was given up changes no status: what was not sent never will be (docs/adr/0126).
  NOT_FISCALIZED: {
    redriven: "SUBMITTING",
    found: "FISCALIZED",
    signed: "FISCALIZED",
    confirmedIssued: "FISCALIZED",
    closingGivenUp: "NOT_FISCALIZED"
  },
  FISCALIZED: {},
  REJECTED: { retriedByOperator: "SUBMITTING" }
} as const satisfies Record<DocumentStatus, Partial<Record<DocumentEvent, DocumentStatus>>>

/** A transition that is not in the table: a bug in the caller or a lost race, never an answer to an integrator. */
export class TransitionNotAllowed extends Schema.TaggedError<TransitionNotAllowed>()("TransitionNotAllowed", {
  from: Schema.String,
  event: Schema.String
}) {}

/** The next status, or the refusal of the transition. */
export const nextStatus = (
  from: DocumentStatus,
  event: DocumentEvent
): Result.Result<DocumentStatus, TransitionNotAllowed> => {
  const row: Partial<Record<DocumentEvent, DocumentStatus>> = documentTransitions[from]
  const to = row[event]
  return to === undefined ? Result.fail(new TransitionNotAllowed({ from, event })) : Result.succeed(to)
}

/** The one kind of document that may leave REJECTED: an inner one, because no caller was told that it is final (Decisions §5). */
export const mayRejectionBeRetried = (keyRole: "REQUEST" | "INNER"): boolean => keyRole === "INNER"

/** The statuses from which an event is a legal transition: the condition of a store's compare-and-set. */
export const statusesBefore = (event: DocumentEvent): ReadonlyArray<DocumentStatus> =>
  (Object.keys(documentTransitions) as Array<DocumentStatus>).filter((from) => Result.isSuccess(nextStatus(from, event)))

/**
 * Whether an event ends only the attempt that it names. A receipt is stored whichever attempt it belongs to. Anything else that is learned about an
 * earlier attempt must not end a later one, which the V-PFR may be signing at this moment (Decisions §4).
 */
export const endsOnlyItsAttempt = (event: DocumentEvent): boolean =>
  event !== "signed" && event !== "found" && event !== "confirmedIssued"

/** Who can cause a document's move: a host serving a caller, the worker, or an operator by name. */
export type ActorKind = "api" | "worker" | "operator"

const service = ["api", "worker"] as const
/** The actors of events that follow a sending. When an operator sends a rejected copy again, the operator is the actor of its outcome. */
const senders = ["api", "worker", "operator"] as const

/**
 * Which actors may cause which event; a store changes nothing for any other actor. A new event does not compile until it has an actor. Only an
 * operator decides an outcome by hand (Decisions §4, The operator decides).
 */
export const documentActors: Readonly<Record<DocumentEvent, readonly [ActorKind, ...ReadonlyArray<ActorKind>]>> = {
  received: service,
  validated: service,
  reserved: service,
  signed: senders,
  rejected: senders,
  notSent: senders,
  noAnswer: senders,
  // A waiting caller may cause this for an orphan too (Decisions §3).
  leaseExpired: service,
  searchStarted: ["worker"],
  // Before a redrive the earlier attempts are searched by whoever redrives (Decisions §4).
  found: senders,
  notFound: ["worker"],
  searchUnanswered: ["worker"],
  // The worker drives a pending copy again; a caller drives again what its request repeats (Decisions §5, Refund workflow).
  redriven: service,
  retriedByOperator: ["operator"],
  confirmedIssued: ["operator"],
  confirmedNotIssued: ["operator"],
  closingGivenUp: ["operator"]
}

/**
 * Whether an actor as kept with a transition may cause an event.
 *
 * @example mayCause("operator:mira", "confirmedIssued") // true
 */
export const mayCause = (actor: string, event: DocumentEvent): boolean => {
  const [kind = ""] = actor.split(":")
  return (documentActors[event] as ReadonlyArray<string>).includes(kind)
}
