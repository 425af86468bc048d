import { randomUUID } from "node:crypto"
import type { PortalStage } from "./portalStage.ts"

/** What a test says about a sale; the rest is usual. */
export interface SaleOf {
  readonly reference?: string
  readonly item?: string
  readonly quantity?: number
  readonly payment?: string
  readonly footer?: string
  readonly cashier?: string
}

const tokens = new WeakMap<PortalStage, Promise<string>>()

const newToken = async ({ api, shop }: PortalStage): Promise<string> => {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: shop.clientId, client_secret: shop.clientSecret })
  const answer = await fetch(api.authUrl, { method: "POST", body })
  return ((await answer.json()) as { readonly access_token: string }).access_token
}

const tokenOf = (stage: PortalStage): Promise<string> => {
  const known = tokens.get(stage) ?? newToken(stage)
  tokens.set(stage, known)
  return known
}

/** Issues a sale through the API, as the shop does. */
export const issueSale = async (stage: PortalStage, sale: SaleOf = {}): Promise<{ readonly id: string; readonly number: string; readonly status: string }> => {
  const { cashier = "web-shop", footer, item = "Мешена књига", payment = "CARD", quantity = 3, reference = "order-1" } = sale
  const { businessPremiseId, taxpayerId } = stage.shop
  const answer = await fetch(`${stage.api.url}/v1/fiscal-documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${await tokenOf(stage)}`, "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
    body: JSON.stringify({
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
  })
  const document = (await answer.json()) as { readonly id: string; readonly status: string; readonly pfr: { readonly invoiceNumber: string } | null }
  if (document.id === undefined) throw new Error(JSON.stringify(document))
  return { id: document.id, status: document.status, number: document.pfr?.invoiceNumber ?? "" }
}
