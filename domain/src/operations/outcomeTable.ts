/**
 * Who decides "unknown": these tables, from what was sent, what came back, and what the store said. One question decides most of it: could a byte of
 * the request have reached the V-PFR (Decisions §4, What a failure means)? The adapter names the row of a submission, `issuing` reads the others; the
 * status of the document follows from `documentTransitions`. Every row has its rule in `domain/test/rules/outcomes.rules.test.ts`.
 */
import type { SearchOutcome, SubmissionOutcome } from "../documents/PfrResult.ts"
import type { Attempt, AttemptOutcome, SearchFinding } from "./Operation.ts"

type NotSent = Extract<SubmissionOutcome, { readonly _tag: "NotSent" }>
type NoAnswer = Extract<SubmissionOutcome, { readonly _tag: "NoAnswer" }>

/** How much of the request can have left this host. */
type Sent = "NOTHING" | "PERHAPS" | "REQUEST"

/** Certainly not signed. */
const notSent = <Code extends NotSent["failureCode"]>(sent: Sent, failureCode: Code, elementRefused = false) =>
  ({ sent, outcome: { _tag: "NotSent", failureCode, elementRefused } }) as const

/** May have been signed. */
const noAnswer = (sent: Sent, failureCode: NoAnswer["failureCode"] = "OUTCOME_UNKNOWN") => ({ sent, outcome: { _tag: "NoAnswer", failureCode } }) as const

/** What was sent and what came back, where it was neither a signed answer to this request nor a rejection of it. */
export const submissionTable = {
  // The service stops before it sends.
  commitNotConfirmed: notSent("NOTHING", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND"),
  leaseTooShort: notSent("NOTHING", "PFR_UNAVAILABLE"),
  notWritten: notSent("NOTHING", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND"),
  circuitUnreachable: notSent("NOTHING", "PFR_UNAVAILABLE"),
  circuitRefused: notSent("NOTHING", "PFR_SECURITY_ELEMENT_UNAVAILABLE"),
  // The request waited for a connection.
  unreachable: notSent("NOTHING", "PFR_UNAVAILABLE"),
  tooLate: notSent("NOTHING", "PFR_UNAVAILABLE"),
  busy: notSent("NOTHING", "PFR_UNAVAILABLE"),
  closed: notSent("NOTHING", "PFR_UNAVAILABLE"),
  callerGone: notSent("NOTHING", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND"),
  // The V-PFR refuses the element, in an answer that was read whole: it signs nothing for it.
  elementRefused: notSent("REQUEST", "PFR_SECURITY_ELEMENT_UNAVAILABLE", true),
  // The request may have left, and nothing proves what became of it.
  ownFault: noAnswer("PERHAPS", "PFR_SUBMISSION_FAULT"),
  silence: noAnswer("PERHAPS"),
  unclearAnswer: noAnswer("REQUEST"),
  unsignedAnswer: noAnswer("REQUEST"),
  foreignAnswer: noAnswer("REQUEST")
} as const

export type SubmissionRow = keyof typeof submissionTable

/** The outcome of a submission as its row says, with the words for the log, and the text that is kept as evidence. */
export const submissionOutcome = (row: SubmissionRow, detail: string, evidence: string | null = null): NotSent | NoAnswer => {
  const { outcome } = submissionTable[row]
  return outcome._tag === "NotSent" ? { ...outcome, detail } : { ...outcome, detail, foreignAnswer: evidence }
}

/** What the outcome of an attempt means from then on. `keepsTrying`: storing it is retried after the caller was answered. */
export const attemptTable = {
  SIGNED: { event: "signed", mayHaveArrived: false, isUnsigned: false, searchAfterMillis: null, keepsTrying: true },
  REJECTED: { event: "rejected", mayHaveArrived: false, isUnsigned: true, searchAfterMillis: null, keepsTrying: true },
  NOT_SENT: { event: "notSent", mayHaveArrived: false, isUnsigned: true, searchAfterMillis: null, keepsTrying: false },
  NO_ANSWER: { event: "noAnswer", mayHaveArrived: true, isUnsigned: false, searchAfterMillis: 0, keepsTrying: true }
} as const satisfies Record<AttemptOutcome, object>

/** Whether the V-PFR may hold a receipt of that attempt which the service does not know of. Without an outcome its process has ended, or still sends. */
export const mayHaveArrived = ({ outcome }: Pick<Attempt, "outcome">): boolean => outcome === null || attemptTable[outcome].mayHaveArrived

/**
 * What a search by RequestId showed: how it is kept, and what follows for a document that is to be sent again. "Nothing found" never means "not
 * issued": it allows sending only where the attempt is so old that its receipt can no longer come (`settledAfterMillis`).
 */
export const searchTable = {
  // Kept only where it is another receipt than the stored one.
  Found: { finding: "FOREIGN", sendAgain: "ANSWER_WITH_IT" },
  NothingFound: { finding: "NOTHING", sendAgain: "ONCE_SETTLED" },
  FoundForeign: { finding: "FOREIGN", sendAgain: "NEVER" },
  NoAnswer: { finding: "NO_ANSWER", sendAgain: "NEVER" }
} as const satisfies Record<SearchOutcome["_tag"], { readonly finding: SearchFinding; readonly sendAgain: string }>

/** What has the key of an attempt that the store lost, or the sale that it refunds: a document of the same request, of its key, or neither. */
export type LostTo = "SAME_REQUEST" | "SAME_KEY" | "OTHER"

/**
 * The store lost an attempt, and another request has its place. `adopts`: the receipt is stored for the document that has the key. `raises`: a person
 * must look. `answer`: the document that has the key, or that this request's outcome is unknown. Another request's document is the answer only where
 * this one was certainly not signed.
 */
export const lostAttemptTable = {
  SAME_REQUEST: {
    SIGNED: { adopts: true, raises: "SECOND_RECEIPT", answer: "HOLDER" },
    REJECTED: { adopts: false, raises: null, answer: "HOLDER" },
    NOT_SENT: { adopts: false, raises: null, answer: "HOLDER" },
    NO_ANSWER: { adopts: false, raises: "LOST_ATTEMPT", answer: "HOLDER" }
  },
  SAME_KEY: {
    SIGNED: { adopts: false, raises: "SECOND_RECEIPT", answer: "UNKNOWN" },
    REJECTED: { adopts: false, raises: null, answer: "HOLDER" },
    NOT_SENT: { adopts: false, raises: null, answer: "HOLDER" },
    NO_ANSWER: { adopts: false, raises: "LOST_ATTEMPT", answer: "UNKNOWN" }
  },
  OTHER: {
    SIGNED: { adopts: false, raises: "LOST_ATTEMPT", answer: "UNKNOWN" },
    REJECTED: { adopts: false, raises: null, answer: "UNKNOWN" },
    NOT_SENT: { adopts: false, raises: null, answer: "UNKNOWN" },
    NO_ANSWER: { adopts: false, raises: "LOST_ATTEMPT", answer: "UNKNOWN" }
  }
} as const satisfies Record<LostTo, Record<AttemptOutcome, object>>
