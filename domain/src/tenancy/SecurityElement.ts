import { type DateTime, type Redacted, Schema } from "effect"
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

/** The content of a security element's file. The key, the chain and the PAC are encrypted before they are stored. */
export interface ElementFacts {
  readonly jid: string
  readonly tin: string
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly fingerprintSha256: string
  readonly validFrom: DateTime.Utc
  readonly validTo: DateTime.Utc
  /** PKCS#8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
  /** Leaf first, then intermediates, PEM. */
  readonly certificateChain: string
  readonly pac: Redacted.Redacted<string>
}

/** Days before a certificate's end at which the operator is warned, once each. */
export const certificateWarningDays = [60, 30, 14, 7, 1] as const

const dayMillis = 86_400_000

/** Whole days until an instant; negative when it has passed. */
export const daysUntil = (instant: DateTime.Utc, now: DateTime.Utc): number =>
  Math.floor((instant.epochMilliseconds - now.epochMilliseconds) / dayMillis)

/**
 * The narrowest warning a certificate has reached, or null while it has more than sixty days. 0 means that it has expired.
 *
 * @example certificateWarning(validTo, now) // 14 when between 7 and 14 days are left
 */
export const certificateWarning = (validTo: DateTime.Utc, now: DateTime.Utc): number | null => {
  const left = validTo.epochMilliseconds - now.epochMilliseconds
  if (left <= 0) return 0
  return certificateWarningDays.findLast((days) => left <= days * dayMillis) ?? null
}
