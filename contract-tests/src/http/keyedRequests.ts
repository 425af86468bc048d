import { randomUUID } from "node:crypto"
import { type ApiAnswer, type ApiClient, newKey } from "../support/ApiClient.ts"
import type { ApiTarget } from "./ApiTarget.ts"
import { advancePath, sampleCancellation, sampleCase, sampleClosing, samplePayment } from "./sampleAdvance.ts"
import { sampleRefund } from "./sampleRefund.ts"
import { sampleSale } from "./sampleSale.ts"

/** A request that carries an Idempotency-Key, without the key. */
export interface KeyedRequest {
  readonly path: string
  readonly body: object
}

/** A kind of request that carries an Idempotency-Key. */
export interface KeyedKind {
  readonly name: string
  /** The declared operation that takes it. */
  readonly operation: string
  /** A request that succeeds; what it needs is issued first, under other keys. */
  readonly prepare: (api: ApiClient) => Promise<KeyedRequest>
  /** A request of the right shape whose identifiers do not exist. */
  readonly ofNothing: (target: ApiTarget) => KeyedRequest
  /** The holder of the key in the answer to a success: what a 409 names as `operationId`. */
  readonly holder: (json: ApiAnswer["json"]) => string
}

const sales = "/v1/fiscal-documents"
const proformaTraining = "/v1/proforma-training-workflows"
const cashier = { id: "web" }
const external = { source: "EXTERNAL", pfrNumber: "ABCD1234-ABCD1234-15", pfrTime: "2026-01-05T10:00:00+01:00", invoiceType: "NORMAL", transactionType: "SALE" }
const buyer = { id: "20:123456789" }

const succeeded = async (api: ApiClient, { body, path }: KeyedRequest): Promise<ApiAnswer["json"]> => {
  const answer = await api.post(path, body, { key: newKey() })
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.json
}

const sold = async (api: ApiClient): Promise<string> => (await succeeded(api, { path: sales, body: sampleSale(api.target) })).id
const opened = async (api: ApiClient): Promise<string> => (await succeeded(api, { path: advancePath, body: sampleCase(api.target) })).id
const paid = async (api: ApiClient) => {
  const id = await opened(api)
  const { current } = await succeeded(api, { path: `${advancePath}/${id}/payments`, body: samplePayment(api.target, 100) })
  return { id, saleId: current.id as string }
}

const proforma = (target: ApiTarget) => ({ ...sampleSale(target), invoiceType: "PROFORMA" })
const proformaRefund = (target: ApiTarget, source: string) => ({
  ...proforma(target),
  transactionType: "REFUND",
  buyer,
  reference: { source: "SVC", fiscalDocumentId: source }
})
const delivery = (fiscalDocumentId: string) => ({ fiscalDocumentId, recipient: `kupac-${randomUUID()}@example.rs` })
const placeless = (target: ApiTarget): ApiTarget => ({ ...target, taxpayerId: randomUUID(), businessPremiseId: randomUUID() })

/** Every kind of request that carries an Idempotency-Key. Source: Spec, Limits. */
export const keyedKinds: ReadonlyArray<KeyedKind> = [
  {
    name: "a sale",
    operation: "issueFiscalDocument",
    prepare: (api) => Promise.resolve({ path: sales, body: sampleSale(api.target) }),
    ofNothing: (target) => ({ path: sales, body: sampleSale(placeless(target)) }),
    holder: (json) => json.id
  },
  {
    name: "a copy of an external document",
    operation: "issueFiscalDocument",
    prepare: (api) => Promise.resolve({ path: sales, body: { ...sampleSale(api.target), invoiceType: "COPY", reference: external } }),
    ofNothing: (target) => ({ path: sales, body: { ...sampleSale(placeless(target)), invoiceType: "COPY", reference: external } }),
    holder: (json) => json.id
  },
  {
    name: "a copy",
    operation: "issueCopy",
    prepare: async (api) => ({ path: `${sales}/${await sold(api)}/copies`, body: { cashier } }),
    ofNothing: () => ({ path: `${sales}/${randomUUID()}/copies`, body: { cashier } }),
    holder: (json) => json.id
  },
  {
    name: "a refund",
    operation: "refundSale",
    prepare: async (api) => ({ path: "/v1/refund-workflows", body: sampleRefund(api.target, await sold(api)) }),
    ofNothing: (target) => ({ path: "/v1/refund-workflows", body: sampleRefund(placeless(target), randomUUID()) }),
    holder: (json) => json.refund.id
  },
  {
    name: "opening a case",
    operation: "openAdvanceCase",
    prepare: (api) => Promise.resolve({ path: advancePath, body: sampleCase(api.target) }),
    ofNothing: (target) => ({ path: advancePath, body: sampleCase(placeless(target)) }),
    holder: (json) => json.id
  },
  {
    name: "a payment in advance",
    operation: "addAdvancePayment",
    prepare: async (api) => ({ path: `${advancePath}/${await opened(api)}/payments`, body: samplePayment(api.target, 100) }),
    ofNothing: (target) => ({ path: `${advancePath}/${randomUUID()}/payments`, body: samplePayment(target, 100) }),
    holder: (json) => json.current.id
  },
  {
    name: "a cancellation",
    operation: "cancelAdvanceSale",
    prepare: async (api) => {
      const { id, saleId } = await paid(api)
      return { path: `${advancePath}/${id}/cancellations`, body: sampleCancellation(saleId) }
    },
    ofNothing: () => ({ path: `${advancePath}/${randomUUID()}/cancellations`, body: sampleCancellation(randomUUID()) }),
    holder: (json) => json.current.id
  },
  {
    name: "a closing",
    operation: "closeAdvanceCase",
    prepare: async (api) => ({ path: `${advancePath}/${(await paid(api)).id}/closing`, body: sampleClosing(api.target, 150, 50) }),
    ofNothing: (target) => ({ path: `${advancePath}/${randomUUID()}/closing`, body: sampleClosing(target, 150, 50) }),
    holder: (json) => json.finalSale.id
  },
  {
    name: "a proforma",
    operation: "issueProformaTraining",
    prepare: (api) => Promise.resolve({ path: proformaTraining, body: proforma(api.target) }),
    ofNothing: (target) => ({ path: proformaTraining, body: proforma(placeless(target)) }),
    holder: (json) => json.document.id
  },
  {
    name: "a refund of a proforma",
    operation: "issueProformaTraining",
    prepare: async (api) => {
      const source = await succeeded(api, { path: proformaTraining, body: proforma(api.target) })
      return { path: proformaTraining, body: proformaRefund(api.target, source.document.id) }
    },
    ofNothing: (target) => ({ path: proformaTraining, body: proformaRefund(placeless(target), randomUUID()) }),
    holder: (json) => json.document.id
  },
  {
    name: "a delivery",
    operation: "deliverReceipt",
    prepare: async (api) => ({ path: "/v1/receipt-deliveries", body: delivery(await sold(api)) }),
    ofNothing: () => ({ path: "/v1/receipt-deliveries", body: delivery(randomUUID()) }),
    holder: (json) => json.id
  }
]
