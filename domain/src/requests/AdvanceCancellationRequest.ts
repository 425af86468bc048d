import { Result, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import type { Buyer, Cashier } from "../parties/Buyer.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { cashierField, identifiedBuyer, optionalFieldRefused, optionalMutationFields, toCashier, toPrintAndMetadata } from "./commonFields.ts"
import { requestDecoder } from "./decodeRequest.ts"
import type { RequestFaults } from "./Fault.ts"
import { uuidField } from "./fields.ts"

/** The body of `POST /v1/advance-cases/{id}/cancellations`. Source: Decisions §5, Advance case. */
export const AdvanceCancellationShape = Schema.Struct({
  advanceSaleId: uuidField.annotate({ description: "The latest advance that is signed and not cancelled." }),
  cashier: cashierField,
  buyer: identifiedBuyer.published,
  ...optionalMutationFields
}).annotate({ identifier: "AdvanceCancellationRequest", description: "The latest advance, to be given back." })

/** An advance sale to give back; its buyer is identified as on every refund (Spec, Refunds rule 3). */
export interface AdvanceCancellationRequest {
  readonly advanceSaleId: FiscalDocumentId
  readonly cashier: Cashier
  readonly buyer: Buyer
  readonly clientReference: string | null
  readonly commercialFooter: string | null
  readonly metadata: Metadata | null
}

const decode = requestDecoder(Schema.Struct({ ...AdvanceCancellationShape.fields, buyer: identifiedBuyer.read }))

export const decodeAdvanceCancellationRequest = (
  body: unknown
): Result.Result<AdvanceCancellationRequest, RequestFaults> =>
  Result.map(decode(body, [optionalFieldRefused("an advance refund")]), (request) => ({
    advanceSaleId: request.advanceSaleId.toLowerCase() as FiscalDocumentId,
    cashier: toCashier(request.cashier),
    buyer: { id: request.buyer.id, optionalField: null },
    clientReference: request.clientReference ?? null,
    ...toPrintAndMetadata(request)
  }))
