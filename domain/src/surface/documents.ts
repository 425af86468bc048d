/** Documents: kinds, statuses and their transitions, references, the stored operation, the codes of refusals. */
export type { RefusalCode, RuleRefusal } from "../RuleRefusal.ts"
export { advanceLiteral, advanceLiteralLabel, maximumSignedNameLength, signedItemName } from "../documents/signedItemName.ts"
export { Branding, brandingLimits, BrandingLogo } from "../documents/Branding.ts"
export { AdvanceClosing, DocumentContent, Metadata } from "../documents/DocumentContent.ts"
export { DocumentStatus, FailureCode, isUnresolved } from "../documents/DocumentStatus.ts"
export {
  documentKind, failureAdvice, type FailureAdvice, failureCodeOf, type FiscalDocument, presentDocument, retryableOf, summaryOf
} from "../documents/FiscalDocument.ts"
export { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
export { LineItem, Payment, PaymentType } from "../documents/LineItem.ts"
export { PfrRejection, PfrResult, Remark, SearchOutcome, SignedAnswer, SignedTax, SubmissionOutcome } from "../documents/PfrResult.ts"
export {
  type ActorKind, documentActors, DocumentEvent, documentTransitions, endsOnlyItsAttempt, mayCause, mayRejectionBeRetried, nextStatus, statusesBefore,
  TransitionNotAllowed
} from "../documents/documentTransitions.ts"
export {
  FiscalDocumentNotFound, OperationNotFound, PaymentTypeNotAllowedOnPremise, PfrEnvironmentDisabled, PfrSandboxNotConfigured, RestoreInProgress,
  RepresentationNotAvailable
} from "../documents/errors.ts"
export { logoFault, logoLimits, LogoMediaType } from "../documents/logoFault.ts"
export { type CatalogueEntry, ErrorCode, errorCatalogue, type Retry } from "../errorCatalogue.ts"
export type {
  Attempt, AttemptOutcome, AttentionItem, BoundKey, KeyRole, Operation, SearchFinding, Transition, WorkflowLink
} from "../operations/Operation.ts"
export { DocumentReference, referencedDocument, type ReferencedDocument, referenceTo, serviceSource } from "../references/ReferencedDocument.ts"
export {
  callerMayReference, checkReference, copiedContent, type CopiedContent, copyReference, type CopyRefusal, type ReferenceRefusal, type Referring,
  typeNotAllowed
} from "../references/checkReference.ts"
export {
  CopySourceNotCopyable, CopySourceNotFiscalized, ReferenceDocumentNotFiscalized, ReferenceDocumentNotFound,
  ReferenceDocumentScopeMismatch, ReferenceDocumentTypeNotAllowed
} from "../references/errors.ts"
export {
  type ExternalDocument, externalReference, isExternalReferenceNumber, maximumReferenceNumberLength
} from "../references/externalReference.ts"
export { type DocumentTree, documentTrees } from "../references/documentTree.ts"
export { type DocumentKind, mayReference, referenceMatrix, referenceRule, type ReferenceRule } from "../references/referenceMatrix.ts"
export { isDocument, type KeyHolder, type KeyOwner } from "../operations/KeyHolder.ts"
export { FiscalDocumentUnreadable } from "../operations/FiscalDocumentUnreadable.ts"
export { derivedRequestId, giveBack, isSameAttempt, possibleRequestIds } from "../operations/derivedRequestId.ts"
export { attemptTable, lostAttemptTable, mayHaveArrived, searchTable, submissionOutcome, type SubmissionRow, submissionTable } from "../operations/outcomeTable.ts"
export { mayBeIssuedAnew, mayBeSentAgain } from "../operations/afterFailure.ts"
export { dueAfterReservation, isCarriedOnByService, isDueToBeSent } from "../operations/carriedOnByService.ts"
export { asUnknown, doubtedStatuses, doubtKinds, raisesDoubt, statusInDoubt, unknownOutcome, whileInDoubt } from "../operations/inDoubt.ts"
export { type Checked, nextCheckAfter, pauseAfterSearch } from "../operations/nextCheck.ts"
export { lastSearchOf, searchEnding } from "../operations/Operation.ts"
export {
  allowedPaymentTypes, checkPaymentTypes, composeContent, hasCash, type KindContent, paidBy, type PaymentModeCheck, paymentModeNotAsked,
  type PlaceOfIssue, type SaidContent
} from "../documents/composeContent.ts"
export type { DocumentToSign, InvoiceToSign, Signer } from "../documents/InvoiceToSign.ts"
export { type Receipt, type Representation, RepresentationFormat } from "../documents/Representation.ts"
export type { OpenAttention } from "../operations/OpenAttention.ts"
export { type PreviewFacts, previewReceipt, type ReceiptPreview, type SellerOnReceipt } from "../receipt-text/previewReceipt.ts"
export { type JournalFacts, type SigningFacts, writeJournal } from "../receipt-text/writeJournal.ts"
