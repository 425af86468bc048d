import type { PlantedBug } from "./SimulatedHost.ts"

/** A bug that is planted into the worlds to see whether their checks find it. */
export interface Planted {
  readonly bug: PlantedBug
  /** Where it is planted: in memory, on PostgreSQL, or in worlds in memory that last three months. */
  readonly worlds: "memory" | "postgres" | "months"
  readonly what: string
}

/** Every planted bug; each is found within the published seeds (docs/simulation.md). */
export const plantedBugs: ReadonlyArray<Planted> = [
  { bug: "submit-before-commit", worlds: "memory", what: "answering before the first commit" },
  { bug: "retry-after-timeout", worlds: "memory", what: "sending again when no answer came" },
  { bug: "forget-the-lease", worlds: "memory", what: "ignoring the lease" },
  { bug: "stale-predecessor", worlds: "memory", what: "sending a payment again after a stale predecessor" },
  { bug: "cancelled-counted", worlds: "memory", what: "counting a cancelled advance" },
  { bug: "final-sale-too-early", worlds: "memory", what: "sending a final sale before its Advance Refund's outcome" },
  { bug: "closing-by-another-key", worlds: "memory", what: "a closing carried on by the key of a rejected one" },
  { bug: "waited-for-and-forgotten", worlds: "memory", what: "forgetting a gap of the counters after waiting for it" },
  { bug: "any-doubt-hides-a-gap", worlds: "memory", what: "one document with an unknown outcome explains any number of missing receipts" },
  { bug: "search-stops-once-found", worlds: "memory", what: "ending the search for the other attempts once one is found" },
  { bug: "todays-rates-alone", worlds: "memory", what: "after a change of tax rates only today's are known" },
  { bug: "withdrawn-label-kept", worlds: "memory", what: "a label that was withdrawn is still known" },
  { bug: "mail-counts-as-sent", worlds: "memory", what: "a message counts as sent although the mail server has put it off" },
  { bug: "mail-before-the-receipt", worlds: "memory", what: "a document without a receipt is sent to its buyer" },
  { bug: "mail-again-and-again", worlds: "memory", what: "that the mail server may have a message is forgotten" },
  { bug: "released-and-issuing", worlds: "memory", what: "a taxpayer that the operator has released goes on issuing" },
  { bug: "licence-without-end", worlds: "months", what: "a licence that has ended goes on" },
  { bug: "seven-days-from-first", worlds: "months", what: "counting the seven days of a search from the first attempt" },
  { bug: "final-sale-not-due", worlds: "postgres", what: "a found Advance Refund leaves its final sale not due, in the statement" },
  { bug: "doubt-switched-off", worlds: "postgres", what: "an open item that a receipt may exist changes nothing, in the statement" },
  { bug: "known-without-comparing", worlds: "postgres", what: "taking back without comparing RequestIds" },
  { bug: "held-under-the-copy", worlds: "postgres", what: "holding the key of a copy under the copy's id" },
  { bug: "other-closing-sent", worlds: "postgres", what: "a case is closed although a lost document of it was taken back" },
  { bug: "other-refund-sent", worlds: "postgres", what: "a receipt is given back although a lost refund of it was taken back" },
  { bug: "sealer-passes-running", worlds: "postgres", what: "the sealer passes a transaction that still runs" },
  { bug: "event-untold", worlds: "postgres", what: "what a search has found has no event" },
  { bug: "event-not-queued", worlds: "postgres", what: "an event is left out of an endpoint's queue" },
  { bug: "address-left", worlds: "postgres", what: "an erased address is left in the request of its delivery" },
  { bug: "name-left", worlds: "postgres", what: "an erased name is left in the content of its document" },
  { bug: "taken-unheard", worlds: "postgres", what: "an event counts as taken whatever the receiver answered" }
]
