import { Effect, Schema } from "effect"
import type { SandboxAddresses } from "./SandboxFile.ts"
import { SandboxProblem } from "./SandboxProblem.ts"
import type { SeededShop } from "./seed/SeededSandbox.ts"

const Token = Schema.Struct({ access_token: Schema.String })
const Rates = Schema.Struct({ labels: Schema.Array(Schema.Struct({ label: Schema.String, category: Schema.String, rate: Schema.Finite })) })

const ask = <A, I>(url: string, init: RequestInit, schema: Schema.Codec<A, I>) =>
  Effect.tryPromise({
    try: async () => {
      const answer = await fetch(url, init)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${answer.status} ${text}`)
      return JSON.parse(text) as unknown
    },
    catch: (cause) => new SandboxProblem({ line: `the sandbox does not answer as it should: ${url}: ${(cause as Error).message}` })
  }).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(schema)),
    Effect.catchTag("SchemaError", (error) =>
      Effect.fail(new SandboxProblem({ line: `the sandbox does not answer as it should: ${url}: ${error.message}` })))
  )

const form = (shop: SeededShop): string =>
  new URLSearchParams({ grant_type: "client_credentials", client_id: shop.clientId, client_secret: shop.clientSecret }).toString()

/**
 * Gets a token and the tax rates as a shop would. This proves that the V-PFR can be reached before the sandbox reports that it is ready, and finds a
 * label for a first receipt.
 */
export const currentLabel = Effect.fn("currentLabel")(function*(addresses: SandboxAddresses, shop: SeededShop) {
  const formHeaders = { "Content-Type": "application/x-www-form-urlencoded" }
  const token = yield* ask(addresses.authUrl, { method: "POST", headers: formHeaders, body: form(shop) }, Token)
  const query = new URLSearchParams({ taxpayerId: shop.taxpayerId, businessPremiseId: shop.businessPremiseId })
  const authorization = { Authorization: `Bearer ${token.access_token}` }
  const rates = yield* ask(`${addresses.baseUrl}/v1/tax-rates?${query.toString()}`, { headers: authorization }, Rates)
  const vat = rates.labels.find(({ category, rate }) => category === "VAT" && rate > 0)
  return (vat ?? rates.labels[0])?.label ?? ""
})

const sale = (shop: SeededShop, label: string) => ({
  taxpayerId: shop.taxpayerId,
  businessPremiseId: shop.businessPremiseId,
  clientReference: "first-order",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "web-shop" },
  items: [{ name: "Мешена књига", unitOfMeasure: "ком", quantity: 2, unitPrice: 1250.5, taxLabels: [label] }],
  payments: [{ type: "CARD", amount: 2501 }]
})

/** One command to paste: it gets the token itself, makes a new key, issues a receipt and prints the document. */
export const firstReceiptCommand = (addresses: SandboxAddresses, shop: SeededShop, label: string): string =>
  [
    `curl -sS ${addresses.baseUrl}/v1/fiscal-documents \\`,
    `  -H "Authorization: Bearer $(curl -sS ${addresses.authUrl} \\`,
    `      -d '${form(shop)}' \\`,
    `      | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -H "Idempotency-Key: first-receipt-$(date +%s)-$$-$RANDOM" \\`,
    `  -d '${JSON.stringify(sale(shop, label))}'`
  ].join("\n")
