import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import type { SeededShop } from "@overa/sandbox"

/** A sale as the shop knows it: its key, its body, and the last answer it saw. */
export interface KnownSale {
  readonly key: string
  readonly body: string
  status: string | null
  invoiceNumber: string | null
}

/** A shop's till: keeps each sale's key and body, and repeats the same request until it knows the outcome. */
export class Till {
  readonly sales: Array<KnownSale> = []
  private readonly shop: SeededShop
  private readonly baseUrl: string
  private readonly label: string
  private readonly amountsDiffer: boolean
  private token: Promise<string> | null = null

  /** `amountsDiffer`: every sale has another amount, so that each receipt of the V-PFR can be assigned to its sale. */
  constructor(baseUrl: string, shop: SeededShop, label: string, options: { readonly amountsDiffer?: boolean } = {}) {
    this.amountsDiffer = options.amountsDiffer ?? false
    this.baseUrl = baseUrl
    this.shop = shop
    this.label = label
  }

  newSale(): KnownSale {
    const key = `sale-${randomUUID()}`
    const own = Number((100 + this.sales.length / 100).toFixed(2))
    const [quantity, unitPrice, total] = this.amountsDiffer ? [1, own, own] : [3, 99.99, 299.97]
    const body = JSON.stringify({
      taxpayerId: this.shop.taxpayerId,
      businessPremiseId: this.shop.businessPremiseId,
      clientReference: key,
      invoiceType: "NORMAL",
      transactionType: "SALE",
      cashier: { id: "till" },
      items: [{ name: "Свеска", unitOfMeasure: "ком", quantity, unitPrice, taxLabels: [this.label] }],
      payments: [{ type: "CARD", amount: total }]
    })
    const sale: KnownSale = { key, body, status: null, invoiceNumber: null }
    this.sales.push(sale)
    return sale
  }

  /** Sends the sale once; a failure leaves its known state unchanged. Answers the response's own text. */
  async send(sale: KnownSale): Promise<string | null> {
    try {
      const answer = await fetch(`${this.baseUrl}/v1/fiscal-documents`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${await this.freshToken()}`,
          "Content-Type": "application/json",
          "Idempotency-Key": sale.key
        },
        body: sale.body,
        signal: AbortSignal.timeout(60_000)
      })
      const text = await answer.text()
      if (answer.status === 401) this.token = null
      const document = JSON.parse(text) as { readonly status?: string; readonly pfr?: { readonly invoiceNumber: string } | null }
      if (document.status === undefined) return text
      sale.status = document.status
      sale.invoiceNumber = document.pfr?.invoiceNumber ?? null
      return text
    } catch {
      return null
    }
  }

  /** Sells until told to stop, repeating a sale without a final answer; a sale that has none at the stop stays open. */
  async sellUntil(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const sale = this.newSale()
      while (!stop.aborted && sale.status !== "FISCALIZED" && sale.status !== "OUTCOME_UNKNOWN") {
        await this.send(sale)
        if (sale.status !== "FISCALIZED") await pause(50)
      }
    }
  }

  /** The sales whose outcome the shop does not know yet. */
  get open(): ReadonlyArray<KnownSale> {
    return this.sales.filter(({ status }) => status !== "FISCALIZED")
  }

  /** One request for a token at a time, however many sales run at once. */
  private freshToken(): Promise<string> {
    this.token ??= this.requestToken().catch((error: unknown) => {
      this.token = null
      throw error
    })
    return this.token
  }

  private async requestToken(): Promise<string> {
    const form = { grant_type: "client_credentials", client_id: this.shop.clientId, client_secret: this.shop.clientSecret }
    const answer = await fetch(`${this.baseUrl}/oauth/token`, { method: "POST", body: new URLSearchParams(form) })
    if (!answer.ok) throw new Error(`no token: ${answer.status} ${await answer.text()}`)
    const { access_token: token } = await answer.json() as { readonly access_token: string }
    // Well before its end, so that no sale meets an expired one.
    setTimeout(() => {
      this.token = null
    }, 120_000).unref()
    return token
  }
}
