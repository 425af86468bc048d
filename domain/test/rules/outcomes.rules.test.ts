import { DateTime } from "effect"
import * as fc from "fast-check"
import { failureAdvice, presentDocument, retryableOf } from "../../src/documents/FiscalDocument.ts"
import { nextStatus } from "../../src/documents/documentTransitions.ts"
import type { SubmissionOutcome } from "../../src/documents/PfrResult.ts"
import { asUnknown } from "../../src/operations/inDoubt.ts"
import type { AttemptOutcome } from "../../src/operations/Operation.ts"
import {
  attemptTable, lostAttemptTable, type LostTo, searchTable, submissionOutcome, type SubmissionRow, submissionTable
} from "../../src/operations/outcomeTable.ts"
import { FiscalDocumentId, OrganizationId } from "../../src/tenancy/identifiers.ts"
import { conclusionOf } from "../../src/use-cases/issuing/conclusionOf.ts"
import { lostTo } from "../../src/use-cases/issuing/raiseAttention.ts"
import { operation as anyOperation, operationOf } from "../arbitraries/Operation.ts"
import { rule } from "./ruleBook.ts"

const rows = Object.keys(submissionTable) as Array<SubmissionRow>
const facts = fc.record({ earlierUnresolved: fc.boolean(), isInner: fc.boolean(), isCarriedOn: fc.boolean() })
const concerning = {
  organizationId: OrganizationId.make("01900000-0000-7000-8000-000000000001"),
  operationId: FiscalDocumentId.make("01900000-0000-7000-8000-000000000002"),
  workflow: null,
  attempt: 1,
  at: DateTime.makeUnsafe("2026-08-29T10:00:00Z"),
  actor: "api:host",
  buyerDetails: null
}
const concluded = (outcome: SubmissionOutcome, other = { earlierUnresolved: false, isInner: false, isCarriedOn: false }) => conclusionOf(concerning, outcome, other)
const statusAfter = (event: Parameters<typeof nextStatus>[1]) => nextStatus("SUBMITTING", event).pipe((result) => result._tag === "Success" ? result.success : null)

/** Each row: the code, the status of a document that was being sent, whether its key sends it again, what the attention list gets. */
const expected: Readonly<Record<SubmissionRow, readonly [code: string, status: string, retryable: boolean, attention: string | null]>> = {
  commitNotConfirmed: ["PFR_SUBMISSION_CANCELLED_BEFORE_SEND", "NOT_FISCALIZED", true, null],
  leaseTooShort: ["PFR_UNAVAILABLE", "NOT_FISCALIZED", true, null],
  notWritten: ["PFR_SUBMISSION_CANCELLED_BEFORE_SEND", "NOT_FISCALIZED", true, null],
  circuitUnreachable: ["PFR_UNAVAILABLE", "NOT_FISCALIZED", true, null],
  circuitRefused: ["PFR_SECURITY_ELEMENT_UNAVAILABLE", "NOT_FISCALIZED", true, null],
  unreachable: ["PFR_UNAVAILABLE", "NOT_FISCALIZED", true, null],
  tooLate: ["PFR_UNAVAILABLE", "NOT_FISCALIZED", true, null],
  busy: ["PFR_UNAVAILABLE", "NOT_FISCALIZED", true, null],
  closed: ["PFR_UNAVAILABLE", "NOT_FISCALIZED", true, null],
  callerGone: ["PFR_SUBMISSION_CANCELLED_BEFORE_SEND", "NOT_FISCALIZED", true, null],
  elementRefused: ["PFR_SECURITY_ELEMENT_UNAVAILABLE", "NOT_FISCALIZED", true, "ELEMENT_REFUSED"],
  ownFault: ["PFR_SUBMISSION_FAULT", "OUTCOME_UNKNOWN", false, null],
  silence: ["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", false, null],
  unclearAnswer: ["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", false, null],
  unsignedAnswer: ["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", false, "FOREIGN_ANSWER"],
  foreignAnswer: ["OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", false, "FOREIGN_ANSWER"]
}
const keepsText: ReadonlySet<SubmissionRow> = new Set(["unsignedAnswer", "foreignAnswer"])

