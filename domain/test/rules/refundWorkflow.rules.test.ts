import { Result } from "effect"
import * as fc from "fast-check"
import { DocumentEvent, mayCause, mayRejectionBeRetried, nextStatus } from "../../src/documents/documentTransitions.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import {
  holdsFollow,
  mayCopyBeSent,
  RefundActor,
  type RefundDocuments,
  refundFailureCode,
  refundWorkflowStatus
} from "../../src/refunds/refundProgress.ts"
import { cashRefundCopyKey, RefundWorkflowStatus } from "../../src/refunds/RefundWorkflow.ts"
import { rule } from "./ruleBook.ts"

// The transitions, written by hand: from a status to the possible next ones.
const moves: Readonly<Record<RefundWorkflowStatus, ReadonlyArray<RefundWorkflowStatus>>> = {
  REFUND_PENDING: ["REFUND_PENDING", "REFUND_OUTCOME_UNKNOWN", "COPY_PENDING", "COMPLETED", "FAILED"],
  REFUND_OUTCOME_UNKNOWN: ["REFUND_OUTCOME_UNKNOWN", "COPY_PENDING", "COMPLETED", "FAILED"],
  COPY_PENDING: ["COPY_PENDING", "COPY_OUTCOME_UNKNOWN", "COMPLETED"],
  COPY_OUTCOME_UNKNOWN: ["COPY_OUTCOME_UNKNOWN", "COPY_PENDING", "COMPLETED"],
  COMPLETED: [],
  // A refund that was taken for not issued turns out to be signed (Decisions §4, Late answers).
  FAILED: ["COPY_PENDING", "COMPLETED"]
}

interface DocumentMove {
  readonly of: "refund" | "copy"
  readonly event: DocumentEvent
}

// A closing is given up in an advance case alone.
const events = DocumentEvent.literals.filter((event) => event !== "closingGivenUp")
const documentMoves: ReadonlyArray<DocumentMove> = (["refund", "copy"] as const).flatMap((of) => events.map((event) => ({ of, event })))

const statusAfter = (status: DocumentStatus, event: DocumentEvent): DocumentStatus | null => Result.getOrNull(nextStatus(status, event))

/** Both documents after an event of one of them; null where the event is impossible. */
const documentsAfter = (documents: RefundDocuments, { of, event }: DocumentMove): RefundDocuments | null => {
  if (of === "copy") {
    if (documents.copy === null || event === "retriedByOperator" && !mayRejectionBeRetried("INNER")) return null
    const copy = statusAfter(documents.copy, event)
    return copy === null ? null : { ...documents, copy }
  }
  // A refund is sent only once: its caller gets a FAILED workflow and uses a new key (Decisions §3, Workflows).
  if (event === "redriven" || event === "retriedByOperator" && !mayRejectionBeRetried("REQUEST")) return null
  const refund = statusAfter(documents.refund, event)
  if (refund === null) return null
  return { ...documents, refund, copy: refund === "FISCALIZED" && documents.copyDue ? "VALIDATED" : documents.copy }
}

// Every possible pair of statuses: a copy exists exactly when one is due and the refund is a receipt.
const possibleDocuments: ReadonlyArray<RefundDocuments> = DocumentStatus.literals.flatMap((refund) => [
  { refund, copyDue: false, copy: null },
  ...(refund === "FISCALIZED" ? DocumentStatus.literals : [null]).map((copy) => ({ refund, copyDue: true, copy }))
])

const possibleMoves = possibleDocuments.flatMap((before) =>
  documentMoves.flatMap((move) => {
    const after = documentsAfter(before, move)
    return after === null ? [] : [{ from: refundWorkflowStatus(before), to: refundWorkflowStatus(after), move }]
  })
)

rule("REFUND-WORKFLOW-1", {
  says: "A refund workflow moves only as the table says, whatever happens to its two documents; every other move is impossible.",
  source: "Spec, Refund workflow statuses and transitions; Decisions §4, §5 Refund workflow"
}, ({ holdsForEvery }) => {
  holdsForEvery("every event of every pair of documents moves the workflow within the table", possibleMoves, ({ from, to }) => moves[from].includes(to))
  holdsForEvery("every move of the table is made by some event",
    RefundWorkflowStatus.literals.flatMap((from) => moves[from].map((to) => [from, to] as const)),
    ([from, to]) => possibleMoves.some((move) => move.from === from && move.to === to))
  holdsForEvery("once the refund is a receipt no event makes the workflow fail", possibleMoves.filter(({ from }) => from.startsWith("COPY_")),
    ({ to }) => to !== "FAILED" && !to.startsWith("REFUND_"))
})

rule("REFUND-WORKFLOW-2", {
  says: "Only an operator decides that an unknown document was not issued, and only an operator has a rejected copy tried again.",
  source: "Decisions §4 (the operator decides), §5 Refund workflow"
}, ({ holdsForEvery }) => {
  holdsForEvery("neither host nor worker causes what an operator decides", ["confirmedNotIssued", "confirmedIssued", "retriedByOperator"] as const,
    (event) => mayCause("operator:mira", event) && !mayCause("api:host-1", event) && !mayCause("worker:host-1", event))
  holdsForEvery("a rejected copy is sent again by an operator alone", [...RefundActor.literals], (by) =>
    mayCopyBeSent({ refund: "FISCALIZED", copyDue: true, copy: "REJECTED" }, by) === (by === "operator"))
})

