import { Schema } from "effect"
import { Environment } from "./Environment.ts"
import { TaxpayerId } from "./identifiers.ts"

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
