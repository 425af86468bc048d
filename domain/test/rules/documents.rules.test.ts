import { Equal, Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus, FailureCode } from "../../src/documents/DocumentStatus.ts"
import {
  DocumentEvent, documentTransitions, endsOnlyItsAttempt, mayCause, mayRejectionBeRetried, nextStatus, statusesBefore
} from "../../src/documents/documentTransitions.ts"
import { composeContent } from "../../src/documents/composeContent.ts"
import { documentKind, failureAdvice, failureCodeOf, presentDocument, retryableOf, summaryOf } from "../../src/documents/FiscalDocument.ts"
import { ErrorCode } from "../../src/errorCatalogue.ts"
import { errorCatalogue } from "../../src/errorCatalogue.ts"
import { operation, operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import { documentKinds } from "../arbitraries/ReferencedDocument.ts"
import { rule } from "./ruleBook.ts"

const statuses = DocumentStatus.literals
const events = DocumentEvent.literals
const pairs = statuses.flatMap((from) => events.map((event) => ({ from, event })))
const after = (from: DocumentStatus, event: DocumentEvent): DocumentStatus | null => Result.getOrNull(nextStatus(from, event))

rule("DOCUMENT-1", {
  says: "Only the moves of the table happen: every one the specification lists is there, and a move that is not is refused.",
  source: "Spec, Document transitions; Decisions §4, §10"
}, ({ holdsForEvery }) => {
  const listed: ReadonlyArray<readonly [DocumentStatus, DocumentEvent, DocumentStatus]> = [
    ["SUBMITTING", "signed", "FISCALIZED"],
    ["SUBMITTING", "rejected", "REJECTED"],
    ["VALIDATED", "notSent", "NOT_FISCALIZED"],
    ["SUBMITTING", "notSent", "NOT_FISCALIZED"],
    ["SUBMITTING", "noAnswer", "OUTCOME_UNKNOWN"],
    ["SUBMITTING", "leaseExpired", "OUTCOME_UNKNOWN"],
    ["OUTCOME_UNKNOWN", "searchStarted", "RECONCILING"],
    ["RECONCILING", "found", "FISCALIZED"],
    ["RECONCILING", "notFound", "OUTCOME_UNKNOWN"],
    ["RECONCILING", "searchUnanswered", "OUTCOME_UNKNOWN"],
    ["NOT_FISCALIZED", "redriven", "SUBMITTING"],
    ["OUTCOME_UNKNOWN", "signed", "FISCALIZED"],
    ["RECONCILING", "signed", "FISCALIZED"],
    ["OUTCOME_UNKNOWN", "rejected", "REJECTED"],
    ["RECONCILING", "rejected", "REJECTED"],
    ["OUTCOME_UNKNOWN", "confirmedIssued", "FISCALIZED"],
    ["NOT_FISCALIZED", "confirmedIssued", "FISCALIZED"],
    ["OUTCOME_UNKNOWN", "confirmedNotIssued", "NOT_FISCALIZED"],
    ["NOT_FISCALIZED", "closingGivenUp", "NOT_FISCALIZED"]
  ]
  holdsForEvery("each listed move", listed, ([from, event, to]) => after(from, event) === to)
  holdsForEvery("each pair of status and event answers as the table says", pairs, ({ from, event }) => {
    const row: Partial<Record<DocumentEvent, DocumentStatus>> = documentTransitions[from]
    return after(from, event) === (row[event] ?? null) && statusesBefore(event).includes(from) === (row[event] !== undefined)
  })
})

rule("DOCUMENT-2", {
  says: "A receipt is final. So is a rejection, except that an operator may have the service's own document, the copy of a cash refund, " +
    "sent again.",
  source: "Spec, Document statuses; Decisions §5, Refund workflow"
}, ({ holdsForEvery }) => {
  holdsForEvery("nothing leads out of a receipt", events, (event) => after("FISCALIZED", event) === null)
  holdsForEvery("only an operator's retry leads out of a rejection, and only to being sent", events, (event) =>
    after("REJECTED", event) === (event === "retriedByOperator" ? "SUBMITTING" : null))
  holdsForEvery("a caller's own document is not retried", [["REQUEST", false], ["INNER", true]] as const, ([role, may]) =>
    mayRejectionBeRetried(role) === may)
})

rule("DOCUMENT-3", {
  says: "A document becomes a receipt only by the V-PFR's own answer, a search that found it, or an operator who has seen it.",
  source: "Spec, purpose 4; Decisions §4"
}, ({ holdsForEvery }) => {
  holdsForEvery("no other event leads to FISCALIZED", pairs, ({ from, event }) =>
    after(from, event) !== "FISCALIZED" || ["signed", "found", "confirmedIssued"].includes(event))
})

rule("DOCUMENT-4", {
  says: "What may have been sent is never sent again: SUBMITTING is entered from VALIDATED, from NOT_FISCALIZED by a redrive, or from " +
    "REJECTED by an operator; an unknown outcome becomes NOT_FISCALIZED only by an operator.",
  source: "Spec, Document transitions; Decisions §4"
}, ({ holdsForEvery, holds }) => {
  holdsForEvery("every way into SUBMITTING and into NOT_FISCALIZED", pairs, ({ from, event }) => {
    const to = after(from, event)
    if (to === "SUBMITTING") return ["VALIDATED reserved", "NOT_FISCALIZED redriven", "REJECTED retriedByOperator"].includes(`${from} ${event}`)
    const isUnknown = from === "OUTCOME_UNKNOWN" || from === "RECONCILING"
    return to !== "NOT_FISCALIZED" || !isUnknown || event === "confirmedNotIssued"
  })
  holds("in any history without an operator, after an unknown outcome nothing is submitted", { history: fc.array(fc.constantFrom(...events), { maxLength: 40 }) },
    ({ history }) => {
      let status: DocumentStatus = "RECEIVED"
      let unknown = false
      for (const event of history.filter((each) => mayCause("api:host-1", each) || mayCause("worker:host-1", each))) {
        const to = after(status, event)
        if (unknown && to === "SUBMITTING") return false
        status = to ?? status
        unknown = unknown || status === "OUTCOME_UNKNOWN"
      }
      return true
    })
})

/** The document as a simple model: its receipt, once it has one. */
class Life {
  status: DocumentStatus = "RECEIVED"
  receipts = 0
}

class Happens implements fc.Command<Life, { moves: Array<DocumentStatus> }> {
  readonly event: DocumentEvent
  constructor(event: DocumentEvent) {
    this.event = event
  }
  check(): boolean {
    return true
  }
  run(life: Life, real: { moves: Array<DocumentStatus> }): void {
    const to = after(life.status, this.event)
    if (to === null) return
    if (to === "FISCALIZED") life.receipts++
    if (life.receipts > 1) throw new Error("a second receipt")
    if (life.receipts === 1 && to !== "FISCALIZED") throw new Error(`a receipt was lost: ${to}`)
    life.status = to
    real.moves.push(to)
  }
  toString(): string {
    return this.event
  }
}

rule("DOCUMENT-5", {
  says: "In any history a document becomes a receipt at most once and then stays one.",
  source: "Spec, purpose 4; Spec, Document statuses"
}, ({ holdsForHistories }) => {
  holdsForHistories("whatever happens in whatever order",
    fc.commands(events.map((event) => fc.constant(new Happens(event))), { maxCommands: 60 }),
    () => ({ model: new Life(), real: { moves: [] } }),
    { cases: 500 })
})

rule("DOCUMENT-6", {
  says: "Only an operator decides an outcome by hand, gives a closing up or has a rejected copy sent again; only the worker searches; whoever has something " +
    "sent may bring its outcome.",
  source: "Decisions §4, The operator decides, Resolution; §5, Refund workflow"
}, ({ holdsForEvery }) => {
  const byHand: ReadonlyArray<DocumentEvent> = ["confirmedIssued", "confirmedNotIssued", "retriedByOperator", "closingGivenUp"]
  const outcomes: ReadonlyArray<DocumentEvent> = ["signed", "rejected", "notSent", "noAnswer", "found"]
  const searches: ReadonlyArray<DocumentEvent> = ["searchStarted", "notFound", "searchUnanswered"]
  holdsForEvery("for every event", events, (event) =>
    mayCause("operator:mira", event) === (byHand.includes(event) || outcomes.includes(event)) &&
    mayCause("api:host-1", event) === (!byHand.includes(event) && !searches.includes(event)) &&
    mayCause("worker:host-1", event) === !byHand.includes(event))
  holdsForEvery("an actor of no known kind causes nothing", ["", "nobody", "root:x", "operators", ":operator"], (actor) =>
    events.every((event) => !mayCause(actor, event)))
})

const shown = (stored: Parameters<typeof presentDocument>[0], withRejection = true) => presentDocument(stored, { withRejection })

rule("DOCUMENT-7", {
  says: "Only a FISCALIZED document is shown as a receipt; no other status shows PFR facts, whatever is stored beside it.",
  source: "Spec, purpose 4; Spec, Document statuses; Spec, Client handling rule 1"
}, ({ holds }) => {
  holds("for every stored operation", { operation }, ({ operation: stored }) => {
    const document = shown(stored)
    const isReceipt = stored.status === "FISCALIZED" && stored.answer !== null
    return document.fiscalized === isReceipt && (document.pfr !== null) === isReceipt &&
      (document.preferredPaperFormat !== null) === isReceipt && document.status === stored.status &&
      (!isReceipt || document.failureCode === null)
  })
})

rule("DOCUMENT-8", {
  says: "Only NOT_FISCALIZED may be repeated with its key, except the final sale behind a rejected advance refund.",
  source: "Spec, Document statuses; Spec, Errors, ADVANCE_REFUND_NOT_FISCALIZED",
  proves: ["ADVANCE_REFUND_NOT_FISCALIZED"]
}, ({ holds, holdsForEvery }) => {
  holds("for every stored operation", { operation }, ({ operation: stored }) =>
    shown(stored).retryable === (stored.status === "NOT_FISCALIZED" && stored.failureCode !== "ADVANCE_REFUND_NOT_FISCALIZED"))
  holdsForEvery("that final sale says why", [operationOf({ status: "NOT_FISCALIZED", failureCode: "ADVANCE_REFUND_NOT_FISCALIZED" })],
    (stored) => shown(stored).failureCode === "ADVANCE_REFUND_NOT_FISCALIZED" && !shown(stored).retryable)
})

rule("DOCUMENT-9", {
  says: "Each status shows its own failure codes: an unknown outcome says so, also when it was never concluded; a rejection is one.",
  source: "Spec, Errors, Catalogue; Decisions §4",
  proves: [
    "OUTCOME_UNKNOWN",
    "PFR_SUBMISSION_FAULT",
    "PFR_VALIDATION_REJECTED",
    "PFR_SECURITY_ELEMENT_UNAVAILABLE",
    "PFR_SUBMISSION_CANCELLED_BEFORE_SEND",
    "PFR_UNAVAILABLE",
    "OPERATOR_CONFIRMED_NOT_ISSUED"
  ]
}, ({ holdsForEvery }) => {
  holdsForEvery("by status and stored code", [
    ["OUTCOME_UNKNOWN", null, "OUTCOME_UNKNOWN"],
    ["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"],
    ["OUTCOME_UNKNOWN", "PFR_SUBMISSION_FAULT", "PFR_SUBMISSION_FAULT"],
    ["RECONCILING", "PFR_SUBMISSION_FAULT", "PFR_SUBMISSION_FAULT"],
    ["RECONCILING", null, "OUTCOME_UNKNOWN"],
    ["RECONCILING", "PFR_UNAVAILABLE", "OUTCOME_UNKNOWN"],
    ["REJECTED", "PFR_VALIDATION_REJECTED", "PFR_VALIDATION_REJECTED"],
    ["NOT_FISCALIZED", "PFR_UNAVAILABLE", "PFR_UNAVAILABLE"],
    ["NOT_FISCALIZED", "PFR_SECURITY_ELEMENT_UNAVAILABLE", "PFR_SECURITY_ELEMENT_UNAVAILABLE"],
    ["NOT_FISCALIZED", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND"],
    ["NOT_FISCALIZED", "OPERATOR_CONFIRMED_NOT_ISSUED", "OPERATOR_CONFIRMED_NOT_ISSUED"],
    ["FISCALIZED", "OUTCOME_UNKNOWN", null],
    ["SUBMITTING", null, null],
    ["RECEIVED", null, null],
    ["VALIDATED", null, null]
  ] as const, ([status, stored, code]) => failureCodeOf(status, stored) === code)
})

rule("DOCUMENT-10", {
  says: "pfrRejection is shown on a single read of a REJECTED document, never in a list.",
  source: "Spec, FiscalDocument; Decisions §10"
}, ({ holds }) => {
  holds("for every stored operation", { operation }, ({ operation: stored }) =>
    shown(stored, false).pfrRejection === null &&
    shown(stored, true).pfrRejection === (stored.status === "REJECTED" ? stored.rejection : null))
})

rule("DOCUMENT-11", {
  says: "Every failure code says whether to repeat and what to do next, in agreement with the catalogue and with what is shown.",
  source: "Spec, Errors, Catalogue of codes"
}, ({ holdsForEvery }) => {
  holdsForEvery("each failure code", FailureCode.literals, (code) =>
    failureAdvice[code].retryable === (errorCatalogue[code].retry === "same key") && failureAdvice[code].nextStep.endsWith("."))
  holdsForEvery("a code of a document that was never sent is repeatable exactly when the document is", FailureCode.literals
    .filter((code) => failureCodeOf("NOT_FISCALIZED", code) === code && !["PFR_VALIDATION_REJECTED", "OUTCOME_UNKNOWN", "PFR_SUBMISSION_FAULT"].includes(code)),
  (code) => failureAdvice[code].retryable === retryableOf("NOT_FISCALIZED", code))
  holdsForEvery("every code of the catalogue has a meaning and one next step", ErrorCode.literals, (code) =>
    errorCatalogue[code].meaning.endsWith(".") && /^[A-Z].*\.$/.test(errorCatalogue[code].nextStep))
})

rule("DOCUMENT-12", {
  says: "An operation's summary says in one sentence what happened, whether a receipt exists and what to do next.",
  source: "Decisions §5, Operations"
}, ({ holds, holdsForEvery }) => {
  holds("it is one sentence", { operation }, ({ operation: stored }) => /^[A-Z][^\n]*[^.]\.$/.test(summaryOf(stored)))
  holdsForEvery("it never claims a receipt that is not there, and names the number of one that is", statuses, (status) => {
    const summary = summaryOf({ ...operationOf(), workflow: null, status, failureCode: null, answer: signedAnswer })
    return summary.includes(signedAnswer.pfr.invoiceNumber) === (status === "FISCALIZED") &&
      summary.startsWith("The receipt exists") === (status === "FISCALIZED")
  })
  holdsForEvery("an unknown outcome sends nobody to sell again", ["OUTCOME_UNKNOWN", "RECONCILING"] as const, (status) =>
    summaryOf({ ...operationOf(), workflow: null, status, failureCode: null, answer: null }).includes("send nothing new for this sale"))
})

rule("DOCUMENT-13", {
  says: "There are ten kinds of document: five invoice types, each as sale and refund.",
  source: "Spec, Document types"
}, ({ holdsForEvery }) => {
  holdsForEvery("each has its name", documentKinds, (kind) =>
    documentKinds.length === 10 && documentKind(kind) === `${kind.invoiceType}_${kind.transactionType}`)
})

rule("DOCUMENT-14", {
  says: "A receipt is stored whichever attempt brought it; anything else that is learned about an earlier attempt leaves a later one alone.",
  source: "Decisions §4, Late answers"
}, ({ holdsForEvery }) => {
  holdsForEvery("for every event", events, (event) => endsOnlyItsAttempt(event) === !statuses.some((from) => after(from, event) === "FISCALIZED"))
})

rule("DOCUMENT-15", {
  says: "The content of a document is what was said, of its kind, with what the premise adds; what its kind does not have is null.",
  source: "Decisions §6"
}, ({ holds, holdsForEvery }) => {
  const { content } = operationOf()
  const said = { ...content, clientReference: "order-7", commercialFooter: "Хвала", metadata: { order: "7" } }
  const place = { settings: { esirNumber: "1/1" }, found: { preferredPaperFormat: "58mm", brandingId: null } } as const
  const closing = { externalAdvance: null } as unknown as NonNullable<(typeof content)["advanceClosing"]>
  const reference = { pfrNumber: "A" } as unknown as NonNullable<(typeof content)["reference"]>
  holds("every part stands where it was said", { kind: fc.constantFrom(...documentKinds), others: fc.subarray(["reference", "dateAndTimeOfIssue", "advanceClosing"]) }, ({ kind, others }) => {
    const given = { reference, dateAndTimeOfIssue: operationOf().createdAt, advanceClosing: closing }
    const only = Object.fromEntries(Object.entries(given).filter(([name]) => others.includes(name)))
    const composed = composeContent({ ...kind, ...only }, said, place)
    const absent = { reference: null, dateAndTimeOfIssue: null, advanceClosing: null }
    return Equal.equals(composed, { ...said, ...kind, ...absent, ...only, esirNumber: "1/1", preferredPaperFormat: "58mm", brandingId: null })
  })
  holdsForEvery("null is null", [{ reference: null, dateAndTimeOfIssue: null, advanceClosing: null }], (none) => {
    const composed = composeContent({ invoiceType: "NORMAL", transactionType: "SALE", ...none }, said, place)
    return composed.reference === null && composed.dateAndTimeOfIssue === null && composed.advanceClosing === null
  })
})
