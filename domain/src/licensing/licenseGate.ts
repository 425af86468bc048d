import { DateTime, Result } from "effect"
import type { InvoiceType } from "../documents/InvoiceType.ts"
import type { TransactionType } from "../documents/TransactionType.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { LicenseExpired, LicenseNotStarted, LicenseRequired, LicenseSuspended, ModuleNotLicensed } from "./errors.ts"
import type { License, LicenseModule } from "./License.ts"

/** The use that a request makes of the licence; inner documents, replays and worker steps are never checked (Decisions §2). */
export type LicensedUse =
  | "SALE"
  | "COPY"
  | "PROFORMA_TRAINING"
  | "ADVANCE"
  | "EMAIL"
  /** Refund workflows and advance cancellations: the buyer's money must be able to go back, licence or not. */
  | "EXEMPT"

export type LicenseRefusal = LicenseRequired | LicenseNotStarted | LicenseExpired | LicenseSuspended | ModuleNotLicensed

/** Documents a month that production includes; exceeding them never blocks (Spec, Authentication 8; Decisions §2). */
export const includedDocumentsPerMonth = 600

/** What a document issued on request is, for licensing. Advance Refunds a caller asks for are cancellations. */
export const licensedUseOf = (invoiceType: InvoiceType, transactionType: TransactionType): LicensedUse => {
  switch (invoiceType) {
    case "NORMAL":
      return transactionType === "SALE" ? "SALE" : "EXEMPT"
    case "ADVANCE":
      return transactionType === "SALE" ? "ADVANCE" : "EXEMPT"
    case "COPY":
      return "COPY"
    case "PROFORMA":
    case "TRAINING":
      return "PROFORMA_TRAINING"
  }
}

/** Whether the licence as such allows production fiscalization now; the first of the refusals in the order of Decisions §2. */
export const licenseInForce = (
  license: License | null,
  now: DateTime.Utc
): Result.Result<License, Exclude<LicenseRefusal, ModuleNotLicensed>> => {
  if (license === null) return Result.fail(new LicenseRequired({}))
  if (DateTime.isLessThan(now, license.startsAt)) return Result.fail(new LicenseNotStarted({ startsAt: license.startsAt }))
  // The end is exclusive, as every period here.
  if (license.expiresAt !== null && DateTime.isGreaterThanOrEqualTo(now, license.expiresAt)) {
    return Result.fail(new LicenseExpired({ expiresAt: license.expiresAt }))
  }
  return license.suspended ? Result.fail(new LicenseSuspended({})) : Result.succeed(license)
}

const moduleOf = (use: LicensedUse): LicenseModule | null => {
  if (use === "ADVANCE") return "advance"
  return use === "EMAIL" ? "email" : null
}

/**
 * Asked once per request by its kind, in production only: sandbox is free and never blocked (Spec, Authentication 7 and 8).
 */
export const licenseGate = (
  license: License | null,
  request: { readonly environment: Environment; readonly use: LicensedUse; readonly now: DateTime.Utc }
): Result.Result<void, LicenseRefusal> => {
  if (request.environment === "sandbox" || request.use === "EXEMPT") return Result.void
  const module = moduleOf(request.use)
  return Result.flatMap(licenseInForce(license, request.now), (valid) =>
    module === null || valid.modules.includes(module) ? Result.void : Result.fail(new ModuleNotLicensed({ module })))
}

/** What `GET /v1/license` says in advance (Spec, Authentication 8; Decisions §5). */
export const productionFiscalization = (
  license: License | null,
  now: DateTime.Utc
): { readonly productionFiscalizationAllowed: boolean; readonly reason: LicenseRefusal["code"] | null } => {
  const inForce = licenseInForce(license, now)
  return Result.isSuccess(inForce)
    ? { productionFiscalizationAllowed: true, reason: null }
    : { productionFiscalizationAllowed: false, reason: inForce.failure.code }
}
