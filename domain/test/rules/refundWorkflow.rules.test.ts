import { Result } from "effect"
import * as fc from "fast-check"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import {
  holdsFollow,
  mayCopyBeSent,
  type RefundDocuments,
  refundFailureCode,
  refundWorkflowStatus
} from "../../src/refunds/refundProgress.ts"
import {
  nextRefundStatus,
  RefundActor,
  RefundEvent,
  refundEventActors
} from "../../src/refunds/refundTransitions.ts"
import { cashRefundCopyKey, RefundWorkflowStatus } from "../../src/refunds/RefundWorkflow.ts"
import { rule } from "./ruleBook.ts"

// The moves, written once more by hand: status, event → status.
const moves: ReadonlyArray<readonly [RefundWorkflowStatus, RefundEvent, RefundWorkflowStatus]> = [
  ["REFUND_PENDING", "refundSignedWithCopyDue", "COPY_PENDING"],
  ["REFUND_PENDING", "refundSignedWithoutCopy", "COMPLETED"],
  ["REFUND_PENDING", "refundRejected", "FAILED"],
  ["REFUND_PENDING", "refundNotSent", "FAILED"],
  ["REFUND_PENDING", "refundUnknown", "REFUND_OUTCOME_UNKNOWN"],
  ["REFUND_OUTCOME_UNKNOWN", "refundSignedWithCopyDue", "COPY_PENDING"],
  ["REFUND_OUTCOME_UNKNOWN", "refundSignedWithoutCopy", "COMPLETED"],
  ["REFUND_OUTCOME_UNKNOWN", "refundRejected", "FAILED"],
  ["REFUND_OUTCOME_UNKNOWN", "refundUnknown", "REFUND_OUTCOME_UNKNOWN"],
  ["REFUND_OUTCOME_UNKNOWN", "refundConfirmedNotIssued", "FAILED"],
  ["COPY_PENDING", "copySent", "COPY_PENDING"],
  ["COPY_PENDING", "copySigned", "COMPLETED"],
  ["COPY_PENDING", "copyNotSent", "COPY_PENDING"],
  ["COPY_PENDING", "copyUnknown", "COPY_OUTCOME_UNKNOWN"],
  ["COPY_PENDING", "copyRejected", "COPY_PENDING"],
  ["COPY_PENDING", "copyRetriedByOperator", "COPY_PENDING"],
  ["COPY_OUTCOME_UNKNOWN", "copySigned", "COMPLETED"],
  ["COPY_OUTCOME_UNKNOWN", "copyUnknown", "COPY_OUTCOME_UNKNOWN"],
  ["COPY_OUTCOME_UNKNOWN", "copyRejected", "COPY_PENDING"],
  ["COPY_OUTCOME_UNKNOWN", "copyConfirmedNotIssued", "COPY_PENDING"],
  ["FAILED", "refundSignedWithCopyDue", "COPY_PENDING"],
  ["FAILED", "refundSignedWithoutCopy", "COMPLETED"]
]

const allCells = RefundWorkflowStatus.literals.flatMap((from) => RefundEvent.literals.map((event) => ({ from, event })))

rule("REFUND-WORKFLOW-1", {
  says: "A refund workflow moves only as the table says; every other move is refused.",
  source: "Spec, Refund workflow statuses and transitions; Decisions §4, §5 Refund workflow"
}, ({ holdsForEvery }) => {
  holdsForEvery("every status with every event", allCells, ({ from, event }) => {
    const move = moves.find(([status, cause]) => status === from && cause === event)
    const answer = nextRefundStatus(from, event)
    return move === undefined
      ? Result.isFailure(answer) && answer.failure.from === from && answer.failure.event === event
      : Result.isSuccess(answer) && answer.success === move[2]
  })
  holdsForEvery("once the refund is a receipt no event makes the workflow fail", allCells, ({ from, event }) => {
    const issued = from === "COPY_PENDING" || from === "COPY_OUTCOME_UNKNOWN" || from === "COMPLETED"
    const answer = nextRefundStatus(from, event)
    return !issued || Result.isFailure(answer) || ["COPY_PENDING", "COPY_OUTCOME_UNKNOWN", "COMPLETED"].includes(answer.success)
  })
})

