import { Result } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import type { SignedTax } from "../documents/PfrResult.ts"
import { type DocumentReference, serviceSource } from "../references/ReferencedDocument.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { ReferenceDocumentNotFound } from "../references/errors.ts"
import { AdvanceCancellationTargetNotLatest, AdvancePaymentSuperseded } from "./errors.ts"

/** The facts of one Advance Sale that the rules of a case's chain need. */
export interface AdvanceSale {
  readonly id: FiscalDocumentId
  readonly status: DocumentStatus
  /** The Advance Sale it refers to; null for the first. */
  readonly previousId: FiscalDocumentId | null
  /** Whether its cancelling Advance Refund is a receipt. */
  readonly cancelled: boolean
  readonly items: ReadonlyArray<LineItem>
  readonly payments: ReadonlyArray<Payment>
  readonly taxes: ReadonlyArray<SignedTax>
  /** Null until it is signed. */
  readonly pfr: { readonly invoiceNumber: string; readonly sdcTime: string } | null
}

/** An advance that stands: signed and not cancelled. */
export interface StandingAdvance extends AdvanceSale {
  readonly pfr: NonNullable<AdvanceSale["pfr"]>
}

/** The advances that stand, oldest first. */
export const standingAdvances = (sales: ReadonlyArray<AdvanceSale>): ReadonlyArray<StandingAdvance> =>
  sales.filter((sale): sale is StandingAdvance => sale.status === "FISCALIZED" && !sale.cancelled && sale.pfr !== null)

/** The end of the chain: the latest advance that stands. */
export const latestAdvance = (sales: ReadonlyArray<AdvanceSale>): StandingAdvance | null => standingAdvances(sales).at(-1) ?? null

/** How a document refers to an advance that stands. */
export const advanceReference = ({ id, pfr }: StandingAdvance): DocumentReference => ({
  source: serviceSource,
  fiscalDocumentId: id,
  pfrNumber: pfr.invoiceNumber,
  pfrTime: pfr.sdcTime,
  invoiceType: "ADVANCE",
  transactionType: "SALE"
})

/** What the next Advance Sale, or the Advance Refund of the chain, refers to; null where nothing stands (Spec, Reference matrix). */
export const chainReference = (sales: ReadonlyArray<AdvanceSale>): DocumentReference | null => {
  const latest = latestAdvance(sales)
  return latest === null ? null : advanceReference(latest)
}

/**
 * The advance that a cancellation gives back: the latest one, or the refusal. An id that is no advance of the case is told apart from an advance that is
 * not the latest. Source: Decisions §5, Advance case.
 */
export const cancellationTarget = (
  sales: ReadonlyArray<AdvanceSale>,
  advanceSaleId: string
): Result.Result<StandingAdvance, AdvanceCancellationTargetNotLatest | ReferenceDocumentNotFound> => {
  if (!sales.some(({ id }) => id === advanceSaleId)) return Result.fail(new ReferenceDocumentNotFound({ fiscalDocumentId: advanceSaleId }))
  const latest = latestAdvance(sales)
  return latest !== null && latest.id === advanceSaleId
    ? Result.succeed(latest)
    : Result.fail(new AdvanceCancellationTargetNotLatest({ advanceSaleId, latestAdvanceSaleId: latest?.id ?? null }))
}

/**
 * Whether a payment that was not sent may be driven again: only while no later advance became a receipt and the chain still ends where
 * it did when the payment was reserved. Otherwise its reference would skip what came after, or point at an advance cancelled since.
 * Source: Spec, Errors, Catalogue (ADVANCE_PAYMENT_SUPERSEDED); Decisions §5, Advance case.
 */
export const mayPaymentBeRedriven = (
  sales: ReadonlyArray<AdvanceSale>,
  payment: Pick<AdvanceSale, "id" | "previousId">
): Result.Result<void, AdvancePaymentSuperseded> => {
  const later = sales.slice(sales.findIndex((sale) => sale.id === payment.id) + 1)
  const isOvertaken = later.some((sale) => sale.status === "FISCALIZED")
  return !isOvertaken && (latestAdvance(sales)?.id ?? null) === payment.previousId
    ? Result.succeed(undefined)
    : Result.fail(new AdvancePaymentSuperseded({ advanceSaleId: payment.id }))
}
