import { randomUUID } from "node:crypto"
import type { SeededShop } from "@overa/sandbox"
import type { KnownDocument } from "./RefundTill.ts"
import { type KeyedBody, TillLine } from "./TillLine.ts"

const path = "/v1/proforma-training-workflows"

/** A proforma or training workflow as answered to the shop, or a refusal with the workflow that has the source. */
export interface OfferAnswer {
  readonly status: number
  readonly id: string
  readonly state: string | null
  readonly code: string | null
  /** Of a refusal: the workflow that has the source. */
  readonly workflowId: string | null
  readonly document: KnownDocument | null
}

/** A till that issues proforma and training documents, and refunds them. */
export class OfferTill {
  private readonly line: TillLine
  private readonly label: string

  constructor(baseUrl: string, shop: SeededShop, label: string) {
    this.line = new TillLine(baseUrl, shop)
    this.label = label
  }

  sale(invoiceType: "PROFORMA" | "TRAINING"): KeyedBody {
    return this.request({ ...this.said(invoiceType), transactionType: "SALE" })
  }

  refund(invoiceType: "PROFORMA" | "TRAINING", fiscalDocumentId: string): KeyedBody {
    const reference = { source: "SVC", fiscalDocumentId }
    return this.request({ ...this.said(invoiceType), transactionType: "REFUND", buyer: { id: "20:123456789" }, reference })
  }

  /** Sends a request once; null when there was no answer. */
  async send(request: KeyedBody): Promise<OfferAnswer | null> {
    try {
      return await answerOf(await this.line.call("POST", path, request))
    } catch {
      return null
    }
  }

  async read(id: string): Promise<OfferAnswer> {
    return answerOf(await this.line.call("GET", `${path}/${id}`))
  }

  private said(invoiceType: string) {
    const items = [["Сто", 1, 900], ["Столица", 4, 75.5]].map(([name, quantity, unitPrice]) => ({ name, unitOfMeasure: "ком", quantity, unitPrice, taxLabels: [this.label] }))
    return { ...this.line.place, clientReference: "offer", invoiceType, cashier: { id: "till" }, items, payments: [{ type: "OTHER", amount: 1202 }] }
  }

  private request(body: object): KeyedBody {
    return { key: `offer-${randomUUID()}`, body: JSON.stringify(body) }
  }
}

interface OfferBody {
  readonly id?: string
  readonly status?: string
  readonly code?: string
  readonly workflowId?: string
  readonly document?: KnownDocument
}

const answerOf = async (answer: Response): Promise<OfferAnswer> => {
  const { code = null, document = null, id = "", status: state = null, workflowId = null } = await answer.json() as OfferBody
  return { status: answer.status, id, state, code, workflowId, document }
}