rule("REFUND-WORKFLOW-2", {
  says: "Only an operator decides that an unknown document was not issued, and only an operator has a rejected copy tried again; a " +
    "worker never sends a refund.",
  source: "Decisions §4 (the operator decides), §5 Refund workflow"
}, ({ holdsForEvery }) => {
  const operatorOnly: ReadonlyArray<RefundEvent> = ["refundConfirmedNotIssued", "copyConfirmedNotIssued", "copyRetriedByOperator"]
  holdsForEvery("the events that need an operator have no other actor, the others never need one", [...RefundEvent.literals], (event) => {
    const actors: ReadonlyArray<RefundActor> = refundEventActors[event]
    return operatorOnly.includes(event) ? actors.join() === "operator" : actors.includes("caller")
  })
  holdsForEvery("a refund that is not sent is the caller's doing alone", ["refundNotSent" as const], (event) =>
    refundEventActors[event].join() === "caller")
})

/** The workflow seen from its two documents and from the table, side by side. */
interface Documents {
  refund: DocumentStatus
  copyDue: boolean
  copy: DocumentStatus | null
}
interface Workflow {
  status: RefundWorkflowStatus
}

class Happens implements fc.Command<Documents, Workflow> {
  readonly event: RefundEvent
  constructor(event: RefundEvent) {
    this.event = event
  }
  check = (documents: Readonly<Documents>): boolean => afterEvent(documents, this.event) !== null
  run(documents: Documents, workflow: Workflow): void {
    const after = afterEvent(documents, this.event)
    if (after === null) return
    Object.assign(documents, after)
    workflow.status = Result.getOrThrow(nextRefundStatus(workflow.status, this.event))
    if (workflow.status !== refundWorkflowStatus(documents)) throw new Error(`the table says ${workflow.status}`)
    if (documents.refund === "FISCALIZED" && holdsFollow(documents.refund) !== "CONSUMED") throw new Error("a receipt must consume")
  }
  toString = (): string => this.event
}

// What an event does to the documents; null where it cannot happen to them.
const afterEvent = (documents: Documents, event: RefundEvent): Partial<Documents> | null => {
  const { refund, copy, copyDue } = documents
  const refundOpen = refund === "SUBMITTING" || refund === "OUTCOME_UNKNOWN" || refund === "RECONCILING"
  const copyOpen = refund === "FISCALIZED" && copyDue && (copy === "SUBMITTING" || copy === "OUTCOME_UNKNOWN")
  switch (event) {
    case "refundSignedWithCopyDue":
      return (refundOpen || refund === "NOT_FISCALIZED") && copyDue ? { refund: "FISCALIZED", copy: "VALIDATED" } : null
    case "refundSignedWithoutCopy":
      return (refundOpen || refund === "NOT_FISCALIZED") && !copyDue ? { refund: "FISCALIZED" } : null
    case "refundRejected":
      return refundOpen ? { refund: "REJECTED" } : null
    case "refundNotSent":
      return refund === "SUBMITTING" ? { refund: "NOT_FISCALIZED" } : null
    case "refundUnknown":
      return refundOpen ? { refund: "OUTCOME_UNKNOWN" } : null
    case "refundConfirmedNotIssued":
      return refund === "OUTCOME_UNKNOWN" ? { refund: "NOT_FISCALIZED" } : null
    case "copySent":
      return mayCopyBeSent(documents, "worker") ? { copy: "SUBMITTING" } : null
    case "copyRetriedByOperator":
      return copy === "REJECTED" && mayCopyBeSent(documents, "operator") ? { copy: "SUBMITTING" } : null
    case "copySigned":
      return copyOpen ? { copy: "FISCALIZED" } : null
    case "copyNotSent":
      return copyOpen && copy === "SUBMITTING" ? { copy: "NOT_FISCALIZED" } : null
    case "copyUnknown":
      return copyOpen ? { copy: "OUTCOME_UNKNOWN" } : null
    case "copyRejected":
      return copyOpen ? { copy: "REJECTED" } : null
    case "copyConfirmedNotIssued":
      return copyOpen && copy === "OUTCOME_UNKNOWN" ? { copy: "NOT_FISCALIZED" } : null
  }
}

rule("REFUND-WORKFLOW-3", {
  says: "The workflow's status is what its two documents say: the table and the documents agree after every event.",
  source: "Spec, Refund workflow statuses; Decisions §5, Refund workflow"
}, ({ holdsForHistories }) => {
  const events = RefundEvent.literals.map((event) => fc.constant(new Happens(event)))
  for (const copyDue of [true, false]) {
    holdsForHistories<Documents, Workflow>(
      copyDue ? "of a refund with cash, which needs its signed copy" : "of a refund without cash",
      fc.commands(events, { maxCommands: 40 }),
      () => ({ model: { refund: "SUBMITTING", copyDue, copy: null }, real: { status: "REFUND_PENDING" } })
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
