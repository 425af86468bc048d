import { randomUUID } from "node:crypto"
import type { SeededShop } from "@overa/sandbox"

/** A document as far as the comparison needs it. */
export interface KnownDocument {
  readonly id: string
  readonly status: string
  readonly pfr: { readonly invoiceNumber: string } | null
}

/** A refund workflow as the shop was answered it. */
export interface KnownWorkflow {
  readonly id: string
  readonly status: string
  readonly refund: KnownDocument
  readonly cashRefundCopy: KnownDocument | null
}

/** An answer, or null where the host died before it gave one. */
export interface RefundAnswer {
  readonly status: number
  readonly retryAfter: string | null
  readonly workflow: KnownWorkflow
}

/** The body and key of a refund, repeated as they are. */
export interface KnownRefund {
  readonly key: string
  readonly original: string
  readonly body: string
}

/** A till that sells, and gives three pieces back in cash. */
export class RefundTill {
  private readonly baseUrl: string
  private readonly shop: SeededShop
  private readonly label: string

  constructor(baseUrl: string, shop: SeededShop, label: string) {
    this.baseUrl = baseUrl
    this.shop = shop
    this.label = label
  }

  /** A receipt over three pieces, and its refund, not sent yet. */
  async sell(): Promise<KnownRefund> {
    const items = [{ name: "Свеска", unitOfMeasure: "ком", quantity: 3, unitPrice: 99.99, taxLabels: [this.label] }]
    const sale = { ...this.place(), invoiceType: "NORMAL", transactionType: "SALE", items, payments: [{ type: "CASH", amount: 299.97 }] }
    const answer = await this.call("POST", "/v1/fiscal-documents", { key: `sale-${randomUUID()}`, body: JSON.stringify(sale) })
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

  /** Sends the refund once; null when nobody answered. */
  async refund(refund: KnownRefund): Promise<RefundAnswer | null> {
    try {
      const answer = await this.call("POST", "/v1/refund-workflows", refund)
      return { status: answer.status, retryAfter: answer.headers.get("retry-after"), workflow: await answer.json() as KnownWorkflow }
    } catch {
      return null
    }
  }

  /** What can still be given back of the sale's only line. */
  async left(original: string): Promise<number> {
    const answer = await this.call("GET", `/v1/fiscal-documents/${original}/refundable`)
    const { lines: [line] } = await answer.json() as { readonly lines: ReadonlyArray<{ readonly quantity: number }> }
    return line?.quantity ?? Number.NaN
  }

  private place() {
    const { businessPremiseId, taxpayerId } = this.shop
    return { taxpayerId, businessPremiseId, clientReference: "crash", cashier: { id: "till" } }
  }

  private async call(method: string, path: string, sent?: { readonly key: string; readonly body: string }): Promise<Response> {
    const form = { grant_type: "client_credentials", client_id: this.shop.clientId, client_secret: this.shop.clientSecret }
    const granted = await fetch(`${this.baseUrl}/oauth/token`, { method: "POST", body: new URLSearchParams(form) })
    const { access_token: token } = await granted.json() as { readonly access_token: string }
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(sent === undefined ? {} : { "Content-Type": "application/json", "Idempotency-Key": sent.key })
      },
      ...(sent === undefined ? {} : { body: sent.body }),
      signal: AbortSignal.timeout(70_000)
    })
  }
}
