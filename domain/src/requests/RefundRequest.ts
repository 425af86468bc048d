import { Result, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import type { Buyer, Cashier } from "../parties/Buyer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import {
  cashierField, identifiedBuyer, mutationFields, optionalFieldRefused, paymentsField, placeFields, type ServiceReference, serviceReferenceField,
  toCashier, toPlace, toPrintAndMetadata, toServiceReference
} from "./commonFields.ts"
import { requestDecoder } from "./decodeRequest.ts"
import type { RequestFaults } from "./Fault.ts"
import { amountBounds, itemRules, refundItemsField, toLineItem } from "./itemsField.ts"
import { uuidField } from "./fields.ts"

/** The body of `POST /v1/refund-workflows`. Source: Spec, refund-workflows; Decisions §5, Refund workflow. */
export const RefundShape = Schema.Struct({
  ...placeFields,
  businessPremiseId: uuidField.annotate({ description: "The premise of the original." }),
  ...mutationFields,
  original: serviceReferenceField,
  cashier: cashierField,
  buyer: identifiedBuyer.published,
  items: refundItemsField.annotate({ description: "The lines given back." }),
  payments: paymentsField.annotate({ description: "Must sum to exactly what is given back." })
}).annotate({ identifier: "RefundRequest", description: "A full or partial refund of a Normal Sale this service issued." })

/**
 * A refund to carry out. Whether its payments are right depends on what is left of the original's lines, so that the totals are
 * checked with the original (Decisions §5, Money). Every item has its `originalLineIndex`.
 */
export interface RefundRequest {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly original: ServiceReference
  readonly cashier: Cashier
  readonly buyer: Buyer
  readonly items: ReadonlyArray<LineItem>
  readonly payments: ReadonlyArray<Payment>
  readonly commercialFooter: string | null
  readonly metadata: Metadata | null
}

const decode = requestDecoder(Schema.Struct({ ...RefundShape.fields, buyer: identifiedBuyer.read }))

export const decodeRefundRequest = (
  body: unknown,
  context: { readonly environment: Environment }
): Result.Result<RefundRequest, RequestFaults> =>
  Result.map(
    decode(body, [optionalFieldRefused("a refund"), itemRules(context.environment), amountBounds]),
    (refund) => ({
      ...toPlace(refund),
      clientReference: refund.clientReference,
      original: toServiceReference(refund.original),
      cashier: toCashier(refund.cashier),
      buyer: { id: refund.buyer.id, optionalField: null },
      items: refund.items.map(toLineItem(context.environment)),
      payments: refund.payments,
      ...toPrintAndMetadata(refund)
    })
  )
