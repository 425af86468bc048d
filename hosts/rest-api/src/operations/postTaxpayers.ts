import { decodeTaxpayerRegistration, type NewTaxpayer, RequestFaults, TaxpayerActs, TaxpayerRegistrationShape } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { ref } from "@overa/host-kit/contract"
import { OwnRegistrations } from "../http/OwnRegistrations.ts"
import { declareForTenant } from "../http/Operation.ts"
import { businessPremiseJson, taxpayerJson } from "../json/setupJson.ts"
import { examplePremise, exampleTaxpayer } from "./exampleSetup.ts"

const exampleRegistration = {
  taxIdentifier: exampleTaxpayer.taxIdentifier,
  name: exampleTaxpayer.name,
  address: exampleTaxpayer.address,
  city: exampleTaxpayer.city,
  vatStatus: exampleTaxpayer.vatStatus,
  businessPremises: [{ puIdentifier: examplePremise.puIdentifier, name: examplePremise.name }]
}

/** Source: Spec, POST /v1/taxpayers; Decisions §5: any credential with an environment may register. */
export const postTaxpayers = declareForTenant({
  id: "registerTaxpayer",
  method: "POST",
  path: "/v1/taxpayers",
  tag: "Setup",
  summary: "Register a taxpayer with its premises",
  description:
    "Registers a taxpayer in the credential's environment. Sandbox premises get a security element from the pool at once and can issue. In production the operator confirms the tax identifier, at the latest with its security element. Tax and premise identifiers never change.",
  scope: null,
  premises: "whole",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: jsonBody(TaxpayerRegistrationShape, "The taxpayer and its premises.", exampleRegistration),
  responses: {
    201: {
      description: "The taxpayer is registered.",
      content: {
        "application/json": {
          schema: ref("RegisteredTaxpayer"),
          example: { ...exampleTaxpayer, businessPremises: [examplePremise] }
        }
      },
      headers: ["Location"]
    }
  },
  errors: ["TAXPAYER_ALREADY_EXISTS"],
  handle: Effect.fnUntraced(function*(call) {
    const registration: NewTaxpayer = yield* Effect.fromResult(decodeTaxpayerRegistration(call.body?.tree))
    const taxpayerActs = yield* TaxpayerActs
    const created = yield* taxpayerActs.createTaxpayer(
      { actor: `client:${call.caller.clientId}`, reason: "POST /v1/taxpayers" },
      call.tenant.organizationId,
      call.tenant.environment,
      registration,
      yield* OwnRegistrations
    ).pipe(
      Effect.catchTag("ActRefused", (refused) =>
        refused.reason === "PU_IDENTIFIER_ALREADY_EXISTS" || refused.reason === "QUOTA_REACHED"
          ? refusedPremises(refused.reason === "QUOTA_REACHED" ? "BusinessPremises" : "BusinessPremises.PuIdentifier", refused.detail)
          : Effect.die(refused))
    )
    return {
      status: 201,
      headers: { Location: `/v1/taxpayers/${created.taxpayer.id}/business-premises` },
      json: {
        ...taxpayerJson(created.taxpayer),
        businessPremises: created.premises.map(({ premise }) => businessPremiseJson(premise))
      }
    }
  })
})

const refusedPremises = (key: string, message: string) =>
  new RequestFaults({ faults: [{ pointer: "/businessPremises", key, message }] })
