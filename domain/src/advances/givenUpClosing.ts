import { Result } from "effect"
import type { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import type { Operation } from "../operations/Operation.ts"
import { advanceRefundKey } from "./AdvanceCase.ts"
import type { CaseDocuments } from "./caseDocuments.ts"

/** What the documents of a closing that an operator gave up are, for good (docs/adr/0126). */
export const givenUp = { status: "NOT_FISCALIZED", failureCode: "ADVANCE_REFUND_NOT_FISCALIZED" } as const satisfies {
  readonly status: DocumentStatus
  readonly failureCode: FailureCode
}

type Ended = Pick<Operation, "status" | "failureCode" | "boundKey">

/** Whether a document of a closing was not sent and never will be: it was given up, or its Advance Refund was rejected. */
export const isNeverSent = ({ failureCode, status }: Pick<Operation, "status" | "failureCode">): boolean =>
  status === givenUp.status && failureCode === givenUp.failureCode

/**
 * Whether an operator gave up the closing of this document. A final sale whose Advance Refund was rejected is never sent either, but its case is FAILED.
 *
 * @param operations All documents of the case.
 */
export const isGivenUp = (document: Ended, operations: ReadonlyArray<Ended>): boolean => {
  const refundKey = advanceRefundKey(document.boundKey.key)
  return isNeverSent(document) && !operations.some(({ boundKey, status }) => boundKey.key === refundKey && status === "REJECTED")
}

const inWords: Readonly<Record<DocumentStatus, string>> = {
  RECEIVED: "is being sent",
  VALIDATED: "is about to be sent",
  SUBMITTING: "is being sent",
  OUTCOME_UNKNOWN: "may have been signed: decide its outcome first",
  RECONCILING: "is being searched for at the V-PFR",
  FISCALIZED: "is signed",
  REJECTED: "was rejected",
  NOT_FISCALIZED: "was not sent"
}

/**
 * The document with which a closing is given up, or why it is not: the Advance Refund that was not sent, or the final sale where no Advance Refund is
 * due. Once the Advance Refund is signed the service sends the final sale itself.
 */
export const closingToGiveUp = ({ advanceRefund, finalSale }: CaseDocuments): Result.Result<Operation, string> => {
  if (finalSale === null) return Result.fail("no closing of the case is reserved")
  if (finalSale.status === "FISCALIZED") return Result.fail("the case is closed")
  if (finalSale.status === "REJECTED") return Result.fail("the final sale was rejected; another closing with a new key may follow")
  if (advanceRefund?.status === "FISCALIZED") return Result.fail("its Advance Refund is signed; the service sends the final sale itself")
  const first = advanceRefund ?? finalSale
  if (first.status === "NOT_FISCALIZED") return Result.succeed(first)
  return Result.fail(`its ${advanceRefund === null ? "final sale" : "Advance Refund"} ${inWords[first.status]}`)
}
