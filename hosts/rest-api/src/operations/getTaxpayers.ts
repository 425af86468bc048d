import { TenancyDirectory } from "@overa/domain"
import { Effect } from "effect"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { taxpayerJson } from "../json/setupJson.ts"
import { exampleTaxpayer } from "./exampleSetup.ts"

/** Source: Spec, GET /v1/taxpayers; Decisions §5. */
export const getTaxpayers = declareForTenant({
  id: "listTaxpayers",
  method: "GET",
  path: "/v1/taxpayers",
  tag: "Setup",
  summary: "List the taxpayers",
  description: "The organization's taxpayers in the credential's environment.",
  scope: "tenant:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: null,
  responses: {
    200: {
      description: "The taxpayers.",
      content: { "application/json": { schema: ref("TaxpayerList"), example: { items: [exampleTaxpayer] } } }
    }
  },
  errors: [],
  handle: Effect.fnUntraced(function*({ tenant }) {
    const directory = yield* TenancyDirectory
    const taxpayers = yield* directory.taxpayers(tenant)
    return { status: 200, json: { items: taxpayers.map(taxpayerJson) } }
  })
})
