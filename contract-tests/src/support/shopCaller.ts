import type { RunningRestApi } from "@overa/rest-api"
import { accessToken } from "./accessToken.ts"
import type { Shop } from "./openShop.ts"

/** A sale of one book, paid by card. */
export const bookSale = ({ businessPremiseId, taxpayerId }: Pick<Shop, "businessPremiseId" | "taxpayerId">, clientReference: string, unitPrice = 100) => ({
  taxpayerId,
  businessPremiseId,
  clientReference,
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "web" },
  items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 1, unitPrice, taxLabels: ["A"] }],
  payments: [{ type: "CARD", amount: unitPrice }]
})

export interface ShopAnswer {
  readonly status: number
  // The cases read deep into answers of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
  /** The header `Idempotency-Replayed`. */
  readonly replayed: string | null
}

export type ShopCaller = (method: string, path: string, headers?: Readonly<Record<string, string>>, body?: unknown) => Promise<ShopAnswer>

/** Calls the API as the shop, with one token for all calls. */
export const shopCaller = async ({ api, shop }: { readonly api: RunningRestApi; readonly shop: Shop }): Promise<ShopCaller> => {
  const token = await accessToken(api, shop)
  return async (method, path, headers = {}, body) => {
    const answer = await fetch(`${api.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: answer.status, json: await answer.json(), replayed: answer.headers.get("Idempotency-Replayed") }
  }
}
