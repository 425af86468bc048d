import type { DocumentEvent } from "./documentTransitions.ts"

/** Who can cause a document's move: a host serving a caller, the worker, or an operator by name. */
export type ActorKind = "api" | "worker" | "operator"

const service: ReadonlyArray<ActorKind> = ["api", "worker"]

/**
 * Who may cause which event. A new event does not compile until somebody may. Only an operator decides an outcome by hand; no
 * operator makes the V-PFR's answer up (Decisions §4, The operator decides).
 */
export const documentActors: Readonly<Record<DocumentEvent, ReadonlyArray<ActorKind>>> = {
  received: service,
  validated: service,
  reserved: service,
  signed: service,
  rejected: service,
  notSent: service,
  noAnswer: service,
  // A waiting caller makes the orphan move too (Decisions §3).
  leaseExpired: service,
  searchStarted: ["worker"],
  // Before a redrive the earlier attempts are searched by the host that redrives (Decisions §4).
  found: service,
  notFound: ["worker"],
  // The worker drives a pending copy again; the caller whatever it repeats (Decisions §5, Refund workflow).
  redriven: service,
  retriedByOperator: ["operator"],
  confirmedIssued: ["operator"],
  confirmedNotIssued: ["operator"]
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
