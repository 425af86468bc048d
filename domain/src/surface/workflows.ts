/** Refunds, advances, proforma and training as tables and arithmetic; what makes two requests the same. */
export { bindKey, canonicalContent, canonicalRuleVersion, fingerprint, portableSha256, type RequestToBind } from "../idempotency/boundKey.ts"
export { IdempotencyKeyReusedInOtherEnvironment, IdempotencyKeyReusedWithDifferentRequest } from "../idempotency/errors.ts"
export { replayDecision, type ReplayDecision } from "../idempotency/replayDecision.ts"
export { cashRefundCopyKey, copiedRefundKey, originalLost, type RefundItem, type RefundWorkflow, RefundWorkflowStatus } from "../refunds/RefundWorkflow.ts"
export {
  amountRefundable, consumeAfterRelease, consumeRefund, holdRefund, type LedgerLine, openLedger, overRefunded, overRefundedLines,
  quantityRefundable, type RefundEntry, type RefundHold, type RefundLedger, releaseRefund, takeFromLine
} from "../refunds/RefundLedger.ts"
export {
  RefundCumulativeQuantityExceeded, RefundItemMustMatchOriginalLine, RefundOriginalLineNotFound, RefundQuantityExceedsOriginal,
  RefundWorkflowNotFound
} from "../refunds/errors.ts"
export { differingFields, mustRepeat, refundable, type Refundable, type RefundableLine, type RepeatedField } from "../refunds/refundable.ts"
export {
  holdsFollow, mayCopyBeSent, RefundActor, type RefundDocuments, refundFailureCode, refundStatusOf, refundWorkflowStatus
} from "../refunds/refundProgress.ts"
export { type AcceptedRefund, askRefund, refundAmount, type RefundRefusal, refundTotalsFault } from "../refunds/refundQuantities.ts"
export { cashCopyOf, copyDueAfterMillis, copyNotReserved, type ReservedCopy } from "../refunds/cashCopyOf.ts"
export {
  claimSource, claimsSource, ProformaTrainingStatus, proformaTrainingStatus, type ProformaTrainingWorkflow, repeatSource,
  type SourceRefund
} from "../proforma-training/ProformaTrainingWorkflow.ts"
export {
  ProformaTrainingSourceAlreadyRefunded, ProformaTrainingWorkflowReservationConflict, WorkflowNotFound
} from "../proforma-training/errors.ts"
export {
  type AdvanceCase, AdvanceCaseState, advanceRefundKey, ExternalAdvance, type OpenedAdvanceCase, type StoredAdvanceCase
} from "../advances/AdvanceCase.ts"
export { advanceClosing, advanceLimitFault, checkClosing, type ClosingAsked, taxOnAdvance, totalAdvance } from "../advances/advanceArithmetic.ts"
export {
  type AdvanceSale, cancellationTarget, chainReference, latestAdvance, mayPaymentBeRedriven, type StandingAdvance, standingAdvances
} from "../advances/advanceChain.ts"
export {
  advanceCaseState, type AdvanceDocuments, type AdvanceMutation, type AdvanceProgress, advanceProgress, closingDocuments, mayBegin
} from "../advances/advanceGate.ts"
export { closingToGiveUp, givenUp, isNeverSent } from "../advances/givenUpClosing.ts"
export { type CaseFact, receiptAfterClosing, standingFinalSale } from "../advances/afterClosing.ts"
export { storedAgainItems } from "../advances/storedAgain.ts"
export { type AdvanceEffect, advanceEffect, innerDocumentId } from "../advances/advanceEffects.ts"
export {
  type AdvanceCancellation, advancePartOf, advanceSales, cancelledSaleIds, type CaseDocuments, caseDocuments, caseProgressOf, caseStateOf,
  inFlightOf, isCopyDue
} from "../advances/caseDocuments.ts"
export {
  type AdvanceContent, type DocumentInFlight, mayBeRedriven, planCancellation, planClosing, type PlannedClosing, planPayment
} from "../advances/planAdvanceDocument.ts"
export { closingCurrent, presentAdvanceCase } from "../advances/presentAdvanceCase.ts"
export { type AdvanceRefundContent, composeAdvanceRefund, composeCancellation } from "../advances/composeAdvanceRefund.ts"
export {
  AdvanceCancellationTargetNotLatest, AdvanceCaseCloseAlreadyReserved, AdvanceCaseHasNoFiscalizedSale, AdvanceCaseNotFound,
  AdvanceCaseNotOpen, AdvanceCloseTotalMismatch, AdvancePaymentSuperseded
} from "../advances/errors.ts"
export { type AdvanceCaseFilter, type AskedCases, matchesCaseFilter, readAskedCases } from "../advances/AdvanceCaseFilter.ts"
