/** Receipts by e-mail. */
export {
  type DeliveryFailure, type DeliveryFormat, deliveryFormats, DeliveryLocale, preferredFormats, type ReceiptDelivery, ReceiptDeliveryId,
  ReceiptDeliveryStatus
} from "../delivery/ReceiptDelivery.ts"
export { decodeReceiptDeliveryRequest, type ReceiptDeliveryRequest, ReceiptDeliveryShape } from "../delivery/ReceiptDeliveryRequest.ts"
export {
  comparableAddress, type DeliveryFilter, deliveryFilterNames, matchesDeliveryFilter, readDeliveryFilter
} from "../delivery/DeliveryFilter.ts"
export { DeliverySettings, noDeliverySettings } from "../delivery/DeliverySettings.ts"
export {
  checkDeliverable, type DeliverableDocument, type DeliveryConditions, type DeliveryRefusal, isIssuedToBuyer
} from "../delivery/deliverability.ts"
export { deliveryLimits, type DeliveryUse } from "../delivery/deliveryLimits.ts"
export {
  afterDeliveryAttempt, type AfterDeliveryAttempt, DeliveryEvent, deliveryTransitions, deliveryWaits, nextDeliveryStatus
} from "../delivery/deliveryTransitions.ts"
export {
  ReceiptDeliveryDisabled, ReceiptDeliveryDocumentNotFiscalized, ReceiptDeliveryDocumentNotIssuedToBuyer, ReceiptDeliveryNotFound,
  ReceiptDeliveryRateLimited, ReceiptDeliveryUnavailable
} from "../delivery/errors.ts"
export { MailOutcome } from "../delivery/MailOutcome.ts"
export type { ReceiptMail } from "../delivery/ReceiptMail.ts"
export { recipientFault } from "../delivery/recipientFault.ts"