class Happens implements fc.Command<{ documents: RefundDocuments }, { statuses: Array<RefundWorkflowStatus> }> {
  readonly move: DocumentMove
  constructor(move: DocumentMove) {
    this.move = move
  }
  check = (model: Readonly<{ documents: RefundDocuments }>): boolean => documentsAfter(model.documents, this.move) !== null
  run(model: { documents: RefundDocuments }, real: { statuses: Array<RefundWorkflowStatus> }): void {
    model.documents = documentsAfter(model.documents, this.move) ?? model.documents
    const status = refundWorkflowStatus(model.documents)
    const before = real.statuses.at(-1) ?? "REFUND_PENDING"
    real.statuses.push(status)
    const { copy, copyDue, refund } = model.documents
    const done = refund === "FISCALIZED" && (!copyDue || copy === "FISCALIZED")
    if ((status === "COMPLETED") !== done) throw new Error(`${status} although the refund is ${refund} and the copy ${copy}`)
    if (before === "COMPLETED" && status !== before) throw new Error("a completed workflow went on")
    if ((holdsFollow(refund) === "CONSUMED") !== (refund === "FISCALIZED")) throw new Error("exactly a receipt consumes what it holds")
  }
  toString = (): string => `${this.move.of} ${this.move.event}`
}

rule("REFUND-WORKFLOW-3", {
  says: "The workflow's status is what its two documents say and nothing else.",
  source: "Spec, Refund workflow statuses; Decisions §5, Refund workflow"
}, ({ holdsForEvery, holdsForHistories }) => {
  const saidBy: ReadonlyArray<readonly [ReadonlyArray<DocumentStatus>, RefundWorkflowStatus]> = [
    [["RECEIVED", "VALIDATED", "SUBMITTING"], "REFUND_PENDING"],
    [["OUTCOME_UNKNOWN", "RECONCILING"], "REFUND_OUTCOME_UNKNOWN"],
    [["REJECTED", "NOT_FISCALIZED"], "FAILED"]
  ]
  holdsForEvery("without a receipt the refund decides", saidBy.flatMap(([refunds, status]) => refunds.map((refund) => ({ refund, status }))),
    ({ refund, status }) => [true, false].every((copyDue) => refundWorkflowStatus({ refund, copyDue, copy: null }) === status))
  holdsForEvery("with a receipt the copy decides, where one is due", [null, ...DocumentStatus.literals], (copy) => {
    const unknown = copy === "OUTCOME_UNKNOWN" || copy === "RECONCILING"
    const due = copy === "FISCALIZED" ? "COMPLETED" : unknown ? "COPY_OUTCOME_UNKNOWN" : "COPY_PENDING"
    return refundWorkflowStatus({ refund: "FISCALIZED", copyDue: true, copy }) === due &&
      refundWorkflowStatus({ refund: "FISCALIZED", copyDue: false, copy }) === "COMPLETED"
  })
  for (const copyDue of [true, false]) {
    holdsForHistories<{ documents: RefundDocuments }, { statuses: Array<RefundWorkflowStatus> }>(
      copyDue ? "in any history of a refund with cash, which needs its signed copy" : "in any history of a refund without cash",
      fc.commands(documentMoves.map((move) => fc.constant(new Happens(move))), { maxCommands: 60 }),
      () => ({ model: { documents: { refund: "SUBMITTING", copyDue, copy: null } }, real: { statuses: [] } })
    )
  }
})

rule("REFUND-WORKFLOW-4", {
  says: "Held quantities follow the refund document alone: a receipt consumes them, a rejected or not sent refund frees them, anything " +
    "else keeps them.",
  source: "Decisions §5, Refund workflow (holds)"
}, ({ holdsForEvery }) => {
  holdsForEvery("every document status", [...DocumentStatus.literals], (status) => {
    if (status === "FISCALIZED") return holdsFollow(status) === "CONSUMED"
    if (status === "REJECTED" || status === "NOT_FISCALIZED") return holdsFollow(status) === "RELEASED"
    return holdsFollow(status) === "HELD"
  })
})

const allDocuments: ReadonlyArray<RefundDocuments> = DocumentStatus.literals.flatMap((refund) =>
  [true, false].flatMap((copyDue) => [null, ...DocumentStatus.literals].map((copy) => ({ refund, copyDue, copy })))
)

rule("REFUND-WORKFLOW-5", {
  says: "A copy is sent only after its refund is a receipt and cash was given back, and never while an earlier sending may have been signed.",
  source: "Spec, Refunds rule 4; Decisions §5, Refund workflow"
}, ({ holdsForEvery }) => {
  const everyone = allDocuments.flatMap((documents) => RefundActor.literals.map((by) => ({ documents, by })))
  holdsForEvery("every combination of documents and actor", everyone, ({ documents, by }) => {
    const sendable = documents.copy === "VALIDATED" || documents.copy === "NOT_FISCALIZED" ||
      (documents.copy === "REJECTED" && by === "operator")
    return mayCopyBeSent(documents, by) === (documents.refund === "FISCALIZED" && documents.copyDue && sendable)
  })
})

rule("REFUND-WORKFLOW-6", {
  says: "The workflow's failure code is the refund's until the refund is a receipt, then the copy's until that is one.",
  source: "Spec, Refund workflow statuses; Decisions §5, Refund workflow"
}, ({ holdsForEvery }) => {
  holdsForEvery("every combination of documents", allDocuments, (documents) => {
    const code = refundFailureCode(documents, { refund: "PFR_UNAVAILABLE", copy: "PFR_VALIDATION_REJECTED" })
    if (documents.refund !== "FISCALIZED") return code === "PFR_UNAVAILABLE"
    return code === (documents.copyDue && documents.copy !== "FISCALIZED" ? "PFR_VALIDATION_REJECTED" : null)
  })
  holdsForEvery("the copy's own key is the refund's followed by :copy", ["order-1234567890"], (key) =>
    cashRefundCopyKey(key) === `${key}:copy`)
})
