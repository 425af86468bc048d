import type { SettingName } from "../../../shared/src/Shop.ts"

/** The settings as the admin shows them, in the order in which they are filled in. */
export const labels: Readonly<Record<SettingName, { readonly label: string; readonly hint: string }>> = {
  url: { label: "Address of the service", hint: "As your Overa installation says: https://…" },
  authUrl: { label: "Address for tokens", hint: "As your Overa installation says." },
  clientId: { label: "Client id", hint: "Of a credential that an owner makes in the portal, under Credentials." },
  clientSecret: { label: "Client secret", hint: "Shown once when the credential is made. Left empty: stays as it is." },
  taxpayerId: { label: "Taxpayer", hint: "The id that the portal shows." },
  premiseId: { label: "Business premise", hint: "The id that the portal shows." },
  shop: { label: "Name of this shop", hint: "Up to 24 letters. Never change it: it is a part of each receipt's key." },
  taxLabels: { label: "Tax labels by percent", hint: "As 20=Ђ,10=Е,0=Г" },
  paymentTypes: { label: "Payment types by payment provider", hint: "As pp_system_default=CASH,pp_stripe_stripe=CARD. Types: CARD, CASH, WIRE_TRANSFER, INSTANT_PAYMENT, VOUCHER, CHECK, OTHER." },
  since: { label: "Receipts for orders paid from this moment on", hint: "As 2026-11-26T08:00:00+01:00. Earlier orders had receipts from elsewhere." },
  refundBuyerId: { label: "Who stands on refunds", hint: "10: and your own tax number. Without it refunds and deposits wait." },
  webhookSecret: { label: "Secret of the webhook", hint: "Optional: receipts appear sooner. Make a webhook in the portal with the address https://<your Medusa>/overa/webhooks. Left empty: stays as it is." }
}
