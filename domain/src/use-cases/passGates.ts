import { DateTime, Effect } from "effect"
import type { Payment } from "../documents/Payment.ts"
import { type LicensedUse, licenseGate } from "../licensing/licenseGate.ts"
import { Installation } from "../ports/Installation.ts"
import { LicenseRegister } from "../ports/LicenseRegister.ts"
import { TenancyDirectory } from "../ports/TenancyDirectory.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { environmentGate } from "../tenancy/environmentGate.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import { checkElementEnvironment, findPremise, premiseGate, withoutExpiredElement } from "../tenancy/premiseGate.ts"

/** What a fiscal mutation asks of the place it is issued at. */
export interface GateRequest {
  readonly tenant: Tenant
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly use: LicensedUse
  /** Null where the payment mode is not asked (Decisions §2: copies, a closing's Advance Refund). */
  readonly payments: ReadonlyArray<Pick<Payment, "type">> | null
}

const askLicense = Effect.fnUntraced(function*(request: GateRequest) {
  if (request.tenant.environment === "sandbox" || request.use === "EXEMPT") return
  const register = yield* LicenseRegister
  const license = yield* register.license(request.tenant.organizationId)
  const now = yield* DateTime.now
  yield* Effect.fromResult(licenseGate(license, { environment: request.tenant.environment, use: request.use, now }))
})

/**
 * Steps 5 to 8b of the order of checks (Decisions §2), in that order: taxpayer and premise, the element's environment, licence and
 * module, the premise, the installation. Answers the place with its active element and the environment's settings.
 */
export const passGates = Effect.fnUntraced(function*(request: GateRequest) {
  const directory = yield* TenancyDirectory
  const installation = yield* Installation
  const { tenant, taxpayerId, businessPremiseId } = request
  const asked = yield* directory.premiseForIssuing(tenant, taxpayerId, businessPremiseId)
  const found = yield* Effect.fromResult(findPremise(asked, { taxpayerId, businessPremiseId }))
  yield* Effect.fromResult(checkElementEnvironment(found, tenant.environment))
  yield* askLicense(request)
  const usable = withoutExpiredElement(found, yield* DateTime.now)
  const element = yield* Effect.fromResult(premiseGate(usable, request.payments))
  const settings = yield* installation.settings(tenant.environment)
  yield* Effect.fromResult(environmentGate(settings, tenant.environment))
  return { found, element, settings }
})
