import { type DateTime, Option, Result, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import type { Cashier } from "../parties/Buyer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { belgradeDay } from "../time/belgradeTime.ts"
import { listMember, member, textMember } from "./bodyTree.ts"
import { cashierField, optionalMutationFields, paymentsField, toCashier, toPrintAndMetadata } from "./commonFields.ts"
import { type BodyRule, requestDecoder } from "./decodeRequest.ts"
import { faultAt, RequestFaults } from "./Fault.ts"
import { itemRules, itemsField, toLineItem, totalsRule } from "./itemsField.ts"
import { requestInstant, requestTimeField } from "./RequestTime.ts"
import { optional } from "./fields.ts"

/** The body of `POST /v1/advance-cases/{id}/payments`. Source: Decisions §5, Advance case. */
export const AdvancePaymentShape = Schema.Struct({
  cashier: cashierField,
  items: itemsField.annotate({
    description: "The lines: an advance literal of the environment with its one label, or ordinary items."
  }),
  payments: paymentsField.annotate({ description: "Must sum to exactly the total of the items." }),
  paymentOccurredAt: optional(
    requestTimeField.annotate({
      description: "When a wire transfer arrived, if on an earlier day (Belgrade): only with a WIRE_TRANSFER among the payments."
    })
  ),
  ...optionalMutationFields
}).annotate({ identifier: "AdvancePaymentRequest", description: "An advance that was paid." })

/** An advance to record; the buyer is the case's. */
export interface AdvancePaymentRequest {
  readonly cashier: Cashier
  readonly items: ReadonlyArray<LineItem>
  readonly payments: ReadonlyArray<Payment>
  /** When a wire transfer arrived on an earlier day; null otherwise. */
  readonly paymentOccurredAt: DateTime.Utc | null
  readonly clientReference: string | null
  readonly commercialFooter: string | null
  readonly metadata: Metadata | null
}

const onlyByWireTransfer: BodyRule = (body) => {
  const types = listMember(body, "payments").map((payment) => textMember(payment, "type"))
  return member(body, "paymentOccurredAt") === undefined || types.includes("WIRE_TRANSFER")
    ? []
    : [faultAt(["paymentOccurredAt"], "is accepted only with a WIRE_TRANSFER among the payments")]
}

/** The name that this time has elsewhere: the refusal tells the one it has here. */
const namedOtherwise: BodyRule = (body) =>
  member(body, "transactionOccurredAt") === undefined
    ? []
    : [faultAt(["transactionOccurredAt"], "is given by paymentOccurredAt in this operation")]

const decode = requestDecoder(AdvancePaymentShape)

const instantOf = (text: string | null | undefined): DateTime.Utc | null =>
  Option.getOrNull(requestInstant(text ?? ""))

export const decodeAdvancePaymentRequest = (
  body: unknown,
  context: { readonly environment: Environment }
): Result.Result<AdvancePaymentRequest, RequestFaults> =>
  Result.map(
    decode(body, [onlyByWireTransfer, namedOtherwise, itemRules(context.environment), totalsRule]),
    (request) => ({
      cashier: toCashier(request.cashier),
      items: request.items.map(toLineItem(context.environment)),
      payments: request.payments,
      paymentOccurredAt: instantOf(request.paymentOccurredAt),
      clientReference: request.clientReference ?? null,
      ...toPrintAndMetadata(request)
    })
  )

/**
 * The half of the earlier-payment rule that needs the present time. The PFR time itself states a transfer of today, so only an earlier Belgrade day
 * is accepted (Spec, fiscal-documents, transactionOccurredAt; Decisions §5).
 */
export const checkPaymentDay = (
  paymentOccurredAt: DateTime.Utc | null,
  now: DateTime.Utc
): Result.Result<void, RequestFaults> =>
  paymentOccurredAt === null || belgradeDay(paymentOccurredAt) < belgradeDay(now)
    ? Result.void
    : Result.fail(
      new RequestFaults({ faults: [faultAt(["paymentOccurredAt"], "must be on an earlier day than today, Belgrade time")] })
    )
