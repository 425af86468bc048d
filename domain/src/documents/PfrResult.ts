import { Schema } from "effect"
import { PfrTime } from "../time/PfrTime.ts"

/** What the V-PFR signed. Source: Spec, Resources, PfrResult. */
export const PfrResult = Schema.Struct({
  invoiceNumber: Schema.String,
  sdcTime: PfrTime,
  requestedBy: Schema.String,
  signedBy: Schema.String,
  transactionTypeCounter: Schema.NullOr(Schema.Int),
  totalCounter: Schema.NullOr(Schema.Int),
  invoiceCounterExtension: Schema.NullOr(Schema.String),
  totalAmount: Schema.BigDecimal,
  totalTax: Schema.NullOr(Schema.BigDecimal),
  verificationUrl: Schema.String,
  journal: Schema.String
})
export interface PfrResult extends Schema.Schema.Type<typeof PfrResult> {}

/** A tax amount as signed, four decimals (V-PFR §3). */
export const SignedTax = Schema.Struct({
  label: Schema.String,
  category: Schema.String,
  categoryType: Schema.Int,
  rate: Schema.BigDecimal,
  amount: Schema.BigDecimal
})
export interface SignedTax extends Schema.Schema.Type<typeof SignedTax> {}

/** A complete signed answer: its exact text, and what was read from it. */
export const SignedAnswer = Schema.Struct({
  /** The answer's body byte for byte, kept as evidence. */
  text: Schema.String,
  pfr: PfrResult,
  taxes: Schema.Array(SignedTax),
  taxGroupRevision: Schema.NullOr(Schema.Int),
  businessName: Schema.NullOr(Schema.String),
  tin: Schema.NullOr(Schema.String),
  /** Base64 as in the answer; null when the V-PFR left it out. */
  encryptedInternalData: Schema.NullOr(Schema.String),
  signature: Schema.NullOr(Schema.String)
})
export interface SignedAnswer extends Schema.Schema.Type<typeof SignedAnswer> {}
