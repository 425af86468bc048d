import type { Operation } from "../operations/Operation.ts"
import type { DocumentStatus } from "./DocumentStatus.ts"
import type { FailureCode } from "./FailureCode.ts"
import { errorCatalogue } from "../errorCatalogue.ts"

/** What a failure code means for the caller. */
export interface FailureAdvice {
  /** Whether the same request with the same key may be sent again. */
  readonly retryable: boolean
  /** One sentence. */
  readonly nextStep: string
}

const advice = (code: FailureCode): FailureAdvice => ({
  retryable: errorCatalogue[code].retry === "same key",
  nextStep: errorCatalogue[code].nextStep
})

/** Every failure code with its advice. A new code does not compile until it has one. Source: Spec, Errors; Decisions §4. */
export const failureAdvice: Readonly<Record<FailureCode, FailureAdvice>> = {
  PFR_UNAVAILABLE: advice("PFR_UNAVAILABLE"),
  PFR_SECURITY_ELEMENT_UNAVAILABLE: advice("PFR_SECURITY_ELEMENT_UNAVAILABLE"),
  PFR_SUBMISSION_CANCELLED_BEFORE_SEND: advice("PFR_SUBMISSION_CANCELLED_BEFORE_SEND"),
  PFR_SUBMISSION_FAULT: advice("PFR_SUBMISSION_FAULT"),
  PFR_VALIDATION_REJECTED: advice("PFR_VALIDATION_REJECTED"),
  OUTCOME_UNKNOWN: advice("OUTCOME_UNKNOWN"),
  OPERATOR_CONFIRMED_NOT_ISSUED: advice("OPERATOR_CONFIRMED_NOT_ISSUED"),
  ADVANCE_REFUND_NOT_FISCALIZED: advice("ADVANCE_REFUND_NOT_FISCALIZED")
}

/** Whether a document may be sent again under its key (Spec, Document statuses). */
export const retryableOf = (status: DocumentStatus, failureCode: FailureCode | null): boolean =>
  status === "NOT_FISCALIZED" && failureCode !== "ADVANCE_REFUND_NOT_FISCALIZED"

/** The failure code an answer carries: an outcome that is not known says so, a receipt has none. */
export const failureCodeOf = (status: DocumentStatus, stored: FailureCode | null): FailureCode | null => {
  switch (status) {
    case "OUTCOME_UNKNOWN":
    case "RECONCILING":
      return stored === "PFR_SUBMISSION_FAULT" ? stored : "OUTCOME_UNKNOWN"
    case "REJECTED":
      return "PFR_VALIDATION_REJECTED"
    case "NOT_FISCALIZED":
      return stored ?? "PFR_UNAVAILABLE"
    default:
      return null
  }
}

const happened: Readonly<Record<DocumentStatus, string>> = {
  RECEIVED: "The request has been received and is being checked; no receipt exists yet",
  VALIDATED: "The request has been checked and is about to be sent; no receipt exists yet",
  SUBMITTING: "The request is being sent to the V-PFR; no receipt is known yet",
  FISCALIZED: "The receipt exists: the V-PFR signed it",
  REJECTED: "The V-PFR rejected the request; no receipt exists and none will",
  NOT_FISCALIZED: "Nothing was signed; no receipt exists",
  OUTCOME_UNKNOWN: "The request may have reached the V-PFR; a receipt may exist or come to exist",
  RECONCILING: "The service is asking the V-PFR whether the receipt exists; it may"
}

type Summarized = Pick<Operation, "status" | "failureCode" | "answer" | "boundKey" | "workflow" | "content">

/** A final sale refers to the Advance Refund of its closing as soon as that is signed, and is not sent before (Decisions §5, Advance case). */
const waitsForAdvanceRefund = ({ content, status, workflow }: Summarized): boolean =>
  status === "VALIDATED" && workflow?.type === "ADVANCE" && content.invoiceType === "NORMAL" && content.reference === null

/**
 * The next step for a document of a refund, where it differs from other documents: a refund that was not sent is final under its key, and its copy is
 * sent by the service (Decisions §3, §5 Refund workflow).
 */
const nextStepOfRefund = ({ boundKey, status, workflow }: Summarized): string | null => {
  if (workflow?.type !== "REFUND") return null
  if (boundKey.role === "REQUEST") return status === "NOT_FISCALIZED" ? "send the refund again with a new key" : null
  if (status === "NOT_FISCALIZED") return "the service sends the copy again by itself"
  return status === "REJECTED" ? "an operator has the copy sent again" : null
}

const nextStepOf = (operation: Summarized, failureCode: FailureCode | null): string => {
  if (operation.status === "FISCALIZED") return "there is nothing more to do"
  if (failureCode === null) return "wait for the outcome"
  const step = failureAdvice[failureCode].nextStep
  return nextStepOfRefund(operation) ?? step.charAt(0).toLowerCase() + step.slice(1, -1)
}

const finalSaleWaits =
  "The final sale waits for the Advance Refund of its closing; no receipt exists yet; read the advance case, and where that refund is retryable repeat the closing with the same key."

/** One sentence: what happened, whether a receipt exists, what to do next (Decisions §5, Operations). */
export const summaryOf = (operation: Summarized): string => {
  if (waitsForAdvanceRefund(operation)) return finalSaleWaits
  const failureCode = failureCodeOf(operation.status, operation.failureCode)
  const number = operation.status === "FISCALIZED" && operation.answer !== null
    ? ` as ${operation.answer.pfr.invoiceNumber}`
    : ""
  return `${happened[operation.status]}${number}; ${nextStepOf(operation, failureCode)}.`
}
