import { BigDecimal, Schema } from "effect"
import { AdvanceCaseState } from "./AdvanceCase.ts"

/** The case is closed, failed, waits for an outcome, or is being closed. Source: Spec, Errors, Catalogue; Decisions §5, Advance case. */
export class AdvanceCaseNotOpen extends Schema.TaggedError<AdvanceCaseNotOpen>()("AdvanceCaseNotOpen", {
  state: AdvanceCaseState
}) {
  readonly code = "ADVANCE_CASE_NOT_OPEN"
}

/** Only the latest advance that is signed and not cancelled can be cancelled. Source: Spec, Errors, Catalogue. */
export class AdvanceCancellationTargetNotLatest
  extends Schema.TaggedError<AdvanceCancellationTargetNotLatest>()("AdvanceCancellationTargetNotLatest", {
    advanceSaleId: Schema.String,
    /** The one that can be cancelled; null when there is none. */
    latestAdvanceSaleId: Schema.NullOr(Schema.String)
  })
{
  readonly code = "ADVANCE_CANCELLATION_TARGET_NOT_LATEST"
}

/** What is paid at closing is not the final total less the advances. Amounts in dinars. Source: Spec, Errors, Catalogue. */
export class AdvanceCloseTotalMismatch
  extends Schema.TaggedError<AdvanceCloseTotalMismatch>()("AdvanceCloseTotalMismatch", {
    finalTotal: Schema.BigDecimal,
    totalAdvance: Schema.BigDecimal,
    /** What `remainingPayments` must sum to; negative when more was paid in advance than the goods cost. */
    expected: Schema.BigDecimal,
    remainingPayments: Schema.BigDecimal
  })
{
  readonly code = "ADVANCE_CLOSE_TOTAL_MISMATCH"

  /** What to send, by the reason; the figures are facts of the refusal. */
  override get message(): string {
    if (BigDecimal.isNegative(this.expected)) {
      return "The advances of the case are larger than the final total: cancel advance sales until they are not, then close."
    }
    return BigDecimal.isZero(this.expected) && BigDecimal.isZero(this.remainingPayments)
      ? "Nothing remains to be paid: send remainingPayments with exactly one payment, of amount 0."
      : "remainingPayments must sum to exactly the final total less the total advance."
  }
}

/** There is nothing to close: no signed advance that is not cancelled, and no external one. Source: Spec, Errors, Catalogue. */
export class AdvanceCaseHasNoFiscalizedSale
  extends Schema.TaggedError<AdvanceCaseHasNoFiscalizedSale>()("AdvanceCaseHasNoFiscalizedSale", {})
{
  readonly code = "ADVANCE_CASE_HAS_NO_FISCALIZED_SALE"
}

/** A payment was repeated after the chain had continued without it. Source: Spec, Errors, Catalogue; Decisions §5, Advance case. */
export class AdvancePaymentSuperseded extends Schema.TaggedError<AdvancePaymentSuperseded>()("AdvancePaymentSuperseded", {
  advanceSaleId: Schema.String
}) {
  readonly code = "ADVANCE_PAYMENT_SUPERSEDED"
}

/** Another request is closing the case. Only a request with that closing's key continues it. Source: Spec, Errors, Catalogue. */
export class AdvanceCaseCloseAlreadyReserved
  extends Schema.TaggedError<AdvanceCaseCloseAlreadyReserved>()("AdvanceCaseCloseAlreadyReserved", {})
{
  readonly code = "ADVANCE_CASE_CLOSE_ALREADY_RESERVED"
}

/** No advance case of this id for the caller's organization and environment. Source: Decisions §1. */
export class AdvanceCaseNotFound extends Schema.TaggedError<AdvanceCaseNotFound>()("AdvanceCaseNotFound", {
  advanceCaseId: Schema.String
}) {
  readonly code = "ADVANCE_CASE_NOT_FOUND"
}