rule("OUTCOME-1", {
  says: "One fact decides what a failure means: where no byte of the request can have left, or the V-PFR has refused the element, nothing was signed and the same key may send again; everything else is unknown and is never sent again.",
  source: "Decisions §4, What a failure means",
  proves: ["PFR_UNAVAILABLE", "PFR_SECURITY_ELEMENT_UNAVAILABLE", "PFR_SUBMISSION_CANCELLED_BEFORE_SEND", "PFR_SUBMISSION_FAULT", "OUTCOME_UNKNOWN"]
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("every row of the table", rows, (row) => {
    const [code, status, retryable, attention] = expected[row]
    const conclusion = concluded(submissionOutcome(row, "words", keepsText.has(row) ? "{}" : null))
    const after = statusAfter(conclusion.event)
    return {
      "the code": conclusion.failureCode === code,
      "the status": after === status,
      "whether its key sends it again": after !== null && retryableOf(after, conclusion.failureCode) === retryable,
      "the attention list": conclusion.attention.map(({ kind }) => kind).join() === (attention ?? ""),
      "no receipt": conclusion.answer === null
    }
  })
  holdsForEvery("nothing left, or nothing was signed: the two agree in every row", rows, (row) => {
    const { outcome, sent } = submissionTable[row]
    if (sent === "NOTHING") return outcome._tag === "NotSent" && !outcome.elementRefused
    return sent === "PERHAPS" ? outcome._tag === "NoAnswer" : outcome._tag === "NoAnswer" || outcome.elementRefused
  })
  holdsForEvery("the advice of the code agrees with the status", rows, (row) => {
    const { failureCode, _tag } = submissionTable[row].outcome
    return failureAdvice[failureCode].retryable === (_tag === "NotSent")
  })
  holds("with any words and evidence, the words stay and the text is kept whole", { row: fc.constantFrom(...rows), detail: fc.string(), evidence: fc.option(fc.string()) }, ({ detail, evidence, row }) => {
    const outcome = submissionOutcome(row, detail, evidence)
    return outcome.detail === detail && (outcome._tag === "NotSent" || concluded(outcome).answerText === evidence)
  })
})

rule("OUTCOME-2", {
  says: "A document that may have been signed is searched for at once; one that was certainly not signed is checked again only where an earlier attempt may have a receipt, or the service sends it by itself.",
  source: "Decisions §4, Resolution; Decisions §5"
}, ({ holds }) => {
  holds("every row, with any facts", { row: fc.constantFrom(...rows), other: facts }, ({ other, row }) => {
    const { nextCheckAfterMillis } = concluded(submissionOutcome(row, ""), other)
    if (submissionTable[row].outcome._tag === "NoAnswer") return nextCheckAfterMillis === 0
    return nextCheckAfterMillis === null ? !other.earlierUnresolved && !other.isCarriedOn : nextCheckAfterMillis > 0 && (other.earlierUnresolved || other.isCarriedOn)
  })
})

const outcomes = ["SIGNED", "REJECTED", "NOT_SENT", "NO_ANSWER"] as const satisfies ReadonlyArray<AttemptOutcome>

rule("OUTCOME-3", {
  says: "Of an attempt's four outcomes only silence may hide a receipt; a rejection and a request that was not sent prove that there is none; only the loss of 'not sent' costs nothing.",
  source: "Decisions §4, What a failure means; Decisions §4, Store trouble"
}, ({ holdsForEvery }) => {
  holdsForEvery("every outcome", outcomes, (outcome) => {
    const row = attemptTable[outcome]
    return {
      "only silence may hide a receipt": row.mayHaveArrived === (outcome === "NO_ANSWER"),
      "a rejection, and what was not sent, are unsigned": row.isUnsigned === (outcome === "REJECTED" || outcome === "NOT_SENT"),
      "all but 'not sent' is stored later too": row.keepsTrying === (outcome !== "NOT_SENT"),
      "what may have arrived is searched for at once": (row.searchAfterMillis === 0) === row.mayHaveArrived
    }
  })
  holdsForEvery("each leads to its own status", [["SIGNED", "FISCALIZED"], ["REJECTED", "REJECTED"], ["NOT_SENT", "NOT_FISCALIZED"], ["NO_ANSWER", "OUTCOME_UNKNOWN"]] as const,
    ([outcome, status]) => statusAfter(attemptTable[outcome].event) === status)
})

