import { randomUUID } from "node:crypto"
import type { SeededShop } from "@overa/sandbox"
import { type KeyedBody, TillLine } from "./TillLine.ts"

/** The members of a document that the comparison needs. */
export interface KnownDocument {
  readonly id: string
  readonly status: string
  readonly pfr: { readonly invoiceNumber: string } | null
}

/** A refund workflow as answered to the shop. */
export interface KnownWorkflow {
  readonly id: string
  readonly status: string
  readonly refund: KnownDocument
  readonly cashRefundCopy: KnownDocument | null
}

/** An answer, or null where the host crashed before it answered. */
export interface RefundAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly workflow: KnownWorkflow
}

/** The body and key of a refund, repeated unchanged. */
export interface KnownRefund extends KeyedBody {
  readonly original: string
}

/** A till that sells, and refunds three pieces in cash. */
export class RefundTill {
  private readonly line: TillLine
  private readonly label: string

  constructor(baseUrl: string, shop: SeededShop, label: string) {
    this.line = new TillLine(baseUrl, shop)
    this.label = label
  }

  /** A receipt over three pieces, and its refund, not sent yet. */
  async sell(): Promise<KnownRefund> {
    const items = [{ name: "Свеска", unitOfMeasure: "ком", quantity: 3, unitPrice: 99.99, taxLabels: [this.label] }]
    const sale = { ...this.place(), invoiceType: "NORMAL", transactionType: "SALE", items, payments: [{ type: "CASH", amount: 299.97 }] }
    const answer = await this.line.call("POST", "/v1/fiscal-documents", { key: `sale-${randomUUID()}`, body: JSON.stringify(sale) })
    const { id } = await answer.json() as KnownDocument
    const refund = {
      ...this.place(),
      original: { source: "SVC", fiscalDocumentId: id },
      buyer: { id: "20:123456789" },
      items: items.map((item) => ({ ...item, originalLineIndex: 0 })),
      payments: [{ type: "CASH", amount: 299.97 }]
    }
    return { key: `refund-${randomUUID()}`, original: id, body: JSON.stringify(refund) }
  }

  /** Sends the refund once; null when there was no answer. */
  async refund(refund: KnownRefund): Promise<RefundAnswer | null> {
    try {
      const answer = await this.line.call("POST", "/v1/refund-workflows", refund)
      return { status: answer.status, retryAfter: answer.headers.get("retry-after"), workflow: await answer.json() as KnownWorkflow }
    } catch {
      return null
    }
  }

  /** What can still be given back of the sale's only line. */
  async left(original: string): Promise<number> {
    const answer = await this.line.call("GET", `/v1/fiscal-documents/${original}/refundable`)
    const { lines: [line] } = await answer.json() as { readonly lines: ReadonlyArray<{ readonly quantity: number }> }
    return line?.quantity ?? Number.NaN
  }

  private place() {
    return { ...this.line.place, clientReference: "crash", cashier: { id: "till" } }
  }
}
