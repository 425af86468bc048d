import {
  belgradeTime,
  type DocumentContent,
  type Environment,
  formatDecimal,
  invoiceTypeNumber,
  lineAmount,
  type LineItem,
  type Payment,
  signedItemName,
  transactionTypeNumber
} from "@overa/domain"

/** V-PFR §2. */
const paymentTypeNumber = {
  OTHER: 0,
  CASH: 1,
  CARD: 2,
  CHECK: 3,
  WIRE_TRANSFER: 4,
  VOUCHER: 5,
  INSTANT_PAYMENT: 6
} as const satisfies Record<Payment["type"], number>

const text = (value: string): string => JSON.stringify(value)

/** An absent key, not an empty or null one: the V-PFR treats an empty string as a value (V-PFR §2). */
const optional = (name: string, value: string | null | undefined): string =>
  value === null || value === undefined || value === "" ? "" : `"${name}":${text(value)},`

const composePayment = (payment: Payment): string =>
  `{"amount":${formatDecimal(payment.amount)},"paymentType":${paymentTypeNumber[payment.type]}}`

const composeItem = (item: LineItem, environment: Environment): string =>
  `{${optional("gtin", item.gtin)}"name":${text(signedItemName(item, environment))},` +
  `"quantity":${formatDecimal(item.quantity)},"unitPrice":${formatDecimal(item.unitPrice)},` +
  `"labels":${JSON.stringify(item.taxLabels)},"totalAmount":${formatDecimal(lineAmount(item))}}`

/** Only an Advance Sale may state an earlier time of issue: the day its wire transfer arrived (V-PFR §2; Spec, Time rules). */
const timeOfIssue = (content: DocumentContent): string | null =>
  content.dateAndTimeOfIssue !== null && content.invoiceType === "ADVANCE" && content.transactionType === "SALE"
    ? belgradeTime(content.dateAndTimeOfIssue)
    : null

/**
 * The body of a submission in the V-PFR's form (V-PFR §2): item names with their unit, optional keys absent, enumerations as numbers, decimals
 * written digit by digit from the exact value. The service draws the QR code itself, so it is not requested.
 */
export const composeInvoiceRequest = (content: DocumentContent, environment: Environment): string =>
  "{" +
  optional("dateAndTimeOfIssue", timeOfIssue(content)) +
  optional("cashier", content.cashier.id) +
  optional("buyerId", content.buyer?.id) +
  optional("buyerCostCenterId", content.buyer?.optionalField) +
  `"invoiceType":${invoiceTypeNumber[content.invoiceType]},` +
  `"transactionType":${transactionTypeNumber[content.transactionType]},` +
  `"payment":[${content.payments.map(composePayment).join(",")}],` +
  optional("invoiceNumber", content.esirNumber) +
  optional("referentDocumentNumber", content.reference?.pfrNumber) +
  optional("referentDocumentDT", content.reference?.pfrTime) +
  `"options":{"omitQRCodeGen":"1"},` +
  `"items":[${content.items.map((item) => composeItem(item, environment)).join(",")}]}`
