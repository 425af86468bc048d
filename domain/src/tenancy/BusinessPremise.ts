import { Schema } from "effect"
import { Environment } from "./Environment.ts"
import { BusinessPremiseId, TaxpayerId } from "./identifiers.ts"

export const CommerceMode = Schema.Literals(["distance", "in_person"])
export const PaymentMode = Schema.Literals(["all", "restricted"])
export type PaymentMode = typeof PaymentMode.Type
export const PremiseStatus = Schema.Literals(["active", "suspended", "closed"])

/** A place of business of a taxpayer. Source: Spec, Resources, BusinessPremise; Decisions §5, Values. */
export const BusinessPremise = Schema.Struct({
  id: BusinessPremiseId,
  taxpayerId: TaxpayerId,
  puIdentifier: Schema.String,
  name: Schema.String,
  commerceMode: CommerceMode,
  environment: Environment,
  paymentMode: PaymentMode,
  status: PremiseStatus,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export interface BusinessPremise extends Schema.Schema.Type<typeof BusinessPremise> {}
