import { DocumentRejected, type FiscalizedDocument, type OveraClient, RefundNotCompleted } from "@overa/client"
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

/** Where the shop's server answers the PDF of a document. */
export type PdfAddress = (fiscalDocumentId: string) => string

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

const shownOf = (pdfOf: PdfAddress, { id, invoiceType, pfr, transactionType }: FiscalizedDocument): ShownReceipt =>
  ({ id, kind: `${invoiceType} ${transactionType}`, number: pfr.invoiceNumber, url: pfr.verificationUrl, total: pfr.totalAmount, pdf: pdfOf(id) })

/** Sends one request under its key: again after a crash or a lost answer, with the same effect. */
export const sendStep = async (client: OveraClient, pdfOf: PdfAddress, { input, key, operation }: FiscalRequest, before: Progress | undefined) => {
  try {
    const answer = await client.prepare(operation, input as never, key).send() as unknown
    const receipts = documentsOf(operation, answer as Answer).flatMap((document) => document?.pfr ? [shownOf(pdfOf, document)] : [])
    return { progress: answered(operation, answer as never), receipts }
  } catch (error) {
    if (error instanceof DocumentRejected || (error instanceof RefundNotCompleted && error.workflow.status === "FAILED")) throw new Failed(failed(before), error)
    throw error
  }
}
