/** Receipts by e-mail. */
export {
  type DeliveryFailure, type DeliveryFormat, deliveryFormats, DeliveryLocale, MailOutcome, preferredFormats, type ReceiptDelivery, ReceiptDeliveryId,
  ReceiptDeliveryStatus, type ReceiptMail
} from "../delivery/ReceiptDelivery.ts"
export { decodeReceiptDeliveryRequest, type ReceiptDeliveryRequest, ReceiptDeliveryShape } from "../delivery/ReceiptDeliveryRequest.ts"
export {
  comparableAddress, type DeliveryFilter, deliveryFilterNames, matchesDeliveryFilter, readDeliveryFilter
} from "../delivery/DeliveryFilter.ts"
export { DeliverySettings, noDeliverySettings } from "../delivery/DeliverySettings.ts"
export {
  checkDeliverable, type DeliverableDocument, type DeliveryConditions, deliveryLimits, type DeliveryRefusal, type DeliveryUse, isIssuedToBuyer,
  recipientFault
} from "../delivery/deliverability.ts"
export {
  afterDeliveryAttempt, type AfterDeliveryAttempt, DeliveryEvent, deliveryTransitions, deliveryWaits, nextDeliveryStatus
} from "../delivery/deliveryTransitions.ts"
export {
  ReceiptDeliveryDisabled, ReceiptDeliveryDocumentNotFiscalized, ReceiptDeliveryDocumentNotIssuedToBuyer, ReceiptDeliveryNotFound,
  ReceiptDeliveryRateLimited, ReceiptDeliveryUnavailable
} from "../delivery/errors.ts"
