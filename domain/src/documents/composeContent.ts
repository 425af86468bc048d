import { BigDecimal, Result } from "effect"
import type { PaymentMode } from "../tenancy/Taxpayer.ts"
import type { DocumentContent } from "./DocumentContent.ts"
import { type Payment, PaymentType } from "./LineItem.ts"
import { PaymentTypeNotAllowedOnPremise } from "./errors.ts"

/** Content that comes from the request, or from the document it refers to. */
export type SaidContent = Pick<
  DocumentContent,
  "clientReference" | "cashier" | "buyer" | "items" | "payments" | "commercialFooter" | "metadata"
>

/** Content that only some kinds have; null where absent. */
export type KindContent =
  & Pick<DocumentContent, "invoiceType" | "transactionType">
  & Partial<Pick<DocumentContent, "reference" | "dateAndTimeOfIssue" | "advanceClosing">>

/** What the premise adds and a reprint needs, captured at issuance (Decisions §6). */
export interface PlaceOfIssue {
  readonly settings: Pick<DocumentContent, "esirNumber">
  readonly found: Pick<DocumentContent, "preferredPaperFormat" | "brandingId">
}

/** The content of a document of any kind: the one place that puts a `DocumentContent` together. */
export const composeContent = (kind: KindContent, said: SaidContent, place: PlaceOfIssue): DocumentContent => ({
  invoiceType: kind.invoiceType,
  transactionType: kind.transactionType,
  clientReference: said.clientReference,
  cashier: said.cashier,
  buyer: said.buyer,
  items: said.items,
  payments: said.payments,
  commercialFooter: said.commercialFooter,
  metadata: said.metadata,
  reference: kind.reference ?? null,
  dateAndTimeOfIssue: kind.dateAndTimeOfIssue ?? null,
  advanceClosing: kind.advanceClosing ?? null,
  esirNumber: place.settings.esirNumber,
  preferredPaperFormat: place.found.preferredPaperFormat,
  brandingId: place.found.brandingId
})

const restricted: ReadonlyArray<PaymentType> = ["OTHER", "CASH", "WIRE_TRANSFER", "VOUCHER"]

/** The payment types a premise takes in its mode (Spec, fiscal-documents rule 6; V-PFR §8.4). */
export const allowedPaymentTypes = (mode: PaymentMode): ReadonlyArray<PaymentType> =>
  mode === "all" ? PaymentType.literals : restricted

/** Refuses payment types the premise does not take, each named once. */
export const checkPaymentTypes = (
  payments: ReadonlyArray<Pick<Payment, "type">>,
  mode: PaymentMode
): Result.Result<void, PaymentTypeNotAllowedOnPremise> => {
  const allowed = allowedPaymentTypes(mode)
  const refused = [...new Set(payments.map((payment) => payment.type))].filter((type) => !allowed.includes(type))
  return refused.length === 0 ? Result.void : Result.fail(new PaymentTypeNotAllowedOnPremise({ paymentTypes: refused }))
}

/** A document's check of its premise's payment mode. */
export type PaymentModeCheck<E> = (mode: PaymentMode) => Result.Result<void, E>

/** The types of the payments must be accepted by the premise. */
export const paidBy = (payments: ReadonlyArray<Pick<Payment, "type">>): PaymentModeCheck<PaymentTypeNotAllowedOnPremise> => (mode) =>
  checkPaymentTypes(payments, mode)

/** The payment mode is not checked: copies, a closing's Advance Refund, the opening of a case (Decisions §2). */
export const paymentModeNotAsked: PaymentModeCheck<never> = () => Result.void

/**
 * Whether cash changes hands: a refund in cash needs its signed copy (Spec, Refunds rule 4). A payment of 0 gives nothing back, so nobody has anything
 * to sign for (docs/adr/0213).
 */
export const hasCash = (payments: ReadonlyArray<Pick<Payment, "type" | "amount">>): boolean =>
  payments.some(({ amount, type }) => type === "CASH" && BigDecimal.isPositive(amount))
