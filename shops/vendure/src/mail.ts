import { EmailEventListener } from "@vendure/email-plugin"
import { ReceiptIssued } from "./ReceiptIssued.ts"

/** The buyer's mail with each receipt, its link and its PDF. Vendure confirms an order when it is paid, which is before its receipt exists. */
export const receiptMail = new EmailEventListener("receipt")
  .on(ReceiptIssued)
  .filter(({ order }) => order.customer !== undefined && order.customer !== null)
  .setRecipient(({ order }) => order.customer?.emailAddress ?? "")
  .setFrom("{{ fromAddress }}")
  .setSubject("Fiskalni račun {{ receipt.number }}, porudžbina {{ order.code }}")
  .setTemplateVars(({ order, receipt }) => ({ order, receipt }))
  .setAttachments(({ pdf, receipt }) => [{ filename: `${receipt.number}.pdf`, content: Buffer.from(pdf), contentType: "application/pdf" }])
