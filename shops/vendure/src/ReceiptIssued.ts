import { type Order, type RequestContext, VendureEvent } from "@vendure/core"
import type { ShownReceipt } from "../../shared/src/sendStep.ts"

/** A receipt of an order was signed. Told once it is kept with the order; again where the server died before it noted that it had told. */
export class ReceiptIssued extends VendureEvent {
  readonly ctx: RequestContext
  /** With its customer. */
  readonly order: Order
  readonly receipt: ShownReceipt
  readonly pdf: Uint8Array

  constructor(ctx: RequestContext, order: Order, receipt: ShownReceipt, pdf: Uint8Array) {
    super()
    this.ctx = ctx
    this.order = order
    this.receipt = receipt
    this.pdf = pdf
  }
}
