import { type CustomFields, Permission } from "@vendure/core"
import type { SettingName } from "../../shared/src/Shop.ts"
import { fieldOf } from "./readSettings.ts"

/** As an administrator reads them, in the order in which they are filled in: the field's name, and what to fill in. */
const labels: Readonly<Record<SettingName, readonly [label: string, description: string]>> = {
  url: ["Fiscal receipts 1: address of the service", "As your Overa installation says: https://…"],
  authUrl: ["Fiscal receipts 2: address for tokens", "As your Overa installation says."],
  clientId: ["Fiscal receipts 3: client id", "Of a credential that an owner makes in the portal, under Credentials."],
  clientSecret: ["Fiscal receipts 4: client secret", "Shown once when the credential is made."],
  taxpayerId: ["Fiscal receipts 5: taxpayer", "The id that the portal shows."],
  premiseId: ["Fiscal receipts 6: business premise", "The id that the portal shows."],
  shop: ["Fiscal receipts 7: name of this shop", "Up to 24 letters. Never change it: it is a part of each receipt's key."],
  taxLabels: ["Fiscal receipts 8: tax labels by percent", "As 20=Ђ,10=Е,0=Г"],
  paymentTypes: ["Fiscal receipts 9: payment types", "By the code of the payment method, as card=CARD,bank=WIRE_TRANSFER. Types: CARD, CASH, WIRE_TRANSFER, INSTANT_PAYMENT, VOUCHER, CHECK, OTHER."],
  since: ["Fiscal receipts 10: for orders paid from this moment on", "Earlier orders had receipts from elsewhere."],
  refundBuyerId: ["Fiscal receipts 11: who stands on refunds", "10: and your own tax number. Without it refunds and deposits wait."],
  webhookSecret: ["Fiscal receipts 12: secret of the webhook", "Optional: receipts appear sooner. Make a webhook in the portal with the address https://<this server>/overa/webhooks."]
}

export const labelOf = (name: SettingName): string => labels[name][0]

const english = (value: string) => [{ languageCode: "en" as never, value }]

/** A setting at the channel; only who may change channels reads it. */
const setting = (name: SettingName) => ({
  name: fieldOf(name), nullable: true, public: false, requiresPermission: Permission.UpdateChannel, label: english(labels[name][0]), description: english(labels[name][1]),
  ...(name.endsWith("Secret") ? { ui: { component: "password-form-input" } } : {})
})

/** Where a shop is connected: on the channel, so that its administrators fill it in. */
const channelFields: CustomFields["Channel"] = (Object.keys(labels) as ReadonlyArray<SettingName>)
  .map((name) => name === "since" ? { ...setting(name), type: "datetime" as const } : { ...setting(name), type: "string" as const })

const shown = (name: string, type: "string" | "text", words: string) => ({ name, type, nullable: true, readonly: true, label: english(words) })

/** What the buyer and the shop see at an order. What to do stands first. */
const orderFields: CustomFields["Order"] = [
  { ...shown("receiptStatus", "text", "Fiscal receipt: what happened, and what to do"), public: false, ui: { fullWidth: true } },
  shown("receiptNumber", "string", "Fiscal receipt: number"),
  { ...shown("receiptUrl", "string", "Fiscal receipt: address of its verification"), length: 4096 },
  shown("receiptPdf", "string", "Fiscal receipt: path of its PDF on this server"),
  { ...shown("receiptList", "text", "All fiscal receipts of the order, for programs"), ui: { fullWidth: true } }
]

export const customFields: CustomFields = { Channel: channelFields, Order: orderFields }
