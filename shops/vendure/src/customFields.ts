import { type CustomFields, Permission } from "@vendure/core"

const label = (value: string) => [{ languageCode: "en" as never, value }]

/** A setting at the channel; only who may change channels reads it. */
const setting = (name: string, words: string) => ({ name, type: "string" as const, nullable: true, public: false, requiresPermission: Permission.UpdateChannel, label: label(`Overa: ${words}`) })

const secret = (name: string, words: string) => ({ ...setting(name, words), ui: { component: "password-form-input" } })

/** Where a shop is connected: on the channel, so that its administrators fill it in. */
const channelFields: CustomFields["Channel"] = [
  setting("overaUrl", "address of the API"),
  setting("overaAuthUrl", "address for tokens"),
  setting("overaClientId", "client id"),
  secret("overaClientSecret", "client secret"),
  secret("overaWebhookSecret", "secret of the webhook endpoint /overa/webhooks"),
  setting("overaTaxpayerId", "taxpayer"),
  setting("overaPremiseId", "business premise"),
  setting("overaShop", "name of this shop in keys, never changed"),
  setting("overaTaxLabels", "tax labels by percent, as 20=Ђ,10=Е,0=Г"),
  setting("overaPaymentTypes", "payment types by the code of the payment method, as card=CARD,bank=WIRE_TRANSFER"),
  { ...setting("overaSince", "receipts for orders whose first payment is not older than this"), type: "datetime" },
  setting("overaRefundBuyerId", "who stands on refunds and on closings of advances without a named buyer")
]

const shown = (name: string, type: "string" | "text", words: string) => ({ name, type, nullable: true, readonly: true, label: label(words) })

/** What the buyer and the shop see at an order, and what the plugin keeps there. */
const orderFields: CustomFields["Order"] = [
  shown("receiptNumber", "string", "Receipt"),
  { ...shown("receiptUrl", "string", "Receipt: verification"), length: 4096 },
  shown("receiptPdf", "string", "Receipt: path of the PDF on this server"),
  shown("receiptList", "text", "All receipts of the order, as JSON"),
  { ...shown("receiptStatus", "text", "Receipt: what happened, and what to do"), public: false },
  { name: "overaKept", type: "text", nullable: true, internal: true },
  { name: "overaHeard", type: "int", nullable: true, internal: true },
  { name: "overaIsOpen", type: "boolean", nullable: true, internal: true }
]

export const customFields: CustomFields = { Channel: channelFields, Order: orderFields }
