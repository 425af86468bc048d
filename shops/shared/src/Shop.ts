import { OveraClient, type PaymentType } from "@overa/client"
import type { Settings } from "@overa/orders"

/** What a shop's people fill in, as text. */
export const settingNames = [
  "url", "authUrl", "clientId", "clientSecret", "webhookSecret", "taxpayerId", "premiseId", "shop", "taxLabels", "paymentTypes", "since", "refundBuyerId"
] as const
export type SettingName = (typeof settingNames)[number]
export type SettingTexts = Readonly<Partial<Record<SettingName, string>>>

/** How the engine's words become the contract's. */
export interface Translation {
  /** By percent, as the engine prints it. */
  readonly taxLabels: ReadonlyMap<string, string>
  /** By the engine's name of the way of payment. */
  readonly paymentTypes: ReadonlyMap<string, string>
}

/** A shop that is connected. */
export interface Shop extends Translation {
  readonly settings: Settings
  readonly client: OveraClient
  /** Orders whose first payment is older belong to whatever issued receipts before. */
  readonly since: Date
  readonly webhookSecrets: ReadonlyArray<string>
}

/** What a person wrote as `20=Ђ,10=Е`. */
export const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(",").map((pair) => pair.split("=")).map(([name = "", value = ""]) => [name.trim(), value.trim()] as const))

const needed: ReadonlyArray<SettingName> = ["url", "authUrl", "clientId", "clientSecret", "taxpayerId", "premiseId", "shop", "since"]

/** Something that a shop's people have to fill in before an order can have a receipt. */
export class SettingMissing extends Error {}

const known: ReadonlyArray<PaymentType> = ["CARD", "CASH", "WIRE_TRANSFER", "INSTANT_PAYMENT", "VOUCHER", "CHECK", "OTHER"]

/** A receipt is in dinars: an order in another currency is no order of a Serbian shop, or its currency is set wrong. */
export const inDinars = (currency: string): void => {
  if (currency.toUpperCase() !== "RSD") throw new SettingMissing(`the order is in ${currency.toUpperCase()}, and receipts are in RSD. Prices of the shop must be in RSD.`)
}

/** The contract's payment type of a way of payment; nothing is guessed, because a receipt does not change. */
export const paymentTypeOf = ({ paymentTypes }: Translation, method: string): PaymentType => {
  const type = known.find((one) => one === paymentTypes.get(method))
  if (type === undefined) throw new SettingMissing(`the payment method "${method}" has no payment type. Add for example ${method}=CARD to the payment types; the types are ${known.join(", ")}.`)
  return type
}

const shopOf = (text: (name: SettingName) => string): Shop => {
  const buyer = text("refundBuyerId")
  return {
    since: new Date(text("since")),
    client: new OveraClient({ baseUrl: text("url"), authUrl: text("authUrl"), clientId: text("clientId"), clientSecret: text("clientSecret") }),
    taxLabels: pairsOf(text("taxLabels")),
    paymentTypes: pairsOf(text("paymentTypes")),
    webhookSecrets: text("webhookSecret").split(/\s+/).filter((one) => one !== ""),
    settings: {
      shop: text("shop"), taxpayerId: text("taxpayerId"), businessPremiseId: text("premiseId"), cashier: { id: "web" },
      environment: text("clientId").startsWith("svc-prod-") ? "production" : "sandbox", prepaidDue: "paid", cashOnDeliveryDue: "collected",
      ...(buyer === "" ? {} : { unidentifiedBuyerId: buyer })
    }
  }
}

/** The client keeps its token as long as the settings stay the same. */
let latest: { readonly text: string; readonly shop: Shop } | null = null

const textOf = (texts: SettingTexts) => (name: SettingName): string => (texts[name] ?? "").trim()

/** The connected shop; null until everything that it needs is filled in. */
export const readShop = (texts: SettingTexts): Shop | null => {
  const text = textOf(texts)
  if (needed.some((name) => text(name) === "")) return null
  const key = JSON.stringify(settingNames.map(text))
  if (latest?.text !== key) latest = { text: key, shop: shopOf(text) }
  return latest.shop
}

/** What is missing of settings that somebody began to fill in; nothing where nobody began, or nothing is missing. */
export const missingSettings = (texts: SettingTexts): ReadonlyArray<SettingName> => {
  const text = textOf(texts)
  const missing = needed.filter((name) => text(name) === "")
  return missing.length === needed.length ? [] : missing
}
