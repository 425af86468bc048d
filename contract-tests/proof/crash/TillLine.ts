import type { SeededShop } from "@overa/sandbox"

/** A request under a key, repeated unchanged. */
export interface KeyedBody {
  readonly key: string
  readonly body: string
}

/** A shop's connection to one host: a token for each request, and a time-out longer than the host's. */
export class TillLine {
  private readonly baseUrl: string
  readonly shop: SeededShop

  constructor(baseUrl: string, shop: SeededShop) {
    this.baseUrl = baseUrl
    this.shop = shop
  }

  get place() {
    const { businessPremiseId, taxpayerId } = this.shop
    return { taxpayerId, businessPremiseId }
  }

  async call(method: string, path: string, sent?: KeyedBody): Promise<Response> {
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
