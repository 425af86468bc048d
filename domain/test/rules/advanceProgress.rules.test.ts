import { advanceCaseState, type AdvanceDocuments, advanceProgress } from "../../src/advances/advanceGate.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { rule } from "./ruleBook.ts"

const statuses: ReadonlyArray<DocumentStatus | null> = [null, ...DocumentStatus.literals]
const caseOf = (fields: Partial<AdvanceDocuments> = {}): AdvanceDocuments => ({ documents: [], advanceRefund: null, finalSale: null, ...fields })

rule("ADVANCE-PROGRESS-1", {
  says: "A case has a document in flight while one of it is received, validated or being sent; a final sale that waits for its Advance " +
    "Refund counts only when it is being sent itself.",
  source: "Decisions §5, Advance case (a new mutation waits for the document in flight)"
}, ({ holdsForEvery }) => {
  const underWay: ReadonlyArray<DocumentStatus | null> = ["RECEIVED", "VALIDATED", "SUBMITTING"]
  holdsForEvery("an advance or a cancellation, whatever stands before and after it", [...DocumentStatus.literals], (status) =>
    advanceProgress(caseOf({ documents: [status] })).inFlight === underWay.includes(status) &&
    advanceProgress(caseOf({ documents: ["FISCALIZED", status, "REJECTED"] })).inFlight === underWay.includes(status))
  holdsForEvery("the Advance Refund of a closing", statuses, (advanceRefund) =>
    advanceProgress(caseOf({ documents: ["FISCALIZED"], advanceRefund, finalSale: "VALIDATED" })).inFlight === underWay.includes(advanceRefund))
  holdsForEvery("its final sale", statuses, (finalSale) =>
    advanceProgress(caseOf({ documents: ["FISCALIZED"], advanceRefund: "FISCALIZED", finalSale })).inFlight === (finalSale === "SUBMITTING"))
  holdsForEvery("in a case of which nothing was issued there is none", [caseOf()], (nothing) => !advanceProgress(nothing).inFlight)
})

const closings = statuses.flatMap((advanceRefund) => statuses.map((finalSale) => caseOf({ documents: ["FISCALIZED"], advanceRefund, finalSale })))

rule("ADVANCE-PROGRESS-2", {
  says: "A closing stays reserved until its final sale is signed or rejected or its Advance Refund is rejected; only a signed Advance " +
    "Refund of a final sale that was rejected or given up is kept for the next closing.",
  source: "Decisions §5, Advance case (closing)"
}, ({ holdsForEvery }) => {
  holdsForEvery("every status of Advance Refund and final sale: whether it is reserved", closings, (closing) => {
    const isOver = closing.finalSale === null || ["FISCALIZED", "REJECTED"].includes(closing.finalSale) || closing.advanceRefund === "REJECTED"
    return advanceProgress(closing).closingReserved !== isOver
  })
  holdsForEvery("and what is kept of it", closings, (closing) =>
    advanceProgress(closing).advanceRefundKept === ["FISCALIZED REJECTED", "FISCALIZED null"].includes(`${closing.advanceRefund} ${closing.finalSale}`))
  holdsForEvery("and the state it gives the case, which its progress repeats", closings, (closing) => {
    const expected = closing.finalSale === "FISCALIZED"
      ? "CLOSED"
      : closing.advanceRefund === "REJECTED"
      ? "FAILED"
      : (closing.finalSale === null || closing.finalSale === "REJECTED") && closing.advanceRefund !== "FISCALIZED"
      ? "OPEN"
      : "AWAITING_OUTCOME"
    return advanceCaseState(closing) === expected && advanceProgress(closing).state === expected
  })
  holdsForEvery("an open closing aside, a case waits exactly for a document whose outcome is unknown", [...DocumentStatus.literals], (status) =>
    advanceCaseState(caseOf({ documents: ["FISCALIZED", status, "FISCALIZED"] })) ===
      (status === "OUTCOME_UNKNOWN" || status === "RECONCILING" ? "AWAITING_OUTCOME" : "OPEN"))
})
