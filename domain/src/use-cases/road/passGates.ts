import { DateTime, Effect } from "effect"
import type { LineItem } from "../../documents/LineItem.ts"
import type { PaymentModeCheck } from "../../documents/paymentPolicy.ts"
import { type LicensedUse, licenseGate } from "../../licensing/licenseGate.ts"
import { Installation } from "../../ports/Installation.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import { LicenseRegister } from "../../ports/LicenseRegister.ts"
import { TenancyDirectory } from "../../ports/TenancyDirectory.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import { environmentGate } from "../../tenancy/environmentGate.ts"
import type { BusinessPremiseId, TaxpayerId } from "../../tenancy/identifiers.ts"
import { type ActiveElement, checkElementEnvironment, findPremise, type FoundPremise, premiseGate, withoutExpiredElement } from "../../tenancy/premiseGate.ts"
import { checkProducts } from "../checkProducts.ts"
import type { EnvironmentSettings } from "../../tenancy/EnvironmentSettings.ts"

/** What a fiscal mutation requires of the premise that issues it. The types of its refusals follow from this. */
export interface GateRequest<U extends LicensedUse, E> {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly use: U
  /** `paidBy` its payments, or `paymentModeNotAsked`. */
  readonly paymentMode: PaymentModeCheck<E>
  /** The lines of the caller's own request, whose products must exist; none where the lines are a stored document's. */
  readonly items: ReadonlyArray<Pick<LineItem, "catalogProductId">>
}

/** A premise that may issue, with its active element and what the environment adds. */
export interface Place {
  readonly found: FoundPremise
  readonly element: ActiveElement
  readonly settings: EnvironmentSettings
}

const askLicense = Effect.fnUntraced(function*<U extends LicensedUse>({ organizationId, environment }: Tenant, use: U) {
  if (environment === "sandbox" || use === "EXEMPT") return
  const register = yield* LicenseRegister
  const license = yield* register.license(organizationId)
  const now = yield* DateTime.now
  yield* Effect.fromResult(licenseGate(license, { environment, use, now }))
})

/**
 * Steps 5 to 8b of the order of checks (Decisions §2), in that order: taxpayer and premise, the element's environment, licence and module, the
 * premise, the installation; then the products that the request's lines name. Answers the premise with its active element and the environment's
 * settings.
 */
export const passGates = Effect.fnUntraced(function*<U extends LicensedUse, E>(tenant: Tenant, request: GateRequest<U, E>) {
  const directory = yield* TenancyDirectory
  const installation = yield* Installation
  const { taxpayerId, businessPremiseId } = request
  const asked = yield* directory.premiseForIssuing(tenant, taxpayerId, businessPremiseId)
  const found = yield* Effect.fromResult(findPremise(asked, { taxpayerId, businessPremiseId }))
  yield* Effect.fromResult(checkElementEnvironment(found, tenant.environment))
  yield* askLicense(tenant, request.use)
  const usable = withoutExpiredElement(found, yield* DateTime.now)
  const element = yield* Effect.fromResult(premiseGate(usable, request.paymentMode))
  const settings = yield* installation.settings(tenant.environment)
  yield* Effect.fromResult(environmentGate(settings, tenant.environment))
  yield* checkProducts(tenant, taxpayerId, request.items)
  const place: Place = { found, element, settings }
  return place
})

/** Why a premise may not issue now. `U` is the use of the licence, `E` the refusal of the payment mode. */
export type PlaceRefusal<U extends LicensedUse, E = never> = Exclude<Effect.Error<ReturnType<typeof passGates<U, E>>>, StoreUnavailable>
export type GateNeeds = Effect.Services<ReturnType<typeof passGates>>
