// Generated from the declared operations by client/tools/generateContract.ts; do not edit.

/** The buyer of the case; an id is needed to cancel and to close. */
export interface AdvanceBuyer {
  /** `prefix:value`, e.g. `10:100000008`; visible ASCII, without spaces and diacritics. */
  readonly id?: string | null
}

/** An advance given back. */
export interface AdvanceCancellation {
  readonly refund: FiscalDocument
  readonly copy: FiscalDocument | null
}

/** The latest advance, to be given back. */
export interface AdvanceCancellationRequest {
  /** The latest advance that is signed and not cancelled. */
  readonly advanceSaleId: string
  readonly cashier: Cashier
  readonly buyer: IdentifiedBuyer
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference?: string | null
  /** Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF. */
  readonly commercialFooter?: string | null
  /** Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** Payments in advance for one delivery, up to the sale that closes them. */
export interface AdvanceCase {
  /** The case. */
  readonly id: string
  /** The taxpayer that issues its documents. */
  readonly taxpayerId: string
  /** The premise they are issued in. */
  readonly businessPremiseId: string
  /** The caller's reference. */
  readonly clientReference: string
  /** OPEN: takes payments. AWAITING_OUTCOME: an outcome is unknown, or a closing is under way. */
  readonly state: "OPEN" | "AWAITING_OUTCOME" | "CLOSED" | "FAILED"
  readonly buyer: AdvanceBuyer | null
  /** Every attempt at an advance, oldest first. */
  readonly advanceSales: ReadonlyArray<FiscalDocument>
  /** Advances that were given back. */
  readonly cancelledAdvanceSaleIds: ReadonlyArray<string>
  /** The Advance Refunds of cancelled advances. */
  readonly advanceCancellations: ReadonlyArray<AdvanceCancellation>
  readonly externalAdvance: ExternalAdvance | null
  /** All signed advances that are not cancelled, the external one included, dinars. */
  readonly totalAdvance: number
  /** What was paid at the closing in addition to the advances. */
  readonly remainingPayments: ReadonlyArray<Payment> | null
  readonly advanceRefund: FiscalDocument | null
  readonly finalSale: FiscalDocument | null
  readonly current: FiscalDocument | null
  readonly failureCode: FailureCode | null
  /** When it was opened. */
  readonly createdAt: string
  /** When one of its documents last changed. */
  readonly updatedAt: string
}

/** Advance cases, latest first. */
export interface AdvanceCasePage {
  /** With their documents, without `pfrRejection`, which a single read has. A page may have fewer than were asked for, or none, where states are asked for. */
  readonly items: ReadonlyArray<AdvanceCase>
  /** To be sent as `cursor`, with the same filters, for the next page; null at the end. */
  readonly nextCursor: string | null
}

/** A case to open. */
export interface AdvanceCaseRequest {
  /** The taxpayer that issues. */
  readonly taxpayerId: string
  /** An active distance-commerce premise of that taxpayer. */
  readonly businessPremiseId: string
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference: string
  readonly buyer?: AdvanceBuyer | null
  readonly externalAdvance?: ExternalAdvanceRequest | null
}

/** The goods are delivered: what they are, and what is paid in addition to the advances. */
export interface AdvanceClosingRequest {
  readonly cashier: Cashier
  /** Everything that is delivered, at its full price. */
  readonly items: ReadonlyArray<LineItem>
  /** Must sum to the total of the items less all advances; one payment of amount 0 when nothing remains. */
  readonly remainingPayments: ReadonlyArray<RemainingPayment>
  readonly buyer?: Buyer | null
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference?: string | null
  /** Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF. */
  readonly commercialFooter?: string | null
  /** Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** An advance that was paid. */
export interface AdvancePaymentRequest {
  readonly cashier: Cashier
  /** The lines: an advance literal of the environment with its one label, or ordinary items. */
  readonly items: ReadonlyArray<LineItem>
  /** Must sum to exactly the total of the items. */
  readonly payments: ReadonlyArray<Payment>
  /** When a wire transfer arrived, if on an earlier day (Belgrade): only with a WIRE_TRANSFER among the payments. */
  readonly paymentOccurredAt?: string | null
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference?: string | null
  /** Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF. */
  readonly commercialFooter?: string | null
  /** Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** A place of business. */
export interface BusinessPremise {
  /** The premise. */
  readonly id: string
  /** The taxpayer it belongs to. */
  readonly taxpayerId: string
  /** The tax authority's premise identifier; immutable. */
  readonly puIdentifier: string
  /** Its name. */
  readonly name: string
  /** Only distance-commerce premises issue here. */
  readonly commerceMode: "distance" | "in_person"
  /** The environment of the credential. */
  readonly environment: "sandbox" | "production"
  /** `restricted` allows OTHER, CASH, WIRE_TRANSFER and VOUCHER only. */
  readonly paymentMode: "all" | "restricted"
  /** Only an active premise issues. */
  readonly status: "active" | "suspended" | "closed"
  /** When it was registered. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** The taxpayer's premises. */
export interface BusinessPremiseList {
  /** The premises. */
  readonly items: ReadonlyArray<BusinessPremise>
}

/** One business premise. */
export interface BusinessPremiseRegistration {
  /** The tax authority's premise identifier; immutable. */
  readonly puIdentifier: string
  /** Its name. */
  readonly name: string
  /** Street and number. */
  readonly address?: string | null
  /** City. */
  readonly city?: string | null
}

/** The buyer, where the regulations require identification. */
export interface Buyer {
  /** `prefix:value`, e.g. `10:100000008`; visible ASCII, without spaces and diacritics. */
  readonly id?: string | null
  /** `prefix:value`; only on a Normal Sale. */
  readonly optionalField?: string | null
}

/** What the national company register knew about a domestic buyer at issuance. */
export interface BuyerDetails {
  /** Registered name. */
  readonly legalName: string
  /** Nine digits. */
  readonly taxIdentifier: string
  /** Eight digits. */
  readonly registrationNumber: string | null
  /** Street and number. */
  readonly address: string | null
  /** City. */
  readonly city: string | null
  /** The register that answered. */
  readonly source: "NBS"
  /** When it answered. */
  readonly resolvedAt: string
}

/** A fiscalized document as it was asked for, stored and signed. Absent members are left out; amounts are exact decimals. An element of items goes unchanged into items of a refund. */
export interface CanonicalReceipt {
  /** The document. */
  readonly id: string
  /** Who issued. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The environment it was issued in. */
  readonly environment: "sandbox" | "production"
  /** The caller's reference. */
  readonly clientReference: string
  /** Kind of document. */
  readonly invoiceType: "NORMAL" | "COPY" | "ADVANCE" | "PROFORMA" | "TRAINING"
  /** Sale or refund. */
  readonly transactionType: "SALE" | "REFUND"
  /** The ESIR number at issuance; empty where none was assigned. */
  readonly esirNumber: string
  /** The cashier. */
  readonly cashier: {
    /** Printed as the cashier. */
    readonly id: string
    /** A name for the caller's own records; not printed. */
    readonly displayName?: string
  }
  /** The buyer, where one was identified. */
  readonly buyer?: {
    /** prefix:value */
    readonly id?: string
    /** prefix:value */
    readonly optionalField?: string
  }
  /** What the company register knew about the buyer. */
  readonly buyerDetails?: {
    /** Registered name. */
    readonly legalName: string
    /** Tax identifier, nine digits. */
    readonly taxIdentifier: string
    /** Registration number, eight digits. */
    readonly registrationNumber?: string
    /** Street and number. */
    readonly address?: string
    /** City. */
    readonly city?: string
    /** Where it comes from. */
    readonly source: "NBS"
    /** When the register answered. */
    readonly resolvedAt: string
  }
  /** The document this one refers to. */
  readonly reference?: {
    /** Where it comes from. */
    readonly source: "SVC" | "EXTERNAL"
    /** The document, where this service issued it. */
    readonly fiscalDocumentId?: string
    /** Its receipt number. */
    readonly pfrNumber: string
    /** Its PFR time. */
    readonly pfrTime: string
    /** Kind of document. */
    readonly invoiceType: "NORMAL" | "COPY" | "ADVANCE" | "PROFORMA" | "TRAINING"
    /** Sale or refund. */
    readonly transactionType: "SALE" | "REFUND"
  }
  /** The earlier time of payment, where one was given. */
  readonly dateAndTimeOfIssue?: string
  /** What was asked for, line by line. */
  readonly items: ReadonlyArray<{
    /** Index of the line in the original. */
    readonly originalLineIndex: number
    /** Name of the item. */
    readonly name: string
    /** What it is counted in. */
    readonly unitOfMeasure?: string
    /** Quantity. */
    readonly quantity: number
    /** Price of one unit, dinars. */
    readonly unitPrice: number
    /** Price before discount, dinars. */
    readonly unitPriceBeforeDiscount?: number
    /** Trade item number. */
    readonly gtin?: string
    /** The catalogue product. */
    readonly catalogProductId?: string
    /** Tax labels. */
    readonly taxLabels: ReadonlyArray<string>
  }>
  /** What was signed for each element of items, in the same order. */
  readonly lines: ReadonlyArray<{
    /** Dinars. */
    readonly amount: number
  }>
  /** How it was paid. */
  readonly payments: ReadonlyArray<{
    /** Payment type. */
    readonly type: "CARD" | "WIRE_TRANSFER" | "INSTANT_PAYMENT" | "CASH" | "VOUCHER" | "CHECK" | "OTHER"
    /** Dinars. */
    readonly amount: number
  }>
  /** Tax by label, as signed. */
  readonly taxes: ReadonlyArray<{
    /** The label. */
    readonly label: string
    /** The label's category. */
    readonly category: string
    /** 0 tax on net, 1 tax on total, 2 amount per quantity */
    readonly categoryType: 0 | 1 | 2
    /** Percent; dinars per unit for category type 2. */
    readonly rate: number
    /** As signed, up to four decimals. */
    readonly amount: number
    /** Rounded to the para, as the receipt prints it. */
    readonly printedAmount: number
  }>
  /** Total the V-PFR signed, dinars. */
  readonly totalAmount: number
  /** The exact sum of the signed tax amounts. */
  readonly totalTax: number
  /** The sum of the printed tax amounts, as the receipt prints it. */
  readonly printedTotalTax: number
  /** What a sale that closes an advance says of it. */
  readonly advanceClosing?: {
    /** Number of the last advance receipt. */
    readonly lastAdvanceNumber: string
    /** Its PFR time. */
    readonly lastAdvanceTime: string
    /** Paid in advance, dinars. */
    readonly totalAdvance: number
    /** Tax on it, dinars. */
    readonly taxOnAdvance: number
    /** Left to pay, dinars. */
    readonly remaining: number
  }
  /** Free text under the fiscal part. */
  readonly commercialFooter?: string
  /** The caller's key-value pairs. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>>
  /** What the V-PFR signed. */
  readonly pfr: {
    /** Official receipt number. */
    readonly invoiceNumber: string
    /** The V-PFR's own digits and offset. */
    readonly sdcTime: string
    /** JID of the element that requested the signature. */
    readonly requestedBy: string
    /** JID of the element that signed. */
    readonly signedBy: string
    /** Left half of the printed counter. */
    readonly transactionTypeCounter?: number
    /** Right half of the printed counter. */
    readonly totalCounter?: number
    /** Official document mark after the counter. */
    readonly invoiceCounterExtension?: string
    /** Total the V-PFR signed, dinars. */
    readonly totalAmount: number
    /** The exact sum of the signed tax amounts. */
    readonly totalTax?: number
    /** The tax authority's verification link. */
    readonly verificationUrl: string
    /** The official receipt text. */
    readonly journal: string
  }
  /** When the operation was stored. */
  readonly createdAt: string
}

/** The cashier printed on the receipt. */
export interface Cashier {
  /** Printed. */
  readonly id: string
  /** A name for your own records: stored with the document, not printed and not sent to the V-PFR. */
  readonly displayName?: string | null
}

/** The refund is a receipt, and so is its copy where cash was given back. */
export interface CompletedRefund {
  /** The workflow. */
  readonly id: string
  /** Who issued. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The caller's reference. */
  readonly clientReference: string
  /** Where the workflow stands. */
  readonly status: "COMPLETED"
  readonly original: RefundOriginal
  readonly refund: FiscalizedDocument
  readonly cashRefundCopy: FiscalizedDocument | null
  readonly failureCode: FailureCode | null
  /** When it was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** A copy of a document this service issued. */
export interface CopyRequest {
  readonly cashier: Cashier
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference?: string | null
  /** Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF. */
  readonly commercialFooter?: string | null
  /** Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** A credential, without its secret. */
export interface Credential {
  /** Its client id. */
  readonly clientId: string
  /** Its name; null where it was issued without one. */
  readonly name: string | null
  /** The environment of the calling credential. */
  readonly environment: "sandbox" | "production"
  /** What it may do. */
  readonly scopes: ReadonlyArray<"fiscal:write" | "fiscal:read" | "refund:write" | "advance:write" | "advance:close" | "proforma-training:write" | "operations:read" | "catalogue:read" | "catalogue:write" | "configuration:read" | "tenant:read" | "security-elements:read" | "webhooks:manage" | "credentials:manage">
  /** The only premises that it may be used for; null where every one. */
  readonly businessPremiseIds: ReadonlyArray<string> | null
  /** When it was issued. */
  readonly createdAt: string
  /** When it last got a token, to the hour; null if it never did. */
  readonly lastUsedAt: string | null
  /** Until when the secret before the last rotation is accepted; null where none is. */
  readonly formerSecretUntil: string | null
  /** When it was revoked; null while it is valid. */
  readonly revokedAt: string | null
}

/** The organization's credentials in the environment of the calling one, oldest first. */
export interface CredentialList {
  /** The credentials. */
  readonly items: ReadonlyArray<Credential>
}

/** How a secret is replaced. */
export interface CredentialRotation {
  /** For how long the secret before is accepted as well, so that every machine gets the new one in time; 0 ends it at once. */
  readonly keepFormerSeconds: number
}

/** A credential and its new secret, which no other answer has. */
export interface CredentialWithSecret {
  /** Its client id. */
  readonly clientId: string
  /** Its name; null where it was issued without one. */
  readonly name: string | null
  /** The environment of the calling credential. */
  readonly environment: "sandbox" | "production"
  /** What it may do. */
  readonly scopes: ReadonlyArray<"fiscal:write" | "fiscal:read" | "refund:write" | "advance:write" | "advance:close" | "proforma-training:write" | "operations:read" | "catalogue:read" | "catalogue:write" | "configuration:read" | "tenant:read" | "security-elements:read" | "webhooks:manage" | "credentials:manage">
  /** The only premises that it may be used for; null where every one. */
  readonly businessPremiseIds: ReadonlyArray<string> | null
  /** When it was issued. */
  readonly createdAt: string
  /** When it last got a token, to the hour; null if it never did. */
  readonly lastUsedAt: string | null
  /** Until when the secret before the last rotation is accepted; null where none is. */
  readonly formerSecretUntil: string | null
  /** When it was revoked; null while it is valid. */
  readonly revokedAt: string | null
  /** The secret: keep it, it cannot be read again. */
  readonly clientSecret: string
}

/** It is being issued at this moment. */
export interface DocumentInProgress {
  /** The document; also its operation's identifier. */
  readonly id: string
  /** Who issues. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The key the request carried. */
  readonly idempotencyKey: string
  /** The caller's order or invoice reference. */
  readonly clientReference: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** The cashier printed on the receipt. */
  readonly cashierId: string
  /** `prefix:value`. */
  readonly buyerId: string | null
  readonly buyerDetails: BuyerDetails | null
  /** Where the document stands. */
  readonly status: "RECEIVED" | "VALIDATED" | "SUBMITTING"
  /** No receipt is known yet. */
  readonly fiscalized: false
  /** Nothing failed so far. */
  readonly failureCode: null
  /** Wait for its outcome. */
  readonly retryable: false
  /** There is none. */
  readonly pfr: null
  /** There is none. */
  readonly receipt: null
  readonly reference?: ResolvedReference
  /** When the operation was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** Where the document stands. FISCALIZED is the only status that is a receipt. */
export type DocumentStatus = "RECEIVED" | "VALIDATED" | "SUBMITTING" | "FISCALIZED" | "REJECTED" | "NOT_FISCALIZED" | "OUTCOME_UNKNOWN" | "RECONCILING"

/** The request would be issued as it is. */
export interface DryRun {
  /** The document would be reserved now; a request that would not be is answered as the sale itself would be. */
  readonly valid: true
  /** Sum of the lines, dinars. */
  readonly totalAmount: number
  /** By label, zero rates too; null where a copy refers to a time whose rates are not known. */
  readonly taxes: ReadonlyArray<PreviewTax> | null
  /** The receipt's text as it would be signed, marked as no receipt: in its first and last line, by a notice in the middle, and by `НИЈЕ ПОТПИСАНО` for PFR time, number and counter; null where `taxes` is, or where the security element cannot be opened now. */
  readonly journalPreview: string | null
}

/** A rule of the service or of the V-PFR refused; `code` says which. */
export type ErrorBody = PlainError | ScopeError | ModuleError | TaxLabelError | KeyReusedError | UnreadableError | RefundLinesError | WorkflowReservedError | NothingReservedError

/** A change of a document, of the workflow that it is part of, or of a delivery, a security element or the licence. */
export interface Event {
  /** The same whenever this event is answered: keep it to know what you have already processed. */
  readonly id: string
  /** The event's number: from 1, without gaps, in each organization and environment. */
  readonly sequence: number
  readonly type: EventType
  /** When the change happened. */
  readonly timestamp: string
  readonly data: EventData
}

/** What changed. Read `url` for what is true now: later changes may have followed. */
export interface EventData {
  /** What the event is about. */
  readonly resource: {
    /** What it is. */
    readonly type: "FISCAL_DOCUMENT" | "REFUND_WORKFLOW" | "ADVANCE_CASE" | "PROFORMA_TRAINING_WORKFLOW" | "RECEIPT_DELIVERY" | "SECURITY_ELEMENT" | "LICENSE"
    /** Its id. */
    readonly id: string
    /** Its path. */
    readonly url: string
  }
  /** The document whose change it was, or that it concerns; null where it concerns none. */
  readonly fiscalDocumentId: string | null
  /** That document's, as you gave it. */
  readonly clientReference: string | null
  /** The official number, where the event says that there is a receipt; null elsewhere. */
  readonly invoiceNumber: string | null
}

/** Events in their order. */
export interface EventPage {
  /** Behind `after`, the lowest sequence first; none is left out. */
  readonly items: ReadonlyArray<Event>
  /** The sequence of the last event that exists now; 0 where there is none. What is behind the last item is read with another request. */
  readonly last: number
}

/** `document.fiscalized` and `document.found`: there is a receipt; found means that its outcome was not known at first. `document.rejected`, `document.not_fiscalized`, `document.outcome_unknown`: as the statuses. `….changed`: read it again. `receipt_delivery.…`: as the statuses of a delivery. `security_element.…`: an element is in use, was replaced, or its certificate ends or has ended. `license.expired`: production issues nothing until the licence is renewed. */
export type EventType = "document.fiscalized" | "document.found" | "document.rejected" | "document.not_fiscalized" | "document.outcome_unknown" | "refund_workflow.changed" | "advance_case.changed" | "proforma_training_workflow.changed" | "receipt_delivery.queued" | "receipt_delivery.sent" | "receipt_delivery.failed" | "security_element.activated" | "security_element.replaced" | "security_element.expiring" | "security_element.expired" | "license.changed" | "license.expired"

/** An advance taken with a receipt of another system. */
export interface ExternalAdvance {
  /** Number of the document. */
  readonly documentNumber: string
  /** Time of the document, Belgrade local time with its offset. */
  readonly documentTime: string
  /** Dinars, tax included; more than 0. */
  readonly amount: number
  /** The tax in it, dinars. */
  readonly taxAmount: number
}

/** An advance taken with a receipt of another system: counted, never refunded or referred to by the service. */
export interface ExternalAdvanceRequest {
  /** Number of the document. */
  readonly documentNumber: string
  /** Time of the document, with an offset or Z. */
  readonly documentTime: string
  /** Dinars, tax included; more than 0. */
  readonly amount: number
  /** The tax in it, dinars. */
  readonly taxAmount: number
}

/** A document of another ESIR; only a copy may refer to one. */
export interface ExternalReference {
  /** A document of another ESIR. */
  readonly source: "EXTERNAL"
  /** Its receipt number. */
  readonly pfrNumber: string
  /** Its PFR time, with an offset or Z. */
  readonly pfrTime: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
}

/** No refund was issued, and none will be under this key. */
export interface FailedRefund {
  /** The workflow. */
  readonly id: string
  /** Who issued. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The caller's reference. */
  readonly clientReference: string
  /** Where the workflow stands. */
  readonly status: "FAILED"
  readonly original: RefundOriginal
  /** The refund that was not issued. */
  readonly refund: RejectedDocument | NotFiscalizedDocument
  /** There is none. */
  readonly cashRefundCopy: null
  readonly failureCode: FailureCode | null
  /** When it was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** Why the document is not a receipt. */
export type FailureCode = "PFR_UNAVAILABLE" | "PFR_SECURITY_ELEMENT_UNAVAILABLE" | "PFR_SUBMISSION_CANCELLED_BEFORE_SEND" | "PFR_SUBMISSION_FAULT" | "PFR_VALIDATION_REJECTED" | "OUTCOME_UNKNOWN" | "OPERATOR_CONFIRMED_NOT_ISSUED" | "ADVANCE_REFUND_NOT_FISCALIZED"

/** A fiscal document. It is a receipt only when `status` is FISCALIZED. */
export type FiscalDocument = FiscalizedDocument | RejectedDocument | NotFiscalizedDocument | UnresolvedDocument | DocumentInProgress

/** A Normal Sale, or a COPY of another ESIR's document. */
export interface FiscalDocumentRequest {
  /** The taxpayer that issues. */
  readonly taxpayerId: string
  /** An active distance-commerce premise of that taxpayer. */
  readonly businessPremiseId: string
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference: string
  /** NORMAL; COPY only with an EXTERNAL reference. */
  readonly invoiceType: "NORMAL" | "COPY"
  readonly transactionType: TransactionType
  readonly cashier: Cashier
  /** The lines. */
  readonly items: ReadonlyArray<LineItem>
  /** Must sum to exactly the total of the items. */
  readonly payments: ReadonlyArray<Payment>
  /** Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF. */
  readonly commercialFooter?: string | null
  /** Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null
  readonly buyer?: Buyer | null
  /** Only for a copy. */
  readonly reference?: ServiceReference | ExternalReference | null
}

/** A receipt: the V-PFR signed it and the service stored it. */
export interface FiscalizedDocument {
  /** The document; also its operation's identifier. */
  readonly id: string
  /** Who issues. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The key the request carried. */
  readonly idempotencyKey: string
  /** The caller's order or invoice reference. */
  readonly clientReference: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** The cashier printed on the receipt. */
  readonly cashierId: string
  /** `prefix:value`. */
  readonly buyerId: string | null
  readonly buyerDetails: BuyerDetails | null
  /** Where the document stands. */
  readonly status: "FISCALIZED"
  /** The receipt exists. */
  readonly fiscalized: true
  /** Nothing failed. */
  readonly failureCode: null
  /** It is done. */
  readonly retryable: false
  readonly pfr: PfrResult
  readonly receipt: ReceiptRepresentations
  readonly reference?: ResolvedReference
  /** When the operation was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** The buyer of a refund; identification is mandatory. */
export interface IdentifiedBuyer {
  /** `prefix:value`, e.g. `10:100000008`; visible ASCII, without spaces and diacritics. */
  readonly id: string
}

/** Kind of document. */
export type InvoiceType = "NORMAL" | "COPY" | "ADVANCE" | "PROFORMA" | "TRAINING"

/** Documents of every status, latest first. */
export interface JournalPage {
  /** Without `pfrRejection`, which a single read has. */
  readonly items: ReadonlyArray<FiscalDocument>
  /** Send it as `cursor`, with the same filters, for the next page; null at the end. */
  readonly nextCursor: string | null
}

/** A refusal that names what it refused. */
export interface KeyReusedError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST" | "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT"
  /** For people. */
  readonly message?: string
  /** The operation that was stored under this key first. */
  readonly operationId: string
  readonly [fact: string]: unknown
}

/** Whether production receipts may be issued. */
export interface License {
  /** A licence exists. */
  readonly licensed: boolean
  /** Production receipts may be issued now. */
  readonly productionFiscalizationAllowed: boolean
  /** Why not. */
  readonly reason: "LICENSE_REQUIRED" | "LICENSE_NOT_STARTED" | "LICENSE_EXPIRED" | "LICENSE_SUSPENDED" | null
  /** When the licence starts. */
  readonly startsAt: string | null
  /** When it ends. */
  readonly expiresAt: string | null
  /** Suspended by the operator. */
  readonly suspended: boolean
  /** Modules enabled. */
  readonly modules: ReadonlyArray<"advance" | "email">
  /** Documents included a month; more never block. */
  readonly includedDocumentsPerMonth: number
  /** Production receipts of the organization in this Belgrade month. */
  readonly documentsThisMonth: number
}

/** One line of the receipt. */
export interface LineItem {
  /** Printed as name/unit; together at most 2048 characters. */
  readonly name: string
  /** Up to three decimals. */
  readonly quantity: number
  /** Final gross unit price after discount, dinars, at most two decimals. */
  readonly unitPrice: number
  /** Labels from the tax-rate read. */
  readonly taxLabels: ReadonlyArray<string>
  /** Required on every item except the prescribed advance item literals. */
  readonly unitOfMeasure?: string | null
  /** Greater than unitPrice; shown outside the fiscal part, never sent to the V-PFR. */
  readonly unitPriceBeforeDiscount?: number | null
  /** 8 to 14 digits; printed. */
  readonly gtin?: string | null
  /** The catalogue product; the item is complete without it. */
  readonly catalogProductId?: string | null
}

/** A proof that the log of one size begins with the log of another. */
export interface LogConsistency {
  /** The smaller size. */
  readonly from: number
  /** The greater size. */
  readonly to: number
  /** The hashes (RFC 6962 §2.1.2); none from size 0. */
  readonly proof: ReadonlyArray<string>
}

/** One transition in the log. */
export interface LogEntry {
  /** Its place in the log, from 0. */
  readonly index: number
  /** The leaf: JSON, hashed as these very bytes in UTF-8. */
  readonly leaf: string
  /** The proof that the leaf is in the checkpoint's tree, from the leaf up (RFC 6962 §2.1.1). */
  readonly inclusion: ReadonlyArray<string>
}

/** Where a document's transitions stand in the log. */
export interface LogPlace {
  /** Which log: the first line of the checkpoint, different for each organization and environment. */
  readonly origin: string
  /** The verifier key of the checkpoint's signature: `<name>+<key id>+<base64>`. */
  readonly publicKey: string
  /** The signed checkpoint that all proofs lead to. */
  readonly checkpoint: string
  /** The transitions that are in the log, oldest first; a transition is in it some seconds after it happened. */
  readonly entries: ReadonlyArray<LogEntry>
}

/** A refusal that names what it refused. */
export interface ModuleError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "MODULE_NOT_LICENSED"
  /** For people. */
  readonly message?: string
  /** The module that is not enabled. */
  readonly module: "advance" | "email"
  readonly [fact: string]: unknown
}

/** A credential of the organization, in the environment of the calling credential. */
export interface NewCredential {
  /** So that people know it in a list. */
  readonly name: string
  /** What it may do; the twelve scopes of the contract if left out. */
  readonly scopes?: ReadonlyArray<"fiscal:write" | "fiscal:read" | "refund:write" | "advance:write" | "advance:close" | "proforma-training:write" | "operations:read" | "catalogue:read" | "catalogue:write" | "configuration:read" | "tenant:read" | "security-elements:read" | "webhooks:manage"> | null
  /** The only premises that it may be used for; every one of the organization, also later ones, if left out. */
  readonly businessPremiseIds?: ReadonlyArray<string> | null
}

/** A product to be made; it starts active. */
export interface NewProduct {
  /** The taxpayer of the product; never changes. */
  readonly taxpayerId: string
  /** Your own code of the product, unique for the taxpayer, compared character for character. */
  readonly sku: string
  /** What it is called. */
  readonly name: string
  /** What it is counted in. */
  readonly unitOfMeasure: string
  /** Price of one unit with tax, dinars, at most two decimals. */
  readonly grossUnitPrice: number
  /** Labels of the tax-rate read; whether they are current is asked when a receipt is issued. */
  readonly taxLabels: ReadonlyArray<string>
  /** Its trade item number, where it has one. */
  readonly gtin?: string | null
}

/** An address that events are sent to. */
export interface NewWebhookEndpoint {
  /** Where events are sent: `https://`, in the sandbox also `http://`. It must be reachable from the internet: private addresses are refused when events are sent. */
  readonly url: string
  /** For you. */
  readonly description?: string | null
  /** The types of events that are sent; left out or null: every type, also those of later releases. */
  readonly eventTypes?: ReadonlyArray<"document.fiscalized" | "document.found" | "document.rejected" | "document.not_fiscalized" | "document.outcome_unknown" | "refund_workflow.changed" | "advance_case.changed" | "proforma_training_workflow.changed" | "receipt_delivery.queued" | "receipt_delivery.sent" | "receipt_delivery.failed" | "security_element.activated" | "security_element.replaced" | "security_element.expiring" | "security_element.expired" | "license.changed" | "license.expired"> | null
  /** `v1` (if left out): HMAC-SHA256 with a secret that both sides have. `v1a`: Ed25519; you verify with a public key and hold nothing secret. */
  readonly signature?: "v1" | "v1a" | null
}

/** Nothing was signed. Where `retryable` is true, the same request with the same key drives it again. */
export interface NotFiscalizedDocument {
  /** The document; also its operation's identifier. */
  readonly id: string
  /** Who issues. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The key the request carried. */
  readonly idempotencyKey: string
  /** The caller's order or invoice reference. */
  readonly clientReference: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** The cashier printed on the receipt. */
  readonly cashierId: string
  /** `prefix:value`. */
  readonly buyerId: string | null
  readonly buyerDetails: BuyerDetails | null
  /** Where the document stands. */
  readonly status: "NOT_FISCALIZED"
  /** No receipt exists. */
  readonly fiscalized: false
  /** Why. */
  readonly failureCode: "PFR_UNAVAILABLE" | "PFR_SECURITY_ELEMENT_UNAVAILABLE" | "PFR_SUBMISSION_CANCELLED_BEFORE_SEND" | "OPERATOR_CONFIRMED_NOT_ISSUED" | "ADVANCE_REFUND_NOT_FISCALIZED"
  /** True: nothing was sent; repeat the same request with the same key. */
  readonly retryable: boolean
  /** There is none. */
  readonly pfr: null
  /** There is none. */
  readonly receipt: null
  readonly reference?: ResolvedReference
  /** When the operation was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** A refusal that names what it refused. */
export interface NothingReservedError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "PFR_SANDBOX_NOT_CONFIGURED" | "PFR_ENVIRONMENT_DISABLED" | "RESTORE_IN_PROGRESS" | "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"
  /** For people. */
  readonly message?: string
  /** Nothing was reserved and nothing sent: no receipt exists. */
  readonly fiscalized: false
  readonly [fact: string]: unknown
}

/** Not completed, or not known yet: the refund exists or may exist. The same request with the same key carries it on, with one exception: COPY_PENDING with the failureCode PFR_VALIDATION_REJECTED. There the refund is valid, its copy was rejected, and an operator has the copy sent again; repeating changes nothing, and another key would give the money back twice. */
export interface OpenRefund {
  /** The workflow. */
  readonly id: string
  /** Who issued. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The caller's reference. */
  readonly clientReference: string
  /** Where the workflow stands. */
  readonly status: "REFUND_PENDING" | "REFUND_OUTCOME_UNKNOWN" | "COPY_PENDING" | "COPY_OUTCOME_UNKNOWN"
  readonly original: RefundOriginal
  readonly refund: FiscalDocument
  readonly cashRefundCopy: FiscalDocument | null
  readonly failureCode: FailureCode | null
  /** When it was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** The durable record behind a document: what happened, whether a receipt exists, what to do next. */
export interface Operation {
  /** The operation; also its document's identifier. */
  readonly id: string
  /** Type pair of the document, e.g. NORMAL_SALE. */
  readonly kind: string
  readonly status: DocumentStatus
  /** True only when a receipt exists. */
  readonly fiscalized: boolean
  /** True: repeat the same request with the same key. */
  readonly retryable: boolean
  readonly failureCode: FailureCode | null
  /** One sentence: what happened, whether a receipt exists, what to do next. */
  readonly summary: string
  readonly workflow: WorkflowLink | null
  /** When the service asks the V-PFR next. */
  readonly nextCheckAt: string | null
  /** Every transition so far, oldest first. */
  readonly transitions: ReadonlyArray<Transition>
  readonly document: FiscalDocument
}

/** The paper a receipt is printed on. */
export type PaperFormat = "a4" | "80mm" | "58mm"

/** One payment. */
export interface Payment {
  readonly type: PaymentType
  /** Dinars; more than two decimals are rejected by the V-PFR with code 2804. */
  readonly amount: number
}

/** How it was paid. */
export type PaymentType = "CARD" | "WIRE_TRANSFER" | "INSTANT_PAYMENT" | "CASH" | "VOUCHER" | "CHECK" | "OTHER"

/** Which fields of the request the V-PFR refused, and why. */
export interface PfrRejection {
  /** At most ten. */
  readonly items: ReadonlyArray<{
    /** Path of the field in the caller's request, e.g. `items[0].taxLabels[0]`. */
    readonly property: string
    /** V-PFR rejection codes, in its order. */
    readonly codes: ReadonlyArray<string>
  }>
}

/** What the V-PFR signed. */
export interface PfrResult {
  /** Official receipt number: `<JID>-<JID>-<total counter>`. */
  readonly invoiceNumber: string
  /** The V-PFR's signing time, digits and offset exactly as the V-PFR wrote them; the official receipt time. */
  readonly sdcTime: string
  /** JID of the element that requested the signature. */
  readonly requestedBy: string
  /** JID of the element that signed. */
  readonly signedBy: string
  /** Left half of the printed counter. */
  readonly transactionTypeCounter: number | null
  /** Right half of the printed counter. */
  readonly totalCounter: number | null
  /** Official document mark after the counter: ПП, ПР, АП, АР, КП, КР, ОП, ОР, РП, РР. */
  readonly invoiceCounterExtension: string | null
  /** Total the V-PFR signed, dinars. */
  readonly totalAmount: number
  /** Exact sum of the signed tax amounts, dinars. */
  readonly totalTax: number | null
  /** The tax authority's verification link, the one in the QR code. */
  readonly verificationUrl: string
  /** The official receipt text; may be shown or printed unchanged. */
  readonly journal: string
}

/** A refusal without further facts. */
export interface PlainError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "CREDENTIAL_ENVIRONMENT_MISMATCH" | "CREDENTIAL_ENVIRONMENT_REQUIRED" | "LICENSE_REQUIRED" | "LICENSE_NOT_STARTED" | "LICENSE_EXPIRED" | "LICENSE_SUSPENDED" | "TAXPAYER_NOT_FOUND" | "BUSINESS_PREMISE_NOT_FOUND" | "FISCAL_DOCUMENT_NOT_FOUND" | "LPFR_REQUIRED_FOR_IN_PERSON_SALES" | "BUSINESS_PREMISE_INACTIVE" | "ACTIVE_SECURITY_ELEMENT_REQUIRED" | "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE" | "REFERENCE_DOCUMENT_NOT_FOUND" | "REFERENCE_DOCUMENT_NOT_FISCALIZED" | "REFERENCE_DOCUMENT_SCOPE_MISMATCH" | "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED" | "COPY_SOURCE_NOT_COPYABLE" | "COPY_SOURCE_NOT_FISCALIZED" | "ADVANCE_CASE_NOT_OPEN" | "ADVANCE_CANCELLATION_TARGET_NOT_LATEST" | "ADVANCE_CLOSE_TOTAL_MISMATCH" | "ADVANCE_CASE_HAS_NO_FISCALIZED_SALE" | "ADVANCE_PAYMENT_SUPERSEDED" | "ADVANCE_CASE_CLOSE_ALREADY_RESERVED" | "ADVANCE_REFUND_NOT_FISCALIZED" | "CATALOGUE_SKU_ALREADY_EXISTS" | "CATALOGUE_IMPORT_TOO_MANY_ROWS" | "CATALOGUE_IMPORT_HEADERS_INVALID" | "JOURNAL_EXPORT_RESULT_LIMIT_EXCEEDED" | "RECEIPT_DELIVERY_DISABLED" | "RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED" | "RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER" | "RECEIPT_DELIVERY_UNAVAILABLE" | "PFR_SECURITY_ELEMENT_UNAVAILABLE" | "PFR_SUBMISSION_CANCELLED_BEFORE_SEND" | "PFR_SUBMISSION_FAULT" | "OUTCOME_UNKNOWN" | "PFR_VALIDATION_REJECTED" | "MALFORMED_JSON" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNAUTHENTICATED" | "CREDENTIAL_RESTRICTED_TO_PREMISES" | "RATE_LIMITED" | "STORE_UNAVAILABLE" | "INTERNAL_ERROR" | "INVALID_QUERY" | "OPERATION_NOT_FOUND" | "REFUND_WORKFLOW_NOT_FOUND" | "ADVANCE_CASE_NOT_FOUND" | "WORKFLOW_NOT_FOUND" | "PRODUCT_NOT_FOUND" | "RECEIPT_DELIVERY_NOT_FOUND" | "CREDENTIAL_NOT_FOUND" | "OWN_CREDENTIALS_NOT_ALLOWED" | "TAXPAYER_ALREADY_EXISTS" | "WEBHOOK_ENDPOINT_NOT_FOUND" | "WEBHOOK_ENDPOINT_ALREADY_EXISTS" | "WEBHOOK_ENDPOINT_LIMIT_REACHED" | "COSIGNED_CHECKPOINT_NOT_FOUND" | "EVENT_SEQUENCE_CHANGED" | "REPRESENTATION_NOT_AVAILABLE" | "PFR_UNAVAILABLE" | "OPERATOR_CONFIRMED_NOT_ISSUED"
  /** For people. */
  readonly message?: string
  readonly [fact: string]: unknown
}

/** The tax of one label over all lines. */
export interface PreviewTax {
  /** The label. */
  readonly label: string
  /** Percent, or dinars per unit of quantity for labels of that kind. */
  readonly rate: number
  /** Dinars with four decimals, as the V-PFR will sign it. */
  readonly amount: number
}

/** RFC 9457 problem: the shape of the request is wrong; every fault at once. */
export interface Problem {
  /** Address of the page that explains it. */
  readonly type: string
  /** For people. */
  readonly title: string
  /** The HTTP status. */
  readonly status: 422
  /** Messages by field: dotted PascalCase paths without indices, `totals` for the total check. */
  readonly errors: Readonly<Record<string, ReadonlyArray<string>>>
  /** Each fault at its exact place. */
  readonly details: ReadonlyArray<{
    /** RFC 6901 pointer into the body; empty for headers, query and the body as a whole. */
    readonly pointer: string
    /** What is wrong. */
    readonly message: string
  }>
}

/** A product of a taxpayer's catalogue. Receipts keep their own copy of what they sold. */
export interface Product {
  /** The product. */
  readonly id: string
  /** The taxpayer of the product. */
  readonly taxpayerId: string
  /** Your own code of the product, unique for the taxpayer, compared character for character. */
  readonly sku: string
  /** Its trade item number, where it has one. */
  readonly gtin: string | null
  /** What it is called. */
  readonly name: string
  /** What it is counted in. */
  readonly unitOfMeasure: string | null
  /** Price of one unit with tax, dinars, at most two decimals. */
  readonly grossUnitPrice: number
  /** Labels of the tax-rate read; whether they are current is asked when a receipt is issued. */
  readonly taxLabels: ReadonlyArray<string>
  /** An inactive product stays in the catalogue and on its receipts. */
  readonly isActive: boolean
  /** When it was made. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** The result of an import. */
export interface ProductImportResult {
  /** Products made. */
  readonly created: number
  /** Products replaced. */
  readonly updated: number
  /** Rows of the file. */
  readonly total: number
}

/** Products, newest first. */
export interface ProductPage {
  /** The products. */
  readonly items: ReadonlyArray<Product>
  /** Send it as `cursor` for the next page; null at the end. */
  readonly nextCursor: string | null
}

/** Every editable field of a product. */
export interface ProductReplacement {
  /** Your own code of the product, unique for the taxpayer, compared character for character. */
  readonly sku: string
  /** What it is called. */
  readonly name: string
  /** What it is counted in. */
  readonly unitOfMeasure: string
  /** Price of one unit with tax, dinars, at most two decimals. */
  readonly grossUnitPrice: number
  /** Labels of the tax-rate read; whether they are current is asked when a receipt is issued. */
  readonly taxLabels: ReadonlyArray<string>
  /** An inactive product stays in the catalogue and on its receipts. */
  readonly isActive: boolean
  /** Its trade item number, where it has one. */
  readonly gtin?: string | null
  /** As read; must be the product's. */
  readonly id?: string | null
  /** As read; must be the product's, which never changes. */
  readonly taxpayerId?: string | null
  /** As read; changes nothing. */
  readonly createdAt?: string | null
  /** As read; changes nothing. */
  readonly updatedAt?: string | null
}

/** The buyer; `id` is required on a refund. */
export interface ProformaTrainingBuyer {
  /** `prefix:value`, e.g. `10:100000008`; visible ASCII, without spaces and diacritics. */
  readonly id?: string | null
}

/** A proforma or training document. A refund repeats every item of its source, in order. */
export interface ProformaTrainingRequest {
  /** The taxpayer that issues. */
  readonly taxpayerId: string
  /** An active distance-commerce premise of that taxpayer. */
  readonly businessPremiseId: string
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference: string
  /** Kind of document. */
  readonly invoiceType: "PROFORMA" | "TRAINING"
  readonly transactionType: TransactionType
  readonly cashier: Cashier
  /** The lines. */
  readonly items: ReadonlyArray<LineItem>
  /** Must sum to exactly the total of the items. */
  readonly payments: ReadonlyArray<Payment>
  /** Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF. */
  readonly commercialFooter?: string | null
  /** Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null
  readonly buyer?: ProformaTrainingBuyer | null
  /** The sale that a refund gives back; required on a refund, refused on a sale. */
  readonly reference?: ServiceReference | null
}

/** The document that a refund gives back. */
export interface ProformaTrainingSource {
  /** The service issued it. */
  readonly source: "SVC"
  /** The document. */
  readonly fiscalDocumentId: string
  /** Its number. */
  readonly pfrNumber: string
  /** Its PFR time. */
  readonly pfrTime: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
}

/** A proforma or training document with its life. It is not a receipt for the buyer. */
export interface ProformaTrainingWorkflow {
  /** The workflow. */
  readonly id: string
  /** The taxpayer that issued the document. */
  readonly taxpayerId: string
  /** The premise it was issued in. */
  readonly businessPremiseId: string
  /** The caller's reference. */
  readonly clientReference: string
  /** COMPLETED: signed. PENDING: not sent. OUTCOME_UNKNOWN: may have been signed. FAILED: rejected. */
  readonly status: "PENDING" | "OUTCOME_UNKNOWN" | "COMPLETED" | "FAILED"
  readonly document: FiscalDocument
  readonly source: ProformaTrainingSource | null
  readonly failureCode: FailureCode | null
  /** When it was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** Everything that shows what happened to a document, in one file. A person or a program can check it offline. */
export interface Proof {
  /** Version of this form. */
  readonly version: 1
  readonly document: FiscalDocument
  readonly request: ProvenRequest
  /** Every attempt to have it signed, the first one first. */
  readonly attempts: ReadonlyArray<ProvenAttempt>
  /** Every transition of the document, oldest first. */
  readonly transitions: ReadonlyArray<ProvenTransition>
  readonly answer: ProvenAnswer | null
  readonly journal: ProvenPlace | null
}

/** The V-PFR's answer. */
export interface ProvenAnswer {
  /** Its bytes. */
  readonly text: string
  readonly verification: ProvenVerification | null
}

/** One attempt to have the document signed. */
export interface ProvenAttempt {
  /** From 1. */
  readonly number: number
  /** The `RequestId` the V-PFR was sent. */
  readonly requestId: string
  /** JID of the security element. */
  readonly jid: string
  /** When it was reserved, before anything was sent. */
  readonly startedAt: string
  /** How it ended; null while that is not known. */
  readonly outcome: "SIGNED" | "REJECTED" | "NOT_SENT" | "NO_ANSWER" | null
  /** The last search of the V-PFR for this `RequestId`. */
  readonly lastSearch: {
    /** When. */
    readonly at: string
    /** Whether it found a receipt that is not this document's. */
    readonly found: boolean
  } | null
}

/** The document's place in the journal's log. */
export interface ProvenPlace {
  /** Which log. */
  readonly origin: string
  /** Its verifier key, in the form of signed notes. */
  readonly publicKey: string
  /** A signed checkpoint whose tree holds every entry. */
  readonly checkpoint: string
  /** The document's sealed transitions. */
  readonly entries: ReadonlyArray<{
    /** Its position, from 0. */
    readonly index: number
    /** The leaf: JSON, hashed as these UTF-8 bytes. */
    readonly leaf: string
    /** The audit path of RFC 6962. */
    readonly inclusion: ReadonlyArray<string>
  }>
}

/** The request. Documents that the service itself composed show the request that caused them. */
export interface ProvenRequest {
  /** Of the request. */
  readonly method: string
  /** With its parameters. */
  readonly path: string
  /** The body as it was received. */
  readonly received: string
  /** The text of which the fingerprint is taken: target and body, every spelling alike; null where it was made by rules of another version. */
  readonly canonical: string | null
  /** SHA-256 of `canonical`, hexadecimal. */
  readonly fingerprint: string
  /** Version of the rules that made `canonical`. */
  readonly fingerprintRule: number
  /** Present where `metadata` and the cashier's `displayName` were erased from `received` since; `canonical` is then null. */
  readonly erased?: {
    /** When. */
    readonly at: string
    /** The digests of body and record before and after the erasure, as a note signed with the log's key (C2SP signed-note). */
    readonly note: string
  }
}

/** One transition of the document. */
export interface ProvenTransition {
  readonly from: DocumentStatus | null
  readonly to: DocumentStatus
  /** When. */
  readonly at: string
  /** What happened. */
  readonly cause: string
  /** Which host, worker or operator made it. */
  readonly actor: string
  /** Number of the attempt, 0 before the first. */
  readonly attempt: number
}

/** The verification link in the answer, decoded, and what can be said of it offline. */
export interface ProvenVerification {
  /** What the link states. */
  readonly link: {
    /** The address the link leads to. */
    readonly root: string
    /** JID of the security element. */
    readonly requestedBy: string
    /** JID of the signer, as the link names it. */
    readonly signedBy: string
    /** Receipts of this pair of element and signer. */
    readonly totalCounter: number
    /** The same, of this kind of document. */
    readonly transactionTypeCounter: number
    /** Dinars. */
    readonly totalAmount: number
    /** When it was signed. */
    readonly sdcTime: string
    readonly invoiceType: InvoiceType
    readonly transactionType: TransactionType
    /** `prefix:value`. */
    readonly buyerId: string | null
  }
  /** The link's checksum fits. Anybody can compute it: no proof of origin. */
  readonly undamaged: boolean
  /** `VALID`: it verifies under `signer`. `UNDER_NO_KNOWN_KEY`: under none of the keys the operator has recorded. `NOT_CHECKED`: there is no key. */
  readonly signature: "VALID" | "UNDER_NO_KNOWN_KEY" | "NOT_CHECKED"
  /** The key under which it verifies. Whose key it is has to be known from elsewhere. */
  readonly signer: {
    /** The name under which the operator recorded it. */
    readonly name: string
    /** RSA modulus, hexadecimal; the exponent is 65537. */
    readonly modulus: string
  } | null
  /** How far each fact of the link can be relied on. */
  readonly standing: {
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly sdcTime: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly totalAmount: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly invoiceType: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly transactionType: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly buyerId: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly totalCounter: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly transactionTypeCounter: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly requestedBy: "PROVEN" | "CLAIMED" | "NOT_COVERED"
    /** `PROVEN`: signed, and the signature verifies under a known key. `CLAIMED`: signed, not verified. `NOT_COVERED`: not signed; anybody could have changed it. */
    readonly signedBy: "PROVEN" | "CLAIMED" | "NOT_COVERED"
  }
  /** Whether the link leads to the tax authority's address; null where that is not known. */
  readonly leadsToAuthority: boolean | null
}

/** The delivery of a receipt to a mailbox. */
export interface ReceiptDelivery {
  /** The delivery. */
  readonly id: string
  /** The receipt. */
  readonly fiscalDocumentId: string
  /** The address; null once it was erased on request. */
  readonly recipient: string | null
  /** `QUEUED` until the mail server took or refused it, then `SENT` or `FAILED` for good. */
  readonly status: "QUEUED" | "SENT" | "FAILED"
  /** How many attempts got far enough to name the recipient. */
  readonly attempts: number
  /** Why the last attempt failed, without addresses. */
  readonly lastError: string | null
  /** When it was asked for. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** One page of deliveries, latest first. */
export interface ReceiptDeliveryPage {
  /** The deliveries. */
  readonly items: ReadonlyArray<ReceiptDelivery>
  /** To be sent as `cursor` for the next page; null at the end. */
  readonly nextCursor: string | null
}

/** A receipt to be sent to its buyer. */
export interface ReceiptDeliveryRequest {
  /** The receipt. */
  readonly fiscalDocumentId: string
  /** One e-mail address, in any script. */
  readonly recipient: string
  /** What is attached; left out, what the taxpayer has set, else the PDF of its preferred paper. */
  readonly formats?: ReadonlyArray<"official-text" | "pdf-a4" | "pdf-80mm" | "pdf-58mm"> | null
  /** Language and script of the message; left out, what the taxpayer has set. */
  readonly locale?: "sr-Cyrl" | "sr-Latn" | "en" | null
}

/** Where the receipt can be fetched in each form; relative to the base address. */
export interface ReceiptRepresentations {
  /** official-text */
  readonly textUrl: string
  /** canonical-json */
  readonly jsonUrl: string
  /** pdf-a4 */
  readonly pdfA4Url: string
  /** pdf-80mm */
  readonly pdf80mmUrl: string
  /** pdf-58mm */
  readonly pdf58mmUrl: string
  /** preview-png */
  readonly previewImageUrl: string
  /** qr-svg */
  readonly qrImageUrl: string
  /** The tax authority's verification link. */
  readonly verificationUrl: string
  readonly preferredPaperFormat: PaperFormat
}

/** What of a receipt can still be given back. */
export interface Refundable {
  /** The receipt. */
  readonly fiscalDocumentId: string
  /** By line of the original. */
  readonly lines: ReadonlyArray<{
    /** Index of the line. */
    readonly originalLineIndex: number
    /** Quantity still refundable. */
    readonly quantity: number
    /** Money still refundable, dinars. */
    readonly amount: number
    /** Refunds whose outcome is open. */
    readonly heldBy: ReadonlyArray<{
      /** The workflow. */
      readonly workflowId: string
      /** Quantity it holds. */
      readonly quantity: number
      /** Money it holds. */
      readonly amount: number
    }>
    readonly item: RefundItem | null
  }>
}

/** A line of the original, given back in whole or in part. */
export interface RefundItem {
  /** Printed as name/unit; together at most 2048 characters. */
  readonly name: string
  /** Up to three decimals. */
  readonly quantity: number
  /** Final gross unit price after discount, dinars, at most two decimals. */
  readonly unitPrice: number
  /** Labels from the tax-rate read. */
  readonly taxLabels: ReadonlyArray<string>
  /** Zero-based index of the line in the original's items. */
  readonly originalLineIndex: number
  /** Required on every item except the prescribed advance item literals. */
  readonly unitOfMeasure?: string | null
  /** Greater than unitPrice; shown outside the fiscal part, never sent to the V-PFR. */
  readonly unitPriceBeforeDiscount?: number | null
  /** 8 to 14 digits; printed. */
  readonly gtin?: string | null
  /** The catalogue product; the item is complete without it. */
  readonly catalogProductId?: string | null
}

/** A refusal that names what it refused. */
export interface RefundLinesError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "REFUND_ORIGINAL_LINE_NOT_FOUND" | "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE" | "REFUND_QUANTITY_EXCEEDS_ORIGINAL" | "REFUND_CUMULATIVE_QUANTITY_EXCEEDED"
  /** For people. */
  readonly message?: string
  /** Each refused line of the request. */
  readonly details: ReadonlyArray<{
    /** RFC 6901 pointer to the value in the request. */
    readonly pointer: string
    /** What is wrong with it. */
    readonly message: string
    /** Index of the line in the request. */
    readonly itemIndex?: number
    /** Index of the line of the original. */
    readonly originalLineIndex?: number
    /** The quantity asked for. */
    readonly quantity?: number
    /** The quantity of the original's line. */
    readonly quantityOriginal?: number
    /** The quantity that can still be given back. */
    readonly quantityRefundable?: number
    readonly [fact: string]: unknown
  }>
  readonly [fact: string]: unknown
}

/** The refunded receipt. */
export interface RefundOriginal {
  /** A document of this service. */
  readonly source: "SVC"
  /** The receipt. */
  readonly fiscalDocumentId: string
  /** Its number. */
  readonly pfrNumber: string
  /** Its PFR time. */
  readonly pfrTime: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
}

/** A full or partial refund of a Normal Sale this service issued. */
export interface RefundRequest {
  /** The taxpayer that issues. */
  readonly taxpayerId: string
  /** The premise of the original. */
  readonly businessPremiseId: string
  /** Your order, invoice or transaction reference; searchable, need not be unique. */
  readonly clientReference: string
  readonly original: ServiceReference
  readonly cashier: Cashier
  readonly buyer: IdentifiedBuyer
  /** The lines given back. */
  readonly items: ReadonlyArray<RefundItem>
  /** Must sum to exactly what is given back. */
  readonly payments: ReadonlyArray<Payment>
  /** Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF. */
  readonly commercialFooter?: string | null
  /** Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | null
}

/** A refund and, when cash was given back, its signed copy. */
export type RefundWorkflow = CompletedRefund | FailedRefund | OpenRefund

/** Refund workflows, latest first. */
export interface RefundWorkflowPage {
  /** Without `pfrRejection`, which a single read has. A page may have fewer than were asked for, or none, where statuses are asked for. */
  readonly items: ReadonlyArray<RefundWorkflow>
  /** To be sent as `cursor`, with the same filters, for the next page; null at the end. */
  readonly nextCursor: string | null
}

/** A taxpayer just registered, with its premises. */
export interface RegisteredTaxpayer {
  /** The taxpayer. */
  readonly id: string
  /** The tax identifier (PIB); immutable. */
  readonly taxIdentifier: string
  /** Registered name. */
  readonly name: string
  /** Street and number. */
  readonly address: string | null
  /** City. */
  readonly city: string | null
  /** The environment of the credential. */
  readonly environment: "sandbox" | "production"
  /** Whether the taxpayer is in the VAT system. */
  readonly vatStatus: "IN_VAT" | "OUTSIDE_VAT"
  /** An inactive taxpayer issues nothing. */
  readonly status: "active" | "inactive"
  /** When it was registered. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
  /** The premises. */
  readonly businessPremises: ReadonlyArray<BusinessPremise>
}

/** The V-PFR rejected the request: no receipt exists and none will. A corrected request needs a new key. */
export interface RejectedDocument {
  /** The document; also its operation's identifier. */
  readonly id: string
  /** Who issues. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The key the request carried. */
  readonly idempotencyKey: string
  /** The caller's order or invoice reference. */
  readonly clientReference: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** The cashier printed on the receipt. */
  readonly cashierId: string
  /** `prefix:value`. */
  readonly buyerId: string | null
  readonly buyerDetails: BuyerDetails | null
  /** Where the document stands. */
  readonly status: "REJECTED"
  /** No receipt exists. */
  readonly fiscalized: false
  /** Why. */
  readonly failureCode: "PFR_VALIDATION_REJECTED"
  /** Repeating it cannot help. */
  readonly retryable: false
  /** There is none. */
  readonly pfr: null
  /** There is none. */
  readonly receipt: null
  readonly reference?: ResolvedReference
  /** When the operation was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
  readonly pfrRejection?: PfrRejection
}

/** One payment of the final sale of an advance case. */
export interface RemainingPayment {
  readonly type: PaymentType
  /** Dinars, at most two decimals. */
  readonly amount: number
}

/** The document this one refers to, with the facts that went to the V-PFR. */
export interface ResolvedReference {
  /** Absent for a document of another ESIR. */
  readonly fiscalDocumentId?: string
  /** Its receipt number. */
  readonly pfrNumber: string
  /** Its PFR time. */
  readonly pfrTime: string
}

/** This installation, as the credential sees it. */
export interface Runtime {
  /** Who makes it. */
  readonly manufacturer: string
  /** What it is. */
  readonly productName: string
  /** Approval number of the tax authority; empty until it is assigned. */
  readonly esirNumber: string
  /** Version of the software. */
  readonly softwareVersion: string
  /** The source it was built from. */
  readonly buildCommit: string
  /** The host that answered. */
  readonly instanceId: string
  /** The credential's organization. */
  readonly organizationId: string
  /** The credential. */
  readonly clientId: string
  /** Fiscal calls of this credential are served. */
  readonly fiscalEndpointsEnabled: boolean
  /** `configured` means fiscalization is possible. */
  readonly pfrAdapter: "configured" | "not_configured"
}

/** A refusal that names what it refused. */
export interface ScopeError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "INSUFFICIENT_SCOPE"
  /** For people. */
  readonly message?: string
  /** The scope the credential lacks. */
  readonly scope: string
  readonly [fact: string]: unknown
}

/** A security element's certificate facts. */
export interface SecurityElement {
  /** The element. */
  readonly id: string
  /** The taxpayer it belongs to. */
  readonly taxpayerId: string
  /** The premise it belongs to. */
  readonly businessPremiseId: string
  /** The environment of the credential. */
  readonly environment: "sandbox" | "production"
  /** Its JID. */
  readonly jid: string
  /** Certificate subject. */
  readonly subject: string
  /** Certificate issuer. */
  readonly issuer: string
  /** Certificate serial number. */
  readonly serialNumber: string
  /** Certificate fingerprint. */
  readonly fingerprintSha256: string
  /** Valid from. */
  readonly validFrom: string
  /** Valid to. */
  readonly validTo: string
  /** Whole days until it expires; negative after. */
  readonly daysLeft: number
  /** Its state. */
  readonly status: "UPLOADED" | "ACTIVE" | "REPLACED" | "EXPIRED"
}

/** The organization's elements in the credential's environment. */
export interface SecurityElementList {
  /** The elements. */
  readonly items: ReadonlyArray<SecurityElement>
}

/** A document this service issued. */
export interface ServiceReference {
  /** A document of this service. */
  readonly source: "SVC"
  /** The service fills in its PFR facts. */
  readonly fiscalDocumentId: string
}

/** A refusal that names what it refused. */
export interface TaxLabelError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "TAX_LABEL_NOT_CURRENT" | "TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT"
  /** For people. */
  readonly message?: string
  /** The labels that were refused. */
  readonly invalidLabels: ReadonlyArray<string>
  /** Where they stand in the request; absent where the lines are those of a stored document. */
  readonly details?: ReadonlyArray<{
    /** RFC 6901 pointer to the label in the request. */
    readonly pointer: string
    /** What is wrong with it. */
    readonly message: string
  }>
  readonly [fact: string]: unknown
}

/** A company that issues receipts; once per environment. */
export interface Taxpayer {
  /** The taxpayer. */
  readonly id: string
  /** The tax identifier (PIB); immutable. */
  readonly taxIdentifier: string
  /** Registered name. */
  readonly name: string
  /** Street and number. */
  readonly address: string | null
  /** City. */
  readonly city: string | null
  /** The environment of the credential. */
  readonly environment: "sandbox" | "production"
  /** Whether the taxpayer is in the VAT system. */
  readonly vatStatus: "IN_VAT" | "OUTSIDE_VAT"
  /** An inactive taxpayer issues nothing. */
  readonly status: "active" | "inactive"
  /** When it was registered. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** The organization's taxpayers in the credential's environment. */
export interface TaxpayerList {
  /** The taxpayers. */
  readonly items: ReadonlyArray<Taxpayer>
}

/** A taxpayer and its premises, in the credential's environment. */
export interface TaxpayerRegistration {
  /** The tax identifier (PIB), nine digits; immutable. */
  readonly taxIdentifier: string
  /** Registered name. */
  readonly name: string
  /** Whether the taxpayer is in the VAT system. */
  readonly vatStatus: "IN_VAT" | "OUTSIDE_VAT"
  /** Its premises. */
  readonly businessPremises: ReadonlyArray<BusinessPremiseRegistration>
  /** Street and number. */
  readonly address?: string | null
  /** City. */
  readonly city?: string | null
}

/** The labels a receipt of this premise may carry now. */
export interface TaxRateConfiguration {
  /** Who published them. */
  readonly source: "V-PFR"
  /** The environment of the credential. */
  readonly environment: "sandbox" | "production"
  /** The taxpayer it belongs to. */
  readonly taxpayerId: string
  /** The premise it belongs to. */
  readonly businessPremiseId: string
  /** The V-PFR's group. */
  readonly currentTaxGroupId: number
  /** Since when the group is valid, Belgrade local time. */
  readonly validFrom: string
  /** When the V-PFR was asked. */
  readonly fetchedAt: string
  /** The labels. */
  readonly labels: ReadonlyArray<{
    /** The label itself; compared code point for code point. */
    readonly label: string
    /** The category's name. */
    readonly category: string
    /** 0 tax on net, 1 tax on total, 2 amount per quantity. */
    readonly categoryType: 0 | 1 | 2
    /** Percent; dinars per unit for category type 2. */
    readonly rate: number
    /** Since when, Belgrade local time. */
    readonly activeFrom: string
  }>
}

/** Sale or refund. */
export type TransactionType = "SALE" | "REFUND"

/** One transition of the document. */
export interface Transition {
  readonly from: DocumentStatus | null
  readonly to: DocumentStatus
  /** When. */
  readonly at: string
  /** What happened. */
  readonly cause: string
}

/** Sales less refunds of Normal and Advance receipts. */
export interface TurnoverReport {
  /** Sorted by their groups; one row where nothing is grouped. */
  readonly rows: ReadonlyArray<TurnoverRow>
}

/** One group. `gross` is the sum of `payments` and `advanceApplied`. */
export interface TurnoverRow {
  /** The value of every grouping asked for. */
  readonly group: {
    /** Belgrade day of the signing time. */
    readonly day?: string
    /** Belgrade month of the signing time. */
    readonly month?: string
    /** The premise. */
    readonly premise?: string
    /** How it was paid; null for the part of a final sale that its advances had paid (`advanceApplied`), which has no payment of its own. */
    readonly paymentType?: "CARD" | "WIRE_TRANSFER" | "INSTANT_PAYMENT" | "CASH" | "VOUCHER" | "CHECK" | "OTHER" | null
    /** The label, or all labels of an item separated by a comma. */
    readonly taxLabel?: string
    /** The cashier's id. */
    readonly cashier?: string
  }
  /** Receipts, sales and refunds alike, that have a part in the group. */
  readonly receipts: number
  /** Sales less refunds, dinars. */
  readonly gross: number
  /** By type. */
  readonly payments: ReadonlyArray<{
    readonly type: PaymentType
    /** Dinars. */
    readonly amount: number
  }>
  /** By label. */
  readonly taxes: ReadonlyArray<{
    /** The label. */
    readonly label: string
    /** The signed amounts summed, rounded once. */
    readonly amount: number
  }>
  /** What closed advances paid, dinars. */
  readonly advanceApplied: number
}

/** A refusal that names what it refused. */
export interface UnreadableError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "FISCAL_DOCUMENT_UNREADABLE"
  /** For people. */
  readonly message?: string
  /** The document that cannot be read. */
  readonly operationId: string
  readonly [fact: string]: unknown
}

/** It is not known whether a receipt exists; one may. Send nothing new for this sale and read the operation until it is known. */
export interface UnresolvedDocument {
  /** The document; also its operation's identifier. */
  readonly id: string
  /** Who issues. */
  readonly taxpayerId: string
  /** Where. */
  readonly businessPremiseId: string
  /** The key the request carried. */
  readonly idempotencyKey: string
  /** The caller's order or invoice reference. */
  readonly clientReference: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
  /** The cashier printed on the receipt. */
  readonly cashierId: string
  /** `prefix:value`. */
  readonly buyerId: string | null
  readonly buyerDetails: BuyerDetails | null
  /** Where the document stands. */
  readonly status: "OUTCOME_UNKNOWN" | "RECONCILING"
  /** No receipt is known. */
  readonly fiscalized: false
  /** Why. */
  readonly failureCode: "OUTCOME_UNKNOWN" | "PFR_SUBMISSION_FAULT"
  /** Repeating it cannot help. */
  readonly retryable: false
  /** There is none. */
  readonly pfr: null
  /** There is none. */
  readonly receipt: null
  readonly reference?: ResolvedReference
  /** When the operation was stored. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** One attempt to send an event. */
export interface WebhookAttempt {
  /** The event; the header `webhook-id`. */
  readonly eventId: string
  /** The event's number; null for a test message. */
  readonly sequence: number | null
  /** When the attempt ended. */
  readonly at: string
  /** Whether the receiver has the event: it answered 2xx. */
  readonly taken: boolean
  /** The status of its answer; null where there was none. */
  readonly statusCode: number | null
  /** The beginning of its answer, at most 4 KiB. */
  readonly answer: string
  /** Why there was no answer. */
  readonly error: string | null
  /** How long the attempt took, in milliseconds. */
  readonly millis: number
}

/** The latest attempts of the last 30 days. */
export interface WebhookAttemptList {
  /** The newest first. */
  readonly items: ReadonlyArray<WebhookAttempt>
}

/** An address that events are sent to. */
export interface WebhookEndpoint {
  /** The endpoint. */
  readonly id: string
  /** Where events are sent. */
  readonly url: string
  /** Yours. */
  readonly description: string | null
  /** The types that are sent; null: every type. */
  readonly eventTypes: ReadonlyArray<EventType> | null
  /** `v1`: HMAC-SHA256; `v1a`: Ed25519. */
  readonly signature: "v1" | "v1a"
  /** The keys that sign, the newest first; each message has a signature of each of them. */
  readonly keys: ReadonlyArray<WebhookKey>
  /** `ACTIVE`, `PAUSED`; `REMOVED` in the answer to its removal only. */
  readonly status: "ACTIVE" | "PAUSED" | "REMOVED"
  /** `REQUESTED`; `FAILING`: every attempt failed for three days; `GONE`: it answered 410. */
  readonly pausedBecause: "REQUESTED" | "FAILING" | "GONE" | null
  /** Since when every attempt has failed; null while it works. */
  readonly failingSince: string | null
  /** Events up to this number are queued for it or were sent. */
  readonly sequence: number
  /** When it was made. */
  readonly createdAt: string
  /** When its owner changed it last. */
  readonly updatedAt: string
}

/** The endpoints of the environment. */
export interface WebhookEndpointList {
  /** The oldest first. */
  readonly items: ReadonlyArray<WebhookEndpoint>
}

/** Every field of an endpoint that can change. */
export interface WebhookEndpointReplacement {
  /** Where events are sent: `https://`, in the sandbox also `http://`. It must be reachable from the internet: private addresses are refused when events are sent. */
  readonly url: string
  /** `PAUSED`: events wait. `ACTIVE`: everything that waited is sent. `REMOVED`: final; nothing is sent any more. */
  readonly status: "ACTIVE" | "PAUSED" | "REMOVED"
  /** For you. */
  readonly description?: string | null
  /** The types of events that are sent; left out or null: every type, also those of later releases. */
  readonly eventTypes?: ReadonlyArray<"document.fiscalized" | "document.found" | "document.rejected" | "document.not_fiscalized" | "document.outcome_unknown" | "refund_workflow.changed" | "advance_case.changed" | "proforma_training_workflow.changed" | "receipt_delivery.queued" | "receipt_delivery.sent" | "receipt_delivery.failed" | "security_element.activated" | "security_element.replaced" | "security_element.expiring" | "security_element.expired" | "license.changed" | "license.expired"> | null
}

/** The endpoint, and what its receiver verifies with. */
export interface WebhookEndpointWithSecret {
  /** The endpoint. */
  readonly id: string
  /** Where events are sent. */
  readonly url: string
  /** Yours. */
  readonly description: string | null
  /** The types that are sent; null: every type. */
  readonly eventTypes: ReadonlyArray<EventType> | null
  /** `v1`: HMAC-SHA256; `v1a`: Ed25519. */
  readonly signature: "v1" | "v1a"
  /** The keys that sign, the newest first; each message has a signature of each of them. */
  readonly keys: ReadonlyArray<WebhookKey>
  /** `ACTIVE`, `PAUSED`; `REMOVED` in the answer to its removal only. */
  readonly status: "ACTIVE" | "PAUSED" | "REMOVED"
  /** `REQUESTED`; `FAILING`: every attempt failed for three days; `GONE`: it answered 410. */
  readonly pausedBecause: "REQUESTED" | "FAILING" | "GONE" | null
  /** Since when every attempt has failed; null while it works. */
  readonly failingSince: string | null
  /** Events up to this number are queued for it or were sent. */
  readonly sequence: number
  /** When it was made. */
  readonly createdAt: string
  /** When its owner changed it last. */
  readonly updatedAt: string
  /** `whsec_…` to keep secret, or the public key `whpk_…`. It is answered this once. */
  readonly secret: string
}

/** A key that signs. */
export interface WebhookKey {
  /** `whpk_…` where the signature is `v1a`; null for `v1`, whose secret is never answered again. */
  readonly publicKey: string | null
  /** When it ends; null until it is rotated. */
  readonly validUntil: string | null
}

/** What was queued. */
export interface WebhookQueued {
  /** Messages. */
  readonly queued: number
  /** The id of the test message; null for events. */
  readonly eventId: string | null
}

/** Events to be sent again. */
export interface WebhookResend {
  /** The `sequence` of the first event. */
  readonly from: number
  /** The `sequence` of the last one; the same for one event. At most 1 000 are sent again by one request. */
  readonly to: number
}

/** A test message. It is no event and has no number. */
export interface WebhookTest {
  /** The header `webhook-id`. */
  readonly id: string
  /** Always the same. */
  readonly type: "webhook.test"
  /** When it was asked for. */
  readonly timestamp: string
  /** What it is about. */
  readonly data: {
    /** The endpoint. */
    readonly webhookEndpointId: string
  }
}

/** The workflow a document is part of. */
export interface WorkflowLink {
  /** Kind of workflow. */
  readonly type: "REFUND" | "ADVANCE" | "PROFORMA_TRAINING"
  /** The workflow. */
  readonly id: string
}

/** A refusal that names what it refused. */
export interface WorkflowReservedError {
  /** Which rule; stable. The table of all codes says what to do. */
  readonly code: "PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT" | "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED"
  /** For people. */
  readonly message?: string
  /** The workflow that holds the source. */
  readonly workflowId: string
  readonly [fact: string]: unknown
}

/** Every code an error body may carry. */
export type ErrorCode = ErrorBody["code"]

/** Every operation: where it is, what it takes, what it answers when it succeeds. */
export interface Operations {
  /** Issue a Normal Sale. */
  readonly issueFiscalDocument: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: FiscalDocumentRequest
    readonly answer: FiscalizedDocument
  }
  /** Try a receipt without issuing it. */
  readonly dryRunFiscalDocument: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: FiscalDocumentRequest
    readonly answer: DryRun
  }
  /** Read a document. */
  readonly readFiscalDocument: {
    readonly path: { readonly fiscalDocumentId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: FiscalDocument
  }
  /** Fetch a receipt as text, JSON, PDF, image or QR code. */
  readonly readRepresentation: {
    readonly path: { readonly fiscalDocumentId: string; readonly representationFormat: "official-text" | "canonical-json" | "pdf-a4" | "pdf-80mm" | "pdf-58mm" | "preview-png" | "qr-svg" }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Uint8Array
  }
  /** Read everything that proves what happened to a document. */
  readonly readProof: {
    readonly path: { readonly fiscalDocumentId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Proof
  }
  /** Issue a copy. */
  readonly issueCopy: {
    readonly path: { readonly fiscalDocumentId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: CopyRequest
    readonly answer: FiscalizedDocument
  }
  /** Read an operation. */
  readonly readOperation: {
    readonly path: { readonly operationId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Operation
  }
  /** Refund a receipt in full or in part. */
  readonly refundSale: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: RefundRequest
    readonly answer: CompletedRefund
  }
  /** List the refund workflows. */
  readonly listRefundWorkflows: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId?: string; readonly businessPremiseId?: string; readonly clientReference?: string; readonly pfrNumber?: string; readonly buyerId?: string; readonly cashierId?: string; readonly text?: string; readonly pfrFrom?: string; readonly pfrTo?: string; readonly createdFrom?: string; readonly createdTo?: string; readonly status?: ReadonlyArray<"REFUND_PENDING" | "REFUND_OUTCOME_UNKNOWN" | "COPY_PENDING" | "COPY_OUTCOME_UNKNOWN" | "COMPLETED" | "FAILED">; readonly cursor?: string; readonly pageSize?: number }
    readonly body: undefined
    readonly answer: RefundWorkflowPage
  }
  /** Read a refund workflow. */
  readonly readRefundWorkflow: {
    readonly path: { readonly refundWorkflowId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: RefundWorkflow
  }
  /** Read what can still be refunded. */
  readonly readRefundable: {
    readonly path: { readonly fiscalDocumentId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Refundable
  }
  /** Open an advance case. */
  readonly openAdvanceCase: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: AdvanceCaseRequest
    readonly answer: AdvanceCase
  }
  /** List the advance cases. */
  readonly listAdvanceCases: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId?: string; readonly businessPremiseId?: string; readonly state?: ReadonlyArray<"OPEN" | "AWAITING_OUTCOME" | "CLOSED" | "FAILED">; readonly clientReference?: string; readonly pfrNumber?: string; readonly buyerId?: string; readonly cashierId?: string; readonly text?: string; readonly pfrFrom?: string; readonly pfrTo?: string; readonly createdFrom?: string; readonly createdTo?: string; readonly cursor?: string; readonly pageSize?: number }
    readonly body: undefined
    readonly answer: AdvanceCasePage
  }
  /** Read an advance case. */
  readonly readAdvanceCase: {
    readonly path: { readonly advanceCaseId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: AdvanceCase
  }
  /** Record an advance payment. */
  readonly addAdvancePayment: {
    readonly path: { readonly advanceCaseId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: AdvancePaymentRequest
    readonly answer: AdvanceCase
  }
  /** Cancel the latest advance. */
  readonly cancelAdvanceSale: {
    readonly path: { readonly advanceCaseId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: AdvanceCancellationRequest
    readonly answer: AdvanceCase
  }
  /** Close an advance case. */
  readonly closeAdvanceCase: {
    readonly path: { readonly advanceCaseId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: AdvanceClosingRequest
    readonly answer: AdvanceCase
  }
  /** Issue a proforma or training document. */
  readonly issueProformaTraining: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: ProformaTrainingRequest
    readonly answer: ProformaTrainingWorkflow
  }
  /** Read a proforma or training workflow. */
  readonly readProformaTrainingWorkflow: {
    readonly path: { readonly workflowId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: ProformaTrainingWorkflow
  }
  /** Send a receipt to its buyer by e-mail. */
  readonly deliverReceipt: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: ReceiptDeliveryRequest
    readonly answer: ReceiptDelivery
  }
  /** List the deliveries. */
  readonly listReceiptDeliveries: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly status?: "QUEUED" | "SENT" | "FAILED"; readonly fiscalDocumentId?: string; readonly recipient?: string; readonly pfrFrom?: string; readonly pfrTo?: string; readonly createdFrom?: string; readonly createdTo?: string; readonly cursor?: string; readonly pageSize?: number }
    readonly body: undefined
    readonly answer: ReceiptDeliveryPage
  }
  /** Read a delivery. */
  readonly readReceiptDelivery: {
    readonly path: { readonly receiptDeliveryId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: ReceiptDelivery
  }
  /** Read what runs here. */
  readonly readRuntime: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Runtime
  }
  /** List the taxpayers. */
  readonly listTaxpayers: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: TaxpayerList
  }
  /** Register a taxpayer with its premises. */
  readonly registerTaxpayer: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: TaxpayerRegistration
    readonly answer: RegisteredTaxpayer
  }
  /** List a taxpayer's premises. */
  readonly listBusinessPremises: {
    readonly path: { readonly taxpayerId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: BusinessPremiseList
  }
  /** Read the tax labels a premise may use. */
  readonly readTaxRates: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId: string; readonly businessPremiseId: string }
    readonly body: undefined
    readonly answer: TaxRateConfiguration
  }
  /** Read the licence. */
  readonly readLicense: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: License
  }
  /** List the security elements. */
  readonly listSecurityElements: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: SecurityElementList
  }
  /** Search the journal. */
  readonly searchJournal: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId?: string; readonly businessPremiseId?: string; readonly status?: ReadonlyArray<"RECEIVED" | "VALIDATED" | "SUBMITTING" | "FISCALIZED" | "REJECTED" | "NOT_FISCALIZED" | "OUTCOME_UNKNOWN" | "RECONCILING">; readonly invoiceType?: "NORMAL" | "COPY" | "ADVANCE" | "PROFORMA" | "TRAINING"; readonly transactionType?: "SALE" | "REFUND"; readonly clientReference?: string; readonly pfrNumber?: string; readonly buyerId?: string; readonly cashierId?: string; readonly text?: string; readonly pfrFrom?: string; readonly pfrTo?: string; readonly createdFrom?: string; readonly createdTo?: string; readonly cursor?: string; readonly pageSize?: number }
    readonly body: undefined
    readonly answer: JournalPage
  }
  /** Export the journal. */
  readonly exportJournal: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId?: string; readonly businessPremiseId?: string; readonly status?: ReadonlyArray<"RECEIVED" | "VALIDATED" | "SUBMITTING" | "FISCALIZED" | "REJECTED" | "NOT_FISCALIZED" | "OUTCOME_UNKNOWN" | "RECONCILING">; readonly invoiceType?: "NORMAL" | "COPY" | "ADVANCE" | "PROFORMA" | "TRAINING"; readonly transactionType?: "SALE" | "REFUND"; readonly clientReference?: string; readonly pfrNumber?: string; readonly buyerId?: string; readonly cashierId?: string; readonly text?: string; readonly pfrFrom?: string; readonly pfrTo?: string; readonly createdFrom?: string; readonly createdTo?: string; readonly delimiter?: "comma" | "semicolon" }
    readonly body: undefined
    readonly answer: Uint8Array
  }
  /** Read the log's last checkpoint. */
  readonly readJournalCheckpoint: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly cosigned?: boolean }
    readonly body: undefined
    readonly answer: Uint8Array
  }
  /** Prove that the log only grew. */
  readonly proveJournalConsistency: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly from: number; readonly to: number }
    readonly body: undefined
    readonly answer: LogConsistency
  }
  /** Prove that a document is in the log. */
  readonly proveJournalInclusion: {
    readonly path: { readonly fiscalDocumentId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: LogPlace
  }
  /** Report the turnover. */
  readonly reportTurnover: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId?: string; readonly businessPremiseId?: string; readonly pfrFrom?: string; readonly pfrTo?: string; readonly createdFrom?: string; readonly createdTo?: string; readonly groupBy?: ReadonlyArray<"day" | "month" | "premise" | "paymentType" | "taxLabel" | "cashier"> }
    readonly body: undefined
    readonly answer: TurnoverReport
  }
  /** Read what changed. */
  readonly listEvents: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly after?: number; readonly afterId?: string; readonly pageSize?: number }
    readonly body: undefined
    readonly answer: EventPage
  }
  /** List the credentials. */
  readonly listCredentials: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: CredentialList
  }
  /** Issue a credential. */
  readonly issueCredential: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: NewCredential
    readonly answer: CredentialWithSecret
  }
  /** Replace a secret. */
  readonly rotateCredential: {
    readonly path: { readonly clientId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: CredentialRotation
    readonly answer: CredentialWithSecret
  }
  /** Revoke a credential. */
  readonly revokeCredential: {
    readonly path: { readonly clientId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Credential
  }
  /** Have events sent to an address. */
  readonly createWebhookEndpoint: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: NewWebhookEndpoint
    readonly answer: WebhookEndpointWithSecret
  }
  /** List the endpoints. */
  readonly listWebhookEndpoints: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: WebhookEndpointList
  }
  /** Read an endpoint. */
  readonly readWebhookEndpoint: {
    readonly path: { readonly webhookEndpointId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: WebhookEndpoint
  }
  /** Change, pause, resume or remove an endpoint. */
  readonly replaceWebhookEndpoint: {
    readonly path: { readonly webhookEndpointId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: WebhookEndpointReplacement
    readonly answer: WebhookEndpoint
  }
  /** Rotate an endpoint's secret. */
  readonly rotateWebhookSecret: {
    readonly path: { readonly webhookEndpointId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: WebhookEndpointWithSecret
  }
  /** Send a test message. */
  readonly testWebhookEndpoint: {
    readonly path: { readonly webhookEndpointId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Uint8Array
  }
  /** Send events again. */
  readonly resendWebhookEvents: {
    readonly path: { readonly webhookEndpointId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: WebhookResend
    readonly answer: Uint8Array
  }
  /** Read the log of an endpoint. */
  readonly listWebhookAttempts: {
    readonly path: { readonly webhookEndpointId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: WebhookAttemptList
  }
  /** Make a product. */
  readonly createProduct: {
    readonly path: Readonly<Record<string, never>>
    readonly query: Readonly<Record<string, never>>
    readonly body: NewProduct
    readonly answer: Product
  }
  /** List and search the products. */
  readonly listProducts: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId?: string; readonly search?: string; readonly isActive?: boolean; readonly cursor?: string; readonly pageSize?: number }
    readonly body: undefined
    readonly answer: ProductPage
  }
  /** Import products from a file. */
  readonly importProducts: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId: string }
    readonly body: string
    readonly answer: ProductImportResult
  }
  /** Export products as a file. */
  readonly exportProducts: {
    readonly path: Readonly<Record<string, never>>
    readonly query: { readonly taxpayerId: string }
    readonly body: undefined
    readonly answer: Uint8Array
  }
  /** Read a product. */
  readonly readProduct: {
    readonly path: { readonly productId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: undefined
    readonly answer: Product
  }
  /** Replace a product. */
  readonly replaceProduct: {
    readonly path: { readonly productId: string }
    readonly query: Readonly<Record<string, never>>
    readonly body: ProductReplacement
    readonly answer: Product
  }
}

/** Where each operation is. */
export const routes = {
  issueFiscalDocument: { method: "POST", path: "/v1/fiscal-documents", keyed: true },
  dryRunFiscalDocument: { method: "POST", path: "/v1/fiscal-documents/dry-run", keyed: false },
  readFiscalDocument: { method: "GET", path: "/v1/fiscal-documents/{fiscalDocumentId}", keyed: false },
  readRepresentation: { method: "GET", path: "/v1/fiscal-documents/{fiscalDocumentId}/representations/{representationFormat}", keyed: false },
  readProof: { method: "GET", path: "/v1/fiscal-documents/{fiscalDocumentId}/proof", keyed: false },
  issueCopy: { method: "POST", path: "/v1/fiscal-documents/{fiscalDocumentId}/copies", keyed: true },
  readOperation: { method: "GET", path: "/v1/operations/{operationId}", keyed: false },
  refundSale: { method: "POST", path: "/v1/refund-workflows", keyed: true },
  listRefundWorkflows: { method: "GET", path: "/v1/refund-workflows", keyed: false },
  readRefundWorkflow: { method: "GET", path: "/v1/refund-workflows/{refundWorkflowId}", keyed: false },
  readRefundable: { method: "GET", path: "/v1/fiscal-documents/{fiscalDocumentId}/refundable", keyed: false },
  openAdvanceCase: { method: "POST", path: "/v1/advance-cases", keyed: true },
  listAdvanceCases: { method: "GET", path: "/v1/advance-cases", keyed: false },
  readAdvanceCase: { method: "GET", path: "/v1/advance-cases/{advanceCaseId}", keyed: false },
  addAdvancePayment: { method: "POST", path: "/v1/advance-cases/{advanceCaseId}/payments", keyed: true },
  cancelAdvanceSale: { method: "POST", path: "/v1/advance-cases/{advanceCaseId}/cancellations", keyed: true },
  closeAdvanceCase: { method: "POST", path: "/v1/advance-cases/{advanceCaseId}/closing", keyed: true },
  issueProformaTraining: { method: "POST", path: "/v1/proforma-training-workflows", keyed: true },
  readProformaTrainingWorkflow: { method: "GET", path: "/v1/proforma-training-workflows/{workflowId}", keyed: false },
  deliverReceipt: { method: "POST", path: "/v1/receipt-deliveries", keyed: true },
  listReceiptDeliveries: { method: "GET", path: "/v1/receipt-deliveries", keyed: false },
  readReceiptDelivery: { method: "GET", path: "/v1/receipt-deliveries/{receiptDeliveryId}", keyed: false },
  readRuntime: { method: "GET", path: "/v1/runtime", keyed: false },
  listTaxpayers: { method: "GET", path: "/v1/taxpayers", keyed: false },
  registerTaxpayer: { method: "POST", path: "/v1/taxpayers", keyed: false },
  listBusinessPremises: { method: "GET", path: "/v1/taxpayers/{taxpayerId}/business-premises", keyed: false },
  readTaxRates: { method: "GET", path: "/v1/tax-rates", keyed: false },
  readLicense: { method: "GET", path: "/v1/license", keyed: false },
  listSecurityElements: { method: "GET", path: "/v1/security-elements", keyed: false },
  searchJournal: { method: "GET", path: "/v1/journal", keyed: false },
  exportJournal: { method: "GET", path: "/v1/journal/export", keyed: false },
  readJournalCheckpoint: { method: "GET", path: "/v1/journal/checkpoint", keyed: false },
  proveJournalConsistency: { method: "GET", path: "/v1/journal/consistency", keyed: false },
  proveJournalInclusion: { method: "GET", path: "/v1/journal/inclusion/{fiscalDocumentId}", keyed: false },
  reportTurnover: { method: "GET", path: "/v1/reports/turnover", keyed: false },
  listEvents: { method: "GET", path: "/v1/events", keyed: false },
  listCredentials: { method: "GET", path: "/v1/credentials", keyed: false },
  issueCredential: { method: "POST", path: "/v1/credentials", keyed: false },
  rotateCredential: { method: "POST", path: "/v1/credentials/{clientId}/rotation", keyed: false },
  revokeCredential: { method: "POST", path: "/v1/credentials/{clientId}/revocation", keyed: false },
  createWebhookEndpoint: { method: "POST", path: "/v1/webhook-endpoints", keyed: false },
  listWebhookEndpoints: { method: "GET", path: "/v1/webhook-endpoints", keyed: false },
  readWebhookEndpoint: { method: "GET", path: "/v1/webhook-endpoints/{webhookEndpointId}", keyed: false },
  replaceWebhookEndpoint: { method: "PUT", path: "/v1/webhook-endpoints/{webhookEndpointId}", keyed: false },
  rotateWebhookSecret: { method: "POST", path: "/v1/webhook-endpoints/{webhookEndpointId}/secrets", keyed: false },
  testWebhookEndpoint: { method: "POST", path: "/v1/webhook-endpoints/{webhookEndpointId}/tests", keyed: false },
  resendWebhookEvents: { method: "POST", path: "/v1/webhook-endpoints/{webhookEndpointId}/resends", keyed: false },
  listWebhookAttempts: { method: "GET", path: "/v1/webhook-endpoints/{webhookEndpointId}/attempts", keyed: false },
  createProduct: { method: "POST", path: "/v1/products", keyed: false },
  listProducts: { method: "GET", path: "/v1/products", keyed: false },
  importProducts: { method: "POST", path: "/v1/products/import", keyed: false },
  exportProducts: { method: "GET", path: "/v1/products/export", keyed: false },
  readProduct: { method: "GET", path: "/v1/products/{productId}", keyed: false },
  replaceProduct: { method: "PUT", path: "/v1/products/{productId}", keyed: false }
} as const satisfies Record<keyof Operations, { readonly method: string; readonly path: string; readonly keyed: boolean }>
