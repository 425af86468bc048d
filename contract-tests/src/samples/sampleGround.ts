import { type Operation, operations } from "@overa/rest-api"
import { randomInt, randomUUID } from "node:crypto"
import { type ApiClient, newKey } from "../support/ApiClient.ts"
import type { ClientCredential } from "../http/ApiTarget.ts"

/** What a published sample needs to be run at a deployment: the caller's own values, in the environment and in the text. */
export interface SampleRun {
  readonly environment: Readonly<Record<string, string>>
  readonly source: string
}

const operationOf = (id: string): Operation => {
  const found = operations.find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`There is no operation ${id}`)
  return found
}

/** A text inside the example body of an operation. */
const exampleOf = (id: string, name: string): string => {
  const found = [...JSON.stringify(operationOf(id).body?.example).matchAll(new RegExp(`"${name}":"([^"]+)"`, "g"))].map(([, value = ""]) => value)
  const [first] = found
  if (first === undefined) throw new Error(`The example of ${id} has no ${name}`)
  return first
}

/** Objects of a deployment that the samples are about, made by the contract's own examples. */
export class SampleGround {
  private readonly api: ApiClient
  /** An environment has a limited number of endpoints: one is enough for all samples about one. */
  private endpoint: Promise<{ readonly id: string }> | null = null

  constructor(api: ApiClient) {
    this.api = api
  }

  /** The sample with this deployment's ids and label, and the values that it reads from the environment. */
  async prepare(operation: Operation, source: string): Promise<SampleRun> {
    const made = await this.objectsOf(operation)
    const credential = this.credentialOf(operation)
    return {
      environment: {
        OVERA_URL: this.api.target.baseUrl, OVERA_AUTH_URL: this.api.target.authUrl, OVERA_TOKEN: await this.api.token(credential),
        OVERA_CLIENT_ID: credential.clientId, OVERA_CLIENT_SECRET: credential.clientSecret,
        TAXPAYER_ID: this.api.target.taxpayerId, BUSINESS_PREMISE_ID: this.api.target.businessPremiseId, FROM: "1", TO: "1", ...made
      },
      source: this.filled(source, made)
    }
  }

  private credentialOf({ scope }: Operation): ClientCredential {
    if (scope === "credentials:manage" && this.api.target.management !== undefined) return this.api.target.management
    return scope === "webhooks:manage" ? this.api.target.webhooks.sandbox : this.api.target
  }

  /** The contract's example with ids of this deployment; values that must be new each time are new. */
  private filled(text: string, known: Readonly<Record<string, string>> = {}): string {
    const { businessPremiseId, labels, taxpayerId } = this.api.target
    const made = { FISCAL_DOCUMENT_ID: exampleOf("refundSale", "fiscalDocumentId"), ADVANCE_SALE_ID: exampleOf("cancelAdvanceSale", "advanceSaleId"), ...known }
    const own: ReadonlyArray<readonly [string, string]> = [
      [exampleOf("refundSale", "fiscalDocumentId"), made.FISCAL_DOCUMENT_ID],
      [exampleOf("cancelAdvanceSale", "advanceSaleId"), made.ADVANCE_SALE_ID],
      [exampleOf("issueFiscalDocument", "taxpayerId"), taxpayerId],
      [exampleOf("issueFiscalDocument", "businessPremiseId"), businessPremiseId],
      [exampleOf("createWebhookEndpoint", "url"), `https://shop.example/${randomUUID()}`],
      [exampleOf("createProduct", "sku"), randomUUID().slice(0, 18)],
      [exampleOf("registerTaxpayer", "taxIdentifier"), String(randomInt(100_000_000, 999_999_999))],
      ["order-2026-000123-sale", newKey()], ["\"Ђ\"", `"${labels.sandbox}"`], ["(Ђ)", `(${labels.sandbox})`]
    ]
    return own.reduce((before, [from, to]) => before.replaceAll(from, to), text)
  }

  /** What the operation's own path names. */
  private async objectsOf({ id, path }: Operation): Promise<Readonly<Record<string, string>>> {
    if (path.startsWith("/v1/advance-cases/{")) return this.advanceCase(id)
    if (path.includes("{webhookEndpointId}")) return { WEBHOOK_ENDPOINT_ID: (await (this.endpoint ??= this.make("createWebhookEndpoint"))).id }
    if (path.includes("{clientId}")) return { CLIENT_ID: (await this.make("issueCredential")).clientId }
    if (path.includes("{productId}")) return { PRODUCT_ID: (await this.make("createProduct")).id }
    if (path.includes("{workflowId}")) return { WORKFLOW_ID: (await this.make("issueProformaTraining")).id }
    const document: string = (await this.make("issueFiscalDocument")).id
    const about = { FISCAL_DOCUMENT_ID: document, OPERATION_ID: document }
    if (path.includes("{refundWorkflowId}")) return { REFUND_WORKFLOW_ID: (await this.make("refundSale", about)).id }
    if (path.includes("{receiptDeliveryId}")) return { RECEIPT_DELIVERY_ID: (await this.make("deliverReceipt", about)).id }
    return about
  }

  private async advanceCase(id: string): Promise<Readonly<Record<string, string>>> {
    const opened = await this.make("openAdvanceCase")
    if (id === "readAdvanceCase" || id === "addAdvancePayment") return { ADVANCE_CASE_ID: opened.id }
    const paid = await this.make("addAdvancePayment", {}, opened.id)
    return { ADVANCE_CASE_ID: opened.id, ADVANCE_SALE_ID: paid.current.id }
  }

  private async make(id: string, made: Readonly<Record<string, string>> = {}, parent = "") {
    const operation = operationOf(id)
    const answer = await this.api.send({
      method: operation.method, path: operation.path.replace(/\{\w+\}/, parent), token: await this.api.token(this.credentialOf(operation)),
      body: this.filled(JSON.stringify(operation.body?.example), made), ...(operation.idempotent ? { key: newKey() } : {})
    })
    if (answer.status !== 201) throw new Error(`${id} is answered ${answer.status}: ${answer.text}`)
    return answer.json
  }
}
