import type { AdvanceCancellationRequest, AdvanceCaseRequest, AdvanceClosingRequest, AdvancePaymentRequest, FiscalDocumentRequest, RefundRequest } from "@overa/client"

/** A step of an earlier request whose answer a request needs. */
interface Needs<Body, Missing extends string = never, Named extends string = never> {
  /** What the step is about, without what only an answer knows. */
  readonly body: Omit<Body, Missing>
  /** The step whose document or case this is. */
  readonly needs: Readonly<Record<Named, string>>
}

interface Stepped<Operation extends string> {
  /** The step in its order: the middle of its idempotency key. */
  readonly name: string
  readonly operation: Operation
}

/** One fiscal request of an order. Its name comes from the event, so the same event never makes two. */
export type Step =
  | Stepped<"issueFiscalDocument"> & Needs<FiscalDocumentRequest>
  | Stepped<"refundSale"> & Needs<RefundRequest, "original", "sale">
  | Stepped<"openAdvanceCase"> & Needs<AdvanceCaseRequest>
  | Stepped<"addAdvancePayment"> & Needs<AdvancePaymentRequest, never, "case">
  | Stepped<"cancelAdvanceSale"> & Needs<AdvanceCancellationRequest, "advanceSaleId", "case" | "advance">
  | Stepped<"closeAdvanceCase"> & Needs<AdvanceClosingRequest, never, "case">
