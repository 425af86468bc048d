import { parse } from "yaml"
import { sampleRefund } from "../http/sampleRefund.ts"
import { sampleSale } from "../http/sampleSale.ts"
import type { ApiTarget } from "../http/ApiTarget.ts"
import { ApiClient } from "../support/ApiClient.ts"

/** The parts of `/openapi.yaml` that the checks read. */
export interface OpenApi {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface DeclaredOperation {
  readonly security?: ReadonlyArray<{ readonly clientCredentials?: ReadonlyArray<string> }>
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly required?: boolean }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

export interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: ReadonlyArray<string>
  readonly enum?: ReadonlyArray<string>
}

// The samples are answers, which the contract checker has checked already.
// oxlint-disable-next-line typescript/no-explicit-any
type Answered = any

/** A running service as its contract shows it, and one answer of each kind from it. */
export interface World {
  readonly api: ApiClient
  readonly contract: OpenApi
  readonly text: string
  readonly sale: Answered
  readonly refund: Answered
  readonly product: Answered
  readonly premise: Answered
  readonly rates: Answered
  readonly runtime: Answered
  readonly token: Answered
}

/** Drives the service for one answer of each kind. */
export const openWorld = async (target: ApiTarget): Promise<World> => {
  const text = await (await fetch(`${target.baseUrl}/openapi.yaml`)).text()
  const api = await ApiClient.of(target)
  const sale = (await api.post("/v1/fiscal-documents", { ...sampleSale(target), buyer: { id: "20:123456789" } })).json
  const { businessPremiseId, taxpayerId } = target
  const product = { taxpayerId, sku: `sentence-${sale.id}`, gtin: "8600000000015", name: "Хлеб", unitOfMeasure: "ком", grossUnitPrice: 1, taxLabels: ["Ђ"] }
  const granted = await fetch(target.authUrl, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id: target.clientId, client_secret: target.clientSecret })
  })
  return {
    api,
    contract: parse(text) as OpenApi,
    text,
    sale,
    refund: (await api.post("/v1/refund-workflows", sampleRefund(target, sale.id, { type: "CASH" }))).json,
    product: (await api.post("/v1/products", product)).json,
    premise: (await api.get(`/v1/taxpayers/${taxpayerId}/business-premises`)).json.items[0],
    rates: (await api.get(`/v1/tax-rates?taxpayerId=${taxpayerId}&businessPremiseId=${businessPremiseId}`)).json,
    runtime: (await api.get("/v1/runtime")).json,
    token: await granted.json()
  }
}
