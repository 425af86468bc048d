/** The journal, its reports and exports, deliveries of receipts. */
export {
  deliveryFormats, DeliveryLocale, preferredFormats, type ReceiptDelivery, ReceiptDeliveryId, ReceiptDeliveryStatus
} from "../delivery/ReceiptDelivery.ts"
export { decodeReceiptDeliveryRequest, type ReceiptDeliveryRequest, ReceiptDeliveryShape } from "../delivery/ReceiptDeliveryRequest.ts"
export {
  checkDeliverable, type DeliverableDocument, type DeliveryRefusal, type DeliverySettings, isIssuedToBuyer
} from "../delivery/deliverability.ts"
export {
  afterDeliveryAttempt, type AfterDeliveryAttempt, type DeliveryAttemptOutcome, DeliveryEvent, deliveryTransitions, deliveryWaits,
  nextDeliveryStatus
} from "../delivery/deliveryTransitions.ts"
export {
  ReceiptDeliveryDisabled, ReceiptDeliveryDocumentNotFiscalized, ReceiptDeliveryDocumentNotIssuedToBuyer, ReceiptDeliveryNotFound,
  ReceiptDeliveryUnavailable
} from "../delivery/errors.ts"
export { recipientFault } from "../delivery/recipientFault.ts"
export {
  compareInJournal, decodeJournalCursor, encodeJournalCursor, isBehindCursor, type JournalCursor, journalPage, type JournalPlace,
  pageSizes, readJournalPlace
} from "../journal/JournalCursor.ts"
export { type JournalFilter, journalFilterNames, matchesJournalFilter, readJournalFilter, searchedTexts } from "../journal/JournalFilter.ts"
export { isInRange, type TimeRange } from "../journal/TimeRange.ts"
export { JournalExportResultLimitExceeded } from "../journal/errors.ts"
export { checkExportSize, journalExportLimit, journalSheetHead, journalSheetRow } from "../journal/journalSheet.ts"
export {
  readTurnoverQuery, turnover, TurnoverGrouping, type TurnoverQuery, type TurnoverRow, turnoverSummary, type TurnoverSummary
} from "../journal/turnover.ts"
