import { DocumentRejected, type FiscalizedDocument, NotIssued, OutcomeUnknown, type OveraClient, RefundNotCompleted, ServiceUnavailable } from "@overa/client"
import { answered, failed, type FiscalRequest, type Progress } from "@overa/orders"

/** A receipt as the order shows it. */
export interface ShownReceipt {
  readonly id: string
  readonly kind: string
  readonly number: string
  readonly url: string
  readonly total: number
  /** Where this server answers the PDF. */
  readonly pdf: string
}

/** A request that is over: the next attempt has another key. */
export class Failed extends Error {
  readonly progress: Progress
  constructor(progress: Progress, cause: unknown) {
    super("the request is over", { cause })
    this.progress = progress
  }
}

interface Answer {
  readonly pfr?: unknown
  readonly refund?: FiscalizedDocument
  readonly finalSale?: FiscalizedDocument | null
  readonly advanceRefund?: FiscalizedDocument | null
  readonly current?: FiscalizedDocument | null
}

const documentsOf = (operation: FiscalRequest["operation"], answer: Answer): ReadonlyArray<FiscalizedDocument | null | undefined> => {
  switch (operation) {
    case "issueFiscalDocument":
      return [answer as FiscalizedDocument]
    case "refundSale":
      return [answer.refund]
    case "closeAdvanceCase":
      return [answer.advanceRefund, answer.finalSale]
    default:
      return [answer.current]
  }
}

const shownOf = (code: string, { id, invoiceType, pfr, transactionType }: FiscalizedDocument): ShownReceipt =>
  ({ id, kind: `${invoiceType} ${transactionType}`, number: pfr.invoiceNumber, url: pfr.verificationUrl, total: pfr.totalAmount, pdf: `/overa/receipts/${encodeURIComponent(code)}/${id}.pdf` })

/** Sends one request under its key: again after a crash or a lost answer, with the same effect. */
export const sendStep = async (client: OveraClient, code: string, { input, key, operation }: FiscalRequest, before: Progress | undefined) => {
  try {
    const answer = await client.prepare(operation, input as never, key).send() as unknown
    const receipts = documentsOf(operation, answer as Answer).flatMap((document) => document?.pfr ? [shownOf(code, document)] : [])
    return { progress: answered(operation, answer as never), receipts }
  } catch (error) {
    if (error instanceof DocumentRejected || (error instanceof RefundNotCompleted && error.workflow.status === "FAILED")) throw new Failed(failed(before), error)
    throw error
  }
}

const rejectionOf = ({ document }: DocumentRejected): string => {
  const said = JSON.stringify(document.pfrRejection)
  return said.length > 600 ? `${said.slice(0, 600)}…` : said
}

/** What a person at the order reads, and what is to be done. */
export const wordsOf = (error: unknown): string => {
  if (error instanceof Failed) return wordsOf(error.cause)
  if (error instanceof OutcomeUnknown) return `The receipt was sent and its answer was lost; the service looks for it (document ${error.document.id}). Nothing is to be done, and nothing new is sent meanwhile.`
  if (error instanceof RefundNotCompleted && error.workflow.status !== "FAILED") return `The refund is under way; the service carries it on (workflow ${error.workflow.id}). Nothing is to be done.`
  if (error instanceof NotIssued || error instanceof ServiceUnavailable) return "Not issued yet: the tax authority or the service does not answer. It is sent again by itself; nothing is to be done."
  if (error instanceof DocumentRejected) return `The tax authority rejected the receipt: ${rejectionOf(error)}. Correct the tax labels or the settings at the channel; it is sent again by itself, under a new key.`
  return `Not issued: ${error instanceof Error ? error.message : String(error)} Correct this in the settings at the channel; it is sent again by itself.`
}
