import { OveraClient } from "@overa/client"
import type { Settings } from "@overa/orders"
import { Channel, type TransactionalConnection } from "@vendure/core"
import { pairsOf, type Translation } from "./ShopOrder.ts"

/** A shop that is connected: what its administrators filled in at the default channel. */
export interface Shop extends Translation {
  readonly settings: Settings
  readonly client: OveraClient
  /** Orders whose first payment is older belong to whatever issued receipts before. */
  readonly since: Date
  readonly webhookSecrets: ReadonlyArray<string>
}

type Fields = Readonly<Record<string, string | Date | null>>

/** The client keeps its token as long as the settings stay the same. */
let latest: { readonly text: string; readonly shop: Shop } | null = null

const shopOf = (fields: Fields, since: Date): Shop => {
  const text = (name: string): string => String(fields[name] ?? "").trim()
  const buyer = text("overaRefundBuyerId")
  return {
    since,
    client: new OveraClient({ baseUrl: text("overaUrl"), authUrl: text("overaAuthUrl"), clientId: text("overaClientId"), clientSecret: text("overaClientSecret") }),
    taxLabels: pairsOf(text("overaTaxLabels")),
    paymentTypes: pairsOf(text("overaPaymentTypes")),
    webhookSecrets: text("overaWebhookSecret").split(/\s+/).filter((one) => one !== ""),
    settings: {
      shop: text("overaShop"), taxpayerId: text("overaTaxpayerId"), businessPremiseId: text("overaPremiseId"), cashier: { id: "web" },
      environment: text("overaClientId").startsWith("svc-prod-") ? "production" : "sandbox", prepaidDue: "paid", cashOnDeliveryDue: "collected",
      ...(buyer === "" ? {} : { unidentifiedBuyerId: buyer })
    }
  }
}

const needed = ["overaUrl", "overaAuthUrl", "overaClientId", "overaClientSecret", "overaTaxpayerId", "overaPremiseId", "overaShop", "overaSince"]

/** The connected shop; null until every field that it needs is filled in. */
export const readShop = async (connection: TransactionalConnection): Promise<Shop | null> => {
  const channel = await connection.rawConnection.getRepository(Channel).findOne({ where: { code: "__default_channel__" } })
  const fields = (channel?.customFields ?? {}) as Fields
  if (needed.some((name) => (fields[name] ?? "") === "")) return null
  const text = JSON.stringify(fields)
  if (latest?.text !== text) latest = { text, shop: shopOf(fields, new Date(fields["overaSince"] ?? "")) }
  return latest.shop
}
