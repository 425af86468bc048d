import { retryableOf } from "../documents/FiscalDocument.ts"
import { isDueToBeSent } from "../operations/carriedOnByService.ts"
import type { Operation } from "../operations/Operation.ts"
import { caseDocuments } from "./caseDocuments.ts"

/** The next act of a request that continues a closing. */
export type ClosingStep =
  | { readonly _tag: "Nothing" }
  /** The document is in flight: its outcome decides. */
  | { readonly _tag: "Wait"; readonly operation: Operation }
  | { readonly _tag: "Send"; readonly operation: Operation }

const nothing: ClosingStep = { _tag: "Nothing" }

const isUnsent = ({ failureCode, status }: Operation): boolean => status === "VALIDATED" || retryableOf(status, failureCode)

/**
 * The next act of a request under one key: its own closing goes on with the Advance Refund, then with the final sale. A closing that was
 * rejected is over: its key sends nothing of a later closing, which only that closing's key continues. Source: Decisions §5, Advance case (closing).
 *
 * @param operations All documents of the case, in the order they were reserved.
 * @param mayResend Whether the request repeats the closing; the request that began it goes on only with what the service would send too.
 */
export const nextOfClosing = (operations: ReadonlyArray<Operation>, key: string, mayResend: boolean): ClosingStep => {
  const { advanceRefund, finalSale } = caseDocuments(operations)
  if (finalSale === null || finalSale.boundKey.key !== key) return nothing
  const underWay = [advanceRefund, finalSale].find((document) => document?.status === "SUBMITTING") ?? null
  if (underWay !== null) return { _tag: "Wait", operation: underWay }
  const isRefundNext = advanceRefund !== null && advanceRefund.status !== "FISCALIZED"
  const operation = isRefundNext ? advanceRefund : finalSale
  const mayBeSent = isUnsent(operation) && (mayResend || isDueToBeSent(operation))
  return mayBeSent ? { _tag: "Send", operation } : nothing
}
