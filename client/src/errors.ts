import type {
  DocumentInProgress,
  ErrorBody,
  ErrorCode,
  NotFiscalizedDocument,
  Problem,
  RefundWorkflow,
  RejectedDocument,
  UnresolvedDocument
} from "./contract.ts"

/** Every error that this client throws on purpose. The classes below say what to do; test with `instanceof`. */
export abstract class OveraError extends Error {
  /** Whether a receipt exists for this request, as far as is known: none, or one may still be found. */
  abstract readonly receipt: "none" | "unknown"
}

/** The request's shape is wrong (422 problem). Fix it and send it under a new key. */
export class RequestInvalid extends OveraError {
  override readonly name = "RequestInvalid"
  readonly receipt = "none"
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.details.map(({ message, pointer }) => `${pointer === "" ? "request:" : pointer} ${message}`).join("; "))
    this.problem = problem
  }
}

/** A rule refused the request; `code` names the rule, `facts` are the other members of the body. */
export class RequestRefused extends OveraError {
  override readonly name = "RequestRefused"
  readonly receipt = "none"
  readonly status: number
  readonly code: ErrorCode
  readonly facts: ErrorBody
  constructor(status: number, body: ErrorBody) {
    super(`${body.code}${body.message === undefined ? "" : `: ${body.message}`}`)
    this.status = status
    this.code = body.code
    this.facts = body
  }
}

/** The V-PFR rejected the document; `document.pfrRejection` names the fields. Fix the request and send it under a new key. */
export class DocumentRejected extends OveraError {
  override readonly name = "DocumentRejected"
  readonly receipt = "none"
  readonly document: RejectedDocument
  constructor(document: RejectedDocument) {
    super(`The V-PFR rejected document ${document.id}.`)
    this.document = document
  }
}

/** Nothing was sent, not even after all pauses. The same request with the same key may be sent again later. */
export class NotIssued extends OveraError {
  override readonly name = "NotIssued"
  readonly receipt = "none"
  readonly document: NotFiscalizedDocument
  constructor(document: NotFiscalizedDocument) {
    super(`Document ${document.id} was not issued: ${document.failureCode ?? document.status}.`)
    this.document = document
  }
}

/** It is not known whether the receipt exists. Send nothing new for this sale; wait for the operation with `untilResolved`. */
export class OutcomeUnknown extends OveraError {
  override readonly name = "OutcomeUnknown"
  readonly receipt = "unknown"
  readonly document: UnresolvedDocument | DocumentInProgress
  constructor(document: UnresolvedDocument | DocumentInProgress) {
    super(`The outcome of document ${document.id} is not known yet.`)
    this.document = document
  }
}

/**
 * A refund workflow that did not complete. FAILED is final: after a rejection correct the request and send it under a new key. Every other status
 * means that the refund exists or may exist: send nothing new; the same request with the same key continues it, unless its copy was rejected: then
 * the refund is valid, and an operator of the service has the copy sent again.
 */
export class RefundNotCompleted extends OveraError {
  override readonly name = "RefundNotCompleted"
  readonly receipt: "none" | "unknown"
  readonly workflow: RefundWorkflow
  constructor(workflow: RefundWorkflow) {
    const isCopyRejected = workflow.cashRefundCopy?.status === "REJECTED"
    super(`Refund ${workflow.id} is ${workflow.status}${isCopyRejected ? ": the refund is valid, its copy was rejected; an operator has it sent again" : ""}.`)
    this.workflow = workflow
    this.receipt = workflow.status === "FAILED" ? "none" : "unknown"
  }
}

/** The service did not answer, or could not, not even after all pauses. Keep the key: the same request under it is safe at any time. */
export class ServiceUnavailable extends OveraError {
  override readonly name = "ServiceUnavailable"
  readonly receipt = "unknown"
  readonly status: number | null
  constructor(status: number | null, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

/** The credential is not accepted: wrong id or secret, or revoked. */
export class AuthenticationFailed extends OveraError {
  override readonly name = "AuthenticationFailed"
  readonly receipt = "none"
}
