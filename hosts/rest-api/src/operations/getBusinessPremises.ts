import { TaxpayerId, TaxpayerNotFound, TenancyDirectory } from "@overa/domain"
import { Effect, Option } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { mayUse } from "../http/withinPremises.ts"
import { pathId } from "../http/pathId.ts"
import { businessPremiseJson } from "../json/setupJson.ts"
import { examplePremise } from "./exampleSetup.ts"

/** Source: Spec, GET /v1/taxpayers/{taxpayerId}/business-premises. */
export const getBusinessPremises = declareForTenant({
  id: "listBusinessPremises",
  method: "GET",
  path: "/v1/taxpayers/{taxpayerId}/business-premises",
  tag: "Setup",
  summary: "List a taxpayer's premises",
  description: "The premises of an active taxpayer of the organization in the credential's environment.",
  scope: "tenant:read",
  premises: "own",
  idempotent: false,
  pathParameters: { taxpayerId: { description: "The taxpayer.", schema: uuid("The taxpayer.") } },
  query: {},
  body: null,
  responses: {
    200: {
      description: "The premises.",
      content: { "application/json": { schema: ref("BusinessPremiseList"), example: { items: [examplePremise] } } }
    }
  },
  errors: ["TAXPAYER_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const asked = call.params["taxpayerId"] ?? ""
    const id = pathId(asked)
    if (id === null) return yield* new TaxpayerNotFound({ taxpayerId: asked })
    const directory = yield* TenancyDirectory
    const premises = yield* directory.businessPremises(call.tenant, TaxpayerId.make(id))
    if (Option.isNone(premises)) return yield* new TaxpayerNotFound({ taxpayerId: asked })
    return { status: 200, json: { items: premises.value.filter(({ id }) => mayUse(call.caller, id)).map(businessPremiseJson) } }
  })
})
