import type { SeededShop } from "@overa/sandbox"
import { accessToken } from "../../src/support/accessToken.ts"

/** The facts about the host that attackers and victims need; plain data, because it is sent to another process. */
export interface Ground {
  readonly url: string
  readonly portalUrl: string
  readonly shop: SeededShop
  readonly label: string
}

/** An access token of the shop's credential. */
export const tokenOf = ({ shop, url }: Pick<Ground, "shop" | "url">): Promise<string> => accessToken({ authUrl: `${url}/oauth/token` }, shop)

/** A sale with this many items whose names have this many letters. */
export const saleOf = ({ label, shop }: Pick<Ground, "label" | "shop">, items = 1, letters = 10): string =>
  JSON.stringify({
    taxpayerId: shop.taxpayerId,
    businessPremiseId: shop.businessPremiseId,
    clientReference: "order",
    invoiceType: "NORMAL",
    transactionType: "SALE",
    cashier: { id: "web" },
    items: Array.from({ length: items }, (_, index) => ({
      name: `${index} `.padEnd(letters, "ж"),
      unitOfMeasure: "ком",
      quantity: 1,
      unitPrice: 10,
      taxLabels: [label]
    })),
    payments: [{ type: "CARD", amount: items * 10 }]
  })

export interface Answered {
  readonly status: number
  readonly text: string
}

/** One request to the API; with a body, a mutation under a key of its own. */
export const ask = async (url: string, token: string, path: string, body?: string): Promise<Answered> => {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json", "idempotency-key": crypto.randomUUID() })
  }
  const answer = await fetch(url + path, body === undefined ? { headers } : { method: "POST", headers, body })
  return { status: answer.status, text: await answer.text() }
}

/** Starts this many workers, each of which repeats the work until the signal, whatever its result. */
export const keepDoing = async (workers: number, until: AbortSignal, work: () => Promise<unknown>): Promise<void> => {
  const one = async () => {
    while (!until.aborted) await work().catch(() => new Promise((resolve) => setTimeout(resolve, 20)))
  }
  await Promise.all(Array.from({ length: workers }, one))
}
