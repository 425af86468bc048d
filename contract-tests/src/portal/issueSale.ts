import { randomUUID } from "node:crypto"
import { accessToken } from "../support/accessToken.ts"
import type { PortalStage } from "./portalStage.ts"

/** The facts a test sets in a sale; the rest has defaults. */
export interface SaleOf {
  readonly reference?: string
  readonly item?: string
  readonly quantity?: number
  readonly payment?: string
  readonly footer?: string
  readonly cashier?: string
}

const tokens = new WeakMap<PortalStage, Promise<string>>()

const tokenOf = (stage: PortalStage): Promise<string> => {
  const known = tokens.get(stage) ?? accessToken(stage.api, stage.shop)
  tokens.set(stage, known)
  return known
}

/** Calls the API as the shop; with a body it is a POST under a new key. */
export const callShop = async <Answer extends object>(stage: PortalStage, path: string, body?: object): Promise<Answer> => {
  const headers = { Authorization: `Bearer ${await tokenOf(stage)}`, "Content-Type": "application/json", "Idempotency-Key": randomUUID() }
  const answer = await fetch(stage.api.url + path, { method: body === undefined ? "GET" : "POST", headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const read = (await answer.json()) as Answer
  if (!answer.ok && answer.status !== 503) throw new Error(JSON.stringify(read))
  return read
}

/** Refunds the first line of a sale of `issueSale` completely. */
export const refundAll = async (stage: PortalStage, sale: { readonly id: string }, payment = "CARD"): Promise<{ readonly refundId: string }> => {
  const { lines: [line] } = await callShop<{ readonly lines: ReadonlyArray<{ readonly item: object; readonly amount: number }> }>(stage, `/v1/fiscal-documents/${sale.id}/refundable`)
  const { businessPremiseId, taxpayerId } = stage.shop
  const workflow = await callShop<{ readonly refund: { readonly id: string } }>(stage, "/v1/refund-workflows", {
    taxpayerId,
    businessPremiseId,
    clientReference: "order-1",
    original: { source: "SVC", fiscalDocumentId: sale.id },
    cashier: { id: "web-shop" },
    buyer: { id: "11:0101990710009" },
    items: [line?.item],
    payments: [{ type: payment, amount: line?.amount }]
  })
  return { refundId: workflow.refund.id }
}

/** Issues a proforma of one book through the API. */
export const issueProforma = async (stage: PortalStage, clientReference: string): Promise<string> => {
  const { businessPremiseId, taxpayerId } = stage.shop
  const { document } = await callShop<{ readonly document: { readonly id: string } }>(stage, "/v1/proforma-training-workflows", {
    taxpayerId, businessPremiseId, clientReference, invoiceType: "PROFORMA", transactionType: "SALE", cashier: { id: "web-shop" },
    items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 1, unitPrice: 10, taxLabels: ["A"] }], payments: [{ type: "OTHER", amount: 10 }]
  })
  return document.id
}

/** Issues a sale through the API, as the shop does. */
export const issueSale = async (stage: PortalStage, sale: SaleOf = {}): Promise<{ readonly id: string; readonly number: string; readonly status: string }> => {
  const { cashier = "web-shop", footer, item = "Мешена књига", payment = "CARD", quantity = 3, reference = "order-1" } = sale
  const { businessPremiseId, taxpayerId } = stage.shop
  const document = await callShop<{ readonly id: string; readonly status: string; readonly pfr: { readonly invoiceNumber: string } | null }>(stage, "/v1/fiscal-documents", {
    taxpayerId,
    businessPremiseId,
    clientReference: reference,
    invoiceType: "NORMAL",
    transactionType: "SALE",
    cashier: { id: cashier },
    ...(footer === undefined ? {} : { commercialFooter: footer }),
    items: [{ name: item, unitOfMeasure: "ком", quantity, unitPrice: 1250.5, taxLabels: ["A"] }],
    payments: [{ type: payment, amount: quantity * 1250.5 }]
  })
  return { id: document.id, status: document.status, number: document.pfr?.invoiceNumber ?? "" }
}
