import { Result, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import type { Buyer, Cashier } from "../parties/Buyer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import {
  buyerField, cashierField, corporateCardPaysByVoucher, optionalMutationFields, remainingPaymentsField, toBuyer, toCashier, toPrintAndMetadata
} from "./commonFields.ts"
import { requestDecoder } from "./decodeRequest.ts"
import { faultAt, RequestFaults } from "./Fault.ts"
import { amountBounds, itemRules, itemsField, toLineItem } from "./itemsField.ts"
import { optional } from "./fields.ts"

/** The body of `POST /v1/advance-cases/{id}/closing`. Source: Decisions §5, Advance case. */
export const AdvanceClosingShape = Schema.Struct({
  cashier: cashierField,
  items: itemsField.annotate({ description: "Everything that is delivered, at its full price." }),
  remainingPayments: remainingPaymentsField.annotate({
    description: "Must sum to the total of the items less all advances; one payment of amount 0 when nothing remains."
  }),
  buyer: optional(buyerField),
  ...optionalMutationFields
}).annotate({
  identifier: "AdvanceClosingRequest",
  description: "The goods are delivered: what they are, and what is paid in addition to the advances."
})

/**
 * A case to close. Whether `remainingPayments` is right depends on the case; the buyer's optional field belongs to the final sale
 * alone (Spec, fiscal-documents rule 5).
 */
export interface AdvanceClosingRequest {
  readonly cashier: Cashier
  readonly items: ReadonlyArray<LineItem>
  readonly remainingPayments: ReadonlyArray<Payment>
  readonly buyer: Buyer | null
  readonly clientReference: string | null
  readonly commercialFooter: string | null
  readonly metadata: Metadata | null
}

const decode = requestDecoder(AdvanceClosingShape)

export const decodeAdvanceClosingRequest = (
  body: unknown,
  context: { readonly environment: Environment }
): Result.Result<AdvanceClosingRequest, RequestFaults> =>
  Result.map(
    decode(body, [corporateCardPaysByVoucher("remainingPayments"), itemRules(context.environment), amountBounds]),
    (request) => ({
      cashier: toCashier(request.cashier),
      items: request.items.map(toLineItem(context.environment)),
      remainingPayments: request.remainingPayments,
      buyer: toBuyer(request.buyer),
      clientReference: request.clientReference ?? null,
      ...toPrintAndMetadata(request)
    })
  )

/**
 * The buyer of a closing: this request's, else the case's. The Advance Refund needs one who is identified (Decisions §5).
 *
 * @returns The buyer with an id, or the fault to answer.
 */
export const closingBuyer = (
  requested: Buyer | null,
  ofCase: Buyer | null
): Result.Result<Buyer & { readonly id: string }, RequestFaults> => {
  const id = requested?.id ?? ofCase?.id ?? null
  return id === null
    ? Result.fail(new RequestFaults({ faults: [faultAt(["buyer", "id"], "is required: the case has no identified buyer")] }))
    : Result.succeed({ id, optionalField: requested?.optionalField ?? null })
}
