import {
  ActiveSecurityElementRequired,
  BusinessPremiseId,
  BusinessPremiseNotFound,
  CredentialEnvironmentMismatch,
  CurrentTaxConfigurationUnavailable,
  groupAt,
  Installation,
  PfrSandboxNotConfigured,
  TaxpayerId,
  TaxpayerNotFound,
  TaxRates,
  TenancyDirectory
} from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant, type TenantCall } from "../http/Operation.ts"
import { taxRatesJson } from "../json/taxRatesJson.ts"
import { exampleTaxRates } from "./exampleSetup.ts"

/** Source: Spec, GET /v1/tax-rates and TaxRateConfiguration. */
export const getTaxRates = declareForTenant({
  id: "readTaxRates",
  method: "GET",
  path: "/v1/tax-rates",
  tag: "Setup",
  summary: "Read the tax labels a premise may use",
  description:
    "The labels valid now, as the V-PFR publishes them. Read them again when a request is refused with TAX_LABEL_NOT_CURRENT, not before every receipt.",
  scope: "configuration:read",
  premises: "query",
  idempotent: false,
  pathParameters: {},
  query: {
    taxpayerId: { description: "The taxpayer.", schema: uuid("The taxpayer."), required: true },
    businessPremiseId: { description: "Its premise.", schema: uuid("Its premise."), required: true }
  },
  body: null,
  responses: {
    200: {
      description: "The labels.",
      content: { "application/json": { schema: ref("TaxRateConfiguration"), example: exampleTaxRates } }
    }
  },
  errors: [
    "TAXPAYER_NOT_FOUND",
    "BUSINESS_PREMISE_NOT_FOUND",
    "CREDENTIAL_ENVIRONMENT_MISMATCH",
    "ACTIVE_SECURITY_ELEMENT_REQUIRED",
    "PFR_SANDBOX_NOT_CONFIGURED",
    "CURRENT_TAX_CONFIGURATION_UNAVAILABLE"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { element, premise } = yield* premiseWithElement(call)
    const settings = yield* (yield* Installation).settings(call.tenant.environment)
    if (!settings.adapterConfigured) return yield* new PfrSandboxNotConfigured({})
    const history = yield* (yield* TaxRates).fresh(call.tenant, element.id)
    const current = groupAt(history.groups, yield* DateTime.now)
    if (current === null) return yield* new CurrentTaxConfigurationUnavailable({})
    return { status: 200, json: taxRatesJson(premise, history, current) }
  })
})

const premiseWithElement = Effect.fnUntraced(function*({ query, tenant }: TenantCall) {
  const taxpayerId = (query["taxpayerId"]?.[0] ?? "").toLowerCase()
  const businessPremiseId = (query["businessPremiseId"]?.[0] ?? "").toLowerCase()
  const directory = yield* TenancyDirectory
  const found = yield* directory.premiseForIssuing(
    tenant,
    TaxpayerId.make(taxpayerId),
    BusinessPremiseId.make(businessPremiseId)
  )
  if (Option.isNone(found)) return yield* new TaxpayerNotFound({ taxpayerId })
  const { activeElement, premise } = found.value
  if (premise === null) return yield* new BusinessPremiseNotFound({ businessPremiseId })
  if (activeElement === null) return yield* new ActiveSecurityElementRequired({ businessPremiseId })
  if (activeElement.environment !== tenant.environment) {
    return yield* new CredentialEnvironmentMismatch({
      credentialEnvironment: tenant.environment,
      elementEnvironment: activeElement.environment
    })
  }
  return { premise, element: activeElement }
})
