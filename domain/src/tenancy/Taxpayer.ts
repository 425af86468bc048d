import { Schema } from "effect"
import { Environment } from "./Environment.ts"
import type { SecurityElement } from "./SecurityElement.ts"
import { BusinessPremiseId, type SecurityElementId, TaxpayerId } from "./identifiers.ts"

export const VatStatus = Schema.Literals(["IN_VAT", "OUTSIDE_VAT"])
export type VatStatus = typeof VatStatus.Type

export const PaperFormat = Schema.Literals(["a4", "80mm", "58mm"])
export type PaperFormat = typeof PaperFormat.Type

/** A company that issues receipts, once per environment. Source: Decisions §5, Operations, setup, licence. */
export const Taxpayer = Schema.Struct({
  id: TaxpayerId,
  taxIdentifier: Schema.String,
  name: Schema.String,
  address: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  environment: Environment,
  vatStatus: VatStatus,
  status: Schema.Literals(["active", "inactive"]),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export interface Taxpayer extends Schema.Schema.Type<typeof Taxpayer> {}

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

export interface NewBusinessPremise {
  readonly puIdentifier: string
  readonly name: string
  readonly address: string | null
  readonly city: string | null
}

export interface NewTaxpayer {
  readonly taxIdentifier: string
  readonly name: string
  readonly address: string | null
  readonly city: string | null
  readonly vatStatus: VatStatus
  readonly businessPremises: ReadonlyArray<NewBusinessPremise>
}

/** A new premise; the element is null where none was assigned (production, or an empty sandbox pool). */
export interface CreatedPremise {
  readonly premise: BusinessPremise
  readonly elementId: SecurityElementId | null
}

export interface CreatedTaxpayer {
  readonly taxpayer: Taxpayer
  readonly premises: ReadonlyArray<CreatedPremise>
}

/** How many an organization may register by itself, in one environment. */
export interface RegistrationQuota {
  readonly taxpayers: number
  readonly premises: number
}

/** A premise with everything a fiscal mutation checks or captures. */
export interface PremiseForIssuing {
  readonly taxpayer: Taxpayer
  /** Null when the premise belongs to another taxpayer or environment. */
  readonly premise: BusinessPremise | null
  readonly activeElement: {
    readonly id: SecurityElementId
    readonly jid: string
    readonly environment: SecurityElement["environment"]
    readonly validTo: SecurityElement["validTo"]
  } | null
  readonly preferredPaperFormat: PaperFormat
  readonly brandingId: string | null
}
