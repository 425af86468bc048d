import { callShop, issueSale, refundAll } from "./issueSale.ts"
import type { PortalStage } from "./portalStage.ts"

/** This month in Belgrade, `2026-11`. */
export const thisMonth = (): string => new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Belgrade", year: "numeric", month: "2-digit" }).format(new Date())

/** The address of a page or file of this month. */
export const monthAddress = (stage: PortalStage, path: string, more = ""): string => `${path}?taxpayer=${stage.shop.taxpayerId}&month=${thisMonth()}${more}`

const takeAdvance = async (stage: PortalStage, clientReference: string): Promise<string> => {
  const { businessPremiseId, taxpayerId } = stage.shop
  const { id } = await callShop<{ readonly id: string }>(stage, "/v1/advance-cases", { taxpayerId, businessPremiseId, clientReference, buyer: { id: "20:123456789" } })
  await callShop(stage, `/v1/advance-cases/${id}/payments`, {
    cashier: { id: "web-shop" },
    items: [{ name: "10: Аванс (A)", quantity: 1, unitPrice: 500, taxLabels: ["A"] }],
    payments: [{ type: "CARD", amount: 500 }]
  })
  return id
}

/** A month with sales, a refund, a copy of it, an advance that is open, and one that was closed. */
export const fillMonth = async (stage: PortalStage): Promise<void> => {
  await issueSale(stage, { quantity: 7, reference: "=1+1" })
  await refundAll(stage, await issueSale(stage, { quantity: 3, payment: "CASH" }))
  await takeAdvance(stage, "advance-1")
  await callShop(stage, `/v1/advance-cases/${await takeAdvance(stage, "advance-2")}/closing`, {
    cashier: { id: "web-shop" },
    items: [{ name: "Сто", unitOfMeasure: "ком", quantity: 1, unitPrice: 900, taxLabels: ["A"] }],
    remainingPayments: [{ type: "CASH", amount: 400 }]
  })
}

/** The workbook of this month as an accountant downloads it. */
export const downloadBook = async (stage: PortalStage): Promise<{ readonly bytes: Uint8Array; readonly disposition: string }> => {
  const cookie = `overa-session=${await stage.session(stage.people.ACCOUNTANT)}`
  const answer = await fetch(stage.portal.url + monthAddress(stage, "/books/xlsx", "&headings=sr-Latn"), { headers: { cookie } })
  if (answer.status !== 200) throw new Error(`the workbook was answered with ${answer.status}`)
  return { disposition: answer.headers.get("content-disposition") ?? "", bytes: new Uint8Array(await answer.arrayBuffer()) }
}

/** The sum of what the V-PFR signed: Normal and Advance receipts, refunds taken off. */
export const signedTurnover = `select sum(case transaction_type when 'REFUND' then -signed_total else signed_total end)::text as total from operations
  where organization_id = $1 and status = 'FISCALIZED' and invoice_type in ('NORMAL', 'ADVANCE')`
