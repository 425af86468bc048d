import type { DocumentEvent } from "./documentTransitions.ts"

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
