/** The journal, its reports and exports, and the events of its documents. */
export {
  type ChangedResource, type ChangeEvent, changeEvent, changesOf, type ChangeType, changeTypes, type DocumentChangeType, notedEvent, type NumberedChange, type NumberedNote, resourceTypes
} from "../events/ChangeEvent.ts"
export { deliveryChange, elementChange, licenseChange, licenseExpiry, type NotedChange, type NotedType, notedTypes } from "../events/notedChange.ts"
export { eventMessage } from "../events/eventMessage.ts"
export { EventSequenceChanged } from "../events/errors.ts"
export { type EventQuery, readEventQuery } from "../events/eventQuery.ts"
export {
  compareInJournal, cursorBinding, decodeJournalCursor, encodeJournalCursor, isBehindCursor, type JournalCursor, journalPage, type JournalPlace,
  pageSizes, readJournalPlace
} from "../journal/JournalCursor.ts"
export {
  type AmountRange, anyTime, isBounded, isInRange, type JournalFilter, matchesJournalFilter, noFilter, readJournalFilter, searchedTexts, type TimeRange
} from "../journal/JournalFilter.ts"
export { arranged, type FoundDocument, foundDocumentOf, type FoundOrder, shownAmount, sumOfFound, type SumOfFound } from "../journal/foundDocuments.ts"
export { CosignedCheckpointNotFound, JournalExportResultLimitExceeded } from "../journal/errors.ts"
export { type JournalLine, journalLineOf, type JournalLineReceipt } from "../journal/JournalLine.ts"
export { checkExportSize, journalExportLimit, journalSheetHead, journalSheetRow, journalWorkbookRow } from "../journal/journalSheet.ts"
export {
  checkTurnoverSize, matchesTurnoverQuery, mostTurnoverRows, readTurnoverQuery, turnover, TurnoverGrouping, type TurnoverQuery, type TurnoverRow, turnoverSummary, type TurnoverSummary, type SummedParts
} from "../journal/turnover.ts"
export { salesAndRefunds, type SalesAndRefunds, type SidesParts, type SidesReport, sidesSummary, type SidesSummary } from "../journal/salesAndRefunds.ts"
export { turnoverCsv, type TurnoverSheet, turnoverSheet, type TurnoverSheetOptions } from "../journal/turnoverSheet.ts"
export {
  countsAsTurnover, type TurnoverDocument, type TurnoverPart, type TurnoverReceipt, turnoverReceipt, type WholeDays, wholeDays
} from "../journal/turnoverParts.ts"
