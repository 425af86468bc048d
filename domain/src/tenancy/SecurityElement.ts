import { Schema } from "effect"
import { Environment } from "./Environment.ts"
import { BusinessPremiseId, SecurityElementId, TaxpayerId } from "./identifiers.ts"

/** A security element's public facts; key, password and PAC never leave the vault. Source: Decisions §5, §7. */
export const SecurityElement = Schema.Struct({
  id: SecurityElementId,
  taxpayerId: TaxpayerId,
  businessPremiseId: BusinessPremiseId,
  environment: Environment,
  jid: Schema.String,
  subject: Schema.String,
  issuer: Schema.String,
  serialNumber: Schema.String,
  fingerprintSha256: Schema.String,
  validFrom: Schema.DateTimeUtc,
  validTo: Schema.DateTimeUtc,
  status: Schema.Literals(["UPLOADED", "ACTIVE", "REPLACED", "EXPIRED"])
})
export interface SecurityElement extends Schema.Schema.Type<typeof SecurityElement> {}
