import { TenancyDirectory } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { mayUse } from "../http/withinPremises.ts"
import { securityElementJson } from "../json/setupJson.ts"
import { exampleElement } from "./exampleSetup.ts"

/** Source: Spec, Operations known by name only; Decisions §5, GET /v1/security-elements. */
export const getSecurityElements = declareForTenant({
  id: "listSecurityElements",
  method: "GET",
  path: "/v1/security-elements",
  tag: "Setup",
  summary: "List the security elements",
  description: "Certificate facts of the organization's elements, with the days until they expire. Never a key.",
  scope: "security-elements:read",
  premises: "own",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: null,
  responses: {
    200: {
      description: "The elements.",
      content: { "application/json": { schema: ref("SecurityElementList"), example: { items: [exampleElement] } } }
    }
  },
  errors: [],
  handle: Effect.fnUntraced(function*({ caller, tenant }) {
    const directory = yield* TenancyDirectory
    const elements = yield* directory.securityElements(tenant)
    const now = yield* DateTime.now
    return { status: 200, json: { items: elements.filter(({ businessPremiseId }) => mayUse(caller, businessPremiseId)).map((element) => securityElementJson(element, now)) } }
  })
})
