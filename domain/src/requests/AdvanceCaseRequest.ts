import { BigDecimal, type DateTime, Option, Result, Schema } from "effect"
import type { Dinars } from "../money/Dinars.ts"
import type { Buyer } from "../parties/Buyer.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import { member, numberMember } from "./bodyTree.ts"
import { advanceBuyer, clientReferenceField, optionalFieldRefused, placeFields, toBuyer, toPlace } from "./commonFields.ts"
import { type BodyRule, requestDecoder } from "./decodeRequest.ts"
import { faultAt, type RequestFaults } from "./Fault.ts"
import { dinarsField, optional, positiveDinarsField, textField } from "./fields.ts"
import { requestInstant, requestTimeField } from "./RequestTime.ts"

/** An advance taken in another system, as the caller describes it. */
export const externalAdvanceField = Schema.Struct({
  documentNumber: textField(50).annotate({ description: "Number of the document." }),
  documentTime: requestTimeField.annotate({ description: "Time of the document, with an offset or Z." }),
  amount: positiveDinarsField.annotate({ description: "Dinars, tax included; more than 0." }),
  taxAmount: dinarsField.annotate({ description: "The tax in it, dinars." })
}).annotate({
  identifier: "ExternalAdvanceRequest",
  description: "An advance taken with a receipt of another system: counted, never refunded or referred to by the service."
})

/** The body of `POST /v1/advance-cases`. Source: Decisions §5, Advance case. */
export const AdvanceCaseShape = Schema.Struct({
  ...placeFields,
  clientReference: clientReferenceField,
  buyer: optional(advanceBuyer.published),
  externalAdvance: optional(externalAdvanceField)
}).annotate({ identifier: "AdvanceCaseRequest", description: "A case to open." })

/** An advance taken before this service, or by another: counted, never refunded or referenced by us (Decisions §5). */
export interface RequestedExternalAdvance {
  readonly documentNumber: string
  readonly documentTime: DateTime.Utc
  readonly amount: Dinars
  readonly taxAmount: Dinars
}

/** A case to open. */
export interface AdvanceCaseRequest {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly buyer: Buyer | null
  readonly externalAdvance: RequestedExternalAdvance | null
}

const externalAmounts: BodyRule = (body) => {
  const advance = member(body, "externalAdvance")
  const amount = numberMember(advance, "amount")
  const taxAmount = numberMember(advance, "taxAmount")
  // An amount of zero or less is reported by the bounds of the amount itself.
  if (amount === undefined || taxAmount === undefined || !BigDecimal.isPositive(amount)) return []
  return BigDecimal.isGreaterThan(taxAmount, amount)
    ? [faultAt(["externalAdvance", "taxAmount"], "must not be more than amount, which includes it")]
    : []
}

const decode = requestDecoder(Schema.Struct({ ...AdvanceCaseShape.fields, buyer: optional(advanceBuyer.read) }))

const toExternalAdvance = (
  advance: (typeof AdvanceCaseShape.Type)["externalAdvance"]
): RequestedExternalAdvance | null => {
  if (advance === null || advance === undefined) return null
  return {
    documentNumber: advance.documentNumber,
    // The schema has already checked the time and both amounts.
    documentTime: Option.getOrThrow(requestInstant(advance.documentTime)),
    amount: advance.amount as Dinars,
    taxAmount: advance.taxAmount as Dinars
  }
}

export const decodeAdvanceCaseRequest = (body: unknown): Result.Result<AdvanceCaseRequest, RequestFaults> =>
  Result.map(decode(body, [optionalFieldRefused("an advance"), externalAmounts]), (request) => ({
    ...toPlace(request),
    clientReference: request.clientReference,
    buyer: toBuyer(request.buyer),
    externalAdvance: toExternalAdvance(request.externalAdvance)
  }))
