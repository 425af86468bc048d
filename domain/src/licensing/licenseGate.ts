import { DateTime, Result } from "effect"
import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { LicenseExpired, LicenseNotStarted, LicenseRequired, LicenseSuspended, ModuleNotLicensed } from "./errors.ts"

/** Modules that are licensed separately. Source: Spec, Authentication 8. */
export type LicenseModule = "advance" | "email"

/** An organization's production licence. */
export interface License {
  readonly startsAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc | null
  readonly suspended: boolean
  readonly modules: ReadonlyArray<LicenseModule>
}

type NotInForce = LicenseRequired | LicenseNotStarted | LicenseExpired | LicenseSuspended

/** The use that a request makes of the licence, with its refusals; inner documents, replays and worker steps are never checked (Decisions §2). */
export interface RefusalsOfUse {
  readonly SALE: NotInForce
  readonly COPY: NotInForce
  readonly PROFORMA_TRAINING: NotInForce
  readonly ADVANCE: NotInForce | ModuleNotLicensed
  readonly EMAIL: NotInForce | ModuleNotLicensed
  /** Refund workflows and advance cancellations: the buyer's money must be able to go back, licence or not. */
  readonly EXEMPT: never
}

export type LicensedUse = keyof RefusalsOfUse

export type LicenseRefusal = RefusalsOfUse[LicensedUse]

/** Documents a month that production includes; exceeding them never blocks (Spec, Authentication 8; Decisions §2). */
export const includedDocumentsPerMonth = 600

const uses = {
  NORMAL: { SALE: "SALE", REFUND: "EXEMPT" },
  ADVANCE: { SALE: "ADVANCE", REFUND: "EXEMPT" },
  COPY: { SALE: "COPY", REFUND: "COPY" },
  PROFORMA: { SALE: "PROFORMA_TRAINING", REFUND: "PROFORMA_TRAINING" },
  TRAINING: { SALE: "PROFORMA_TRAINING", REFUND: "PROFORMA_TRAINING" }
} as const satisfies Record<InvoiceType, Record<TransactionType, LicensedUse>>

/** What a document issued on request is, for licensing. Advance Refunds a caller asks for are cancellations. */
export const licensedUseOf = <I extends InvoiceType, T extends TransactionType>(invoiceType: I, transactionType: T): (typeof uses)[I][T] =>
  uses[invoiceType][transactionType]

/** Whether the licence as such allows production fiscalization now; the first of the refusals in the order of Decisions §2. */
export const licenseInForce = (
  license: License | null,
  now: DateTime.Utc
): Result.Result<License, NotInForce> => {
  if (license === null) return Result.fail(new LicenseRequired({}))
  if (DateTime.isLessThan(now, license.startsAt)) return Result.fail(new LicenseNotStarted({ startsAt: license.startsAt }))
  // The end is exclusive, as every period here.
  if (license.expiresAt !== null && DateTime.isGreaterThanOrEqualTo(now, license.expiresAt)) {
    return Result.fail(new LicenseExpired({ expiresAt: license.expiresAt }))
  }
  return license.suspended ? Result.fail(new LicenseSuspended({})) : Result.succeed(license)
}

const inForce = (license: License | null, now: DateTime.Utc): Result.Result<void, NotInForce> =>
  Result.map(licenseInForce(license, now), () => undefined)

const withModule = (module: LicenseModule) => (license: License | null, now: DateTime.Utc): Result.Result<void, NotInForce | ModuleNotLicensed> =>
  Result.flatMap(licenseInForce(license, now), (valid): Result.Result<void, ModuleNotLicensed> =>
    valid.modules.includes(module) ? Result.void : Result.fail(new ModuleNotLicensed({ module })))

const gateOf: { readonly [U in LicensedUse]: (license: License | null, now: DateTime.Utc) => Result.Result<void, RefusalsOfUse[U]> } = {
  SALE: inForce,
  COPY: inForce,
  PROFORMA_TRAINING: inForce,
  ADVANCE: withModule("advance"),
  EMAIL: withModule("email"),
  EXEMPT: () => Result.void
}

/**
 * Asked once per request by its kind, in production only: sandbox is free and never blocked (Spec, Authentication 7 and 8).
 */
export const licenseGate = <U extends LicensedUse>(
  license: License | null,
  request: { readonly environment: Environment; readonly use: U; readonly now: DateTime.Utc }
): Result.Result<void, RefusalsOfUse[U]> =>
  request.environment === "sandbox" ? Result.void : gateOf[request.use](license, request.now)

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