rule("OUTCOME-4", {
  says: "A search that found nothing never means that nothing was issued: it lets a document be sent again only once the attempt's receipt can no longer come. Without an answer, and with another's receipt, nothing is sent.",
  source: "Decisions §4, Resolution"
}, ({ holdsForEvery }) => {
  holdsForEvery("every finding", [
    ["Found", "FOREIGN", "ANSWER_WITH_IT"], ["NothingFound", "NOTHING", "ONCE_SETTLED"], ["FoundForeign", "FOREIGN", "NEVER"], ["NoAnswer", "NO_ANSWER", "NEVER"]
  ] as const, ([found, finding, sendAgain]) => searchTable[found].finding === finding && searchTable[found].sendAgain === sendAgain)
})

const lost = (["SAME_REQUEST", "SAME_KEY", "OTHER"] as const).flatMap((to) => outcomes.map((outcome) => ({ to, outcome, row: lostAttemptTable[to][outcome] })))

rule("OUTCOME-5", {
  says: "Where the store lost an attempt and another request has its place, another request's document is the answer only if this one was certainly not signed; a receipt is stored or raised, silence is raised, and what was not signed troubles nobody.",
  source: "Decisions §4, Store trouble; docs/adr/0123"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("no other request's document answers what may have been signed", lost, ({ outcome, row, to }) =>
    row.answer === "UNKNOWN" || to === "SAME_REQUEST" || (to === "SAME_KEY" && attemptTable[outcome].isUnsigned))
  holdsForEvery("a repetition of the request is answered with its own document", lost, ({ row, to }) => to !== "SAME_REQUEST" || row.answer === "HOLDER")
  holdsForEvery("a receipt, or silence, always reaches a person; nothing else does", lost, ({ outcome, row }) => (row.raises === null) === attemptTable[outcome].isUnsigned)
  holdsForEvery("a receipt is a second one exactly where a document of its key exists", lost, ({ outcome, row, to }) =>
    (row.raises === "SECOND_RECEIPT") === (outcome === "SIGNED" && to !== "OTHER"))
  holdsForEvery("only a receipt of the same request is stored for the document that has the key", lost, ({ outcome, row, to }) =>
    row.adopts === (outcome === "SIGNED" && to === "SAME_REQUEST"))
  const two = { one: anyOperation, other: anyOperation, key: fc.boolean(), target: fc.boolean(), digest: fc.boolean() }
  holds("who has its place follows from key, target and fingerprint", two, ({ digest, key, one, other, target }) => {
    const mine = { ...one.boundKey, role: "REQUEST" as const, key: "k", target: "POST /a", fingerprint: { version: 1, digest: "d" } }
    const theirs = { ...mine, key: key ? "k" : "l", target: target ? "POST /a" : "POST /b", fingerprint: { version: 1, digest: digest ? "d" : "e" } }
    const found: LostTo = lostTo({ ...other, boundKey: theirs }, { ...one, boundKey: mine })
    return found === (!key ? "OTHER" : target && digest ? "SAME_REQUEST" : "SAME_KEY")
  })
})

rule("OUTCOME-6", {
  says: "A document whose outcome the store did not take is told as unknown and never as retryable; a receipt stays a receipt.",
  source: "Decisions §4, Store trouble",
  proves: ["OUTCOME_UNKNOWN"]
}, ({ holds }) => {
  holds("any document", { known: anyOperation }, ({ known }) => {
    const told = presentDocument(asUnknown(known), { withRejection: true })
    return known.status === "FISCALIZED" ? asUnknown(known) === known : told.status === "OUTCOME_UNKNOWN" && told.failureCode === "OUTCOME_UNKNOWN" && !told.retryable && told.pfr === null
  })
  holds("asked twice, it says the same", { known: fc.constantFrom(operationOf({ status: "SUBMITTING" }), operationOf({ status: "REJECTED" })) }, ({ known }) =>
    fc.stringify(asUnknown(asUnknown(known))) === fc.stringify(asUnknown(known)))
})
