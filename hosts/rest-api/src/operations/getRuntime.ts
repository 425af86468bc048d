import { Environment, Installation } from "@overa/domain"
import { Effect } from "effect"
import { ref } from "@overa/host-kit/contract"
import { declareForCaller } from "../http/Operation.ts"
import { SoftwareRelease } from "../SoftwareRelease.ts"

const exampleRuntime = {
  manufacturer: "Overa",
  productName: "Overa",
  esirNumber: "",
  softwareVersion: "0.1.0",
  buildCommit: "unknown",
  instanceId: "host-1",
  organizationId: "01936b0e-0a00-7000-8000-000000000000",
  clientId: "svc-sbx-01936b0e",
  fiscalEndpointsEnabled: true,
  pfrAdapter: "configured"
}

/** Source: Spec, Resources, Runtime. The only call a credential without an environment may make (Decisions §10). */
export const getRuntime = declareForCaller({
  id: "readRuntime",
  method: "GET",
  path: "/v1/runtime",
  tag: "Setup",
  summary: "Read what runs here",
  description: "The software, its approval number, and whether fiscal calls of this credential can succeed.",
  scope: "tenant:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: null,
  responses: {
    200: { description: "The installation.", content: { "application/json": { schema: ref("Runtime"), example: exampleRuntime } } }
  },
  errors: [],
  handle: Effect.fnUntraced(function*({ caller }) {
    const installation = yield* Installation
    const release = yield* SoftwareRelease
    // Without an environment no fiscal call is served; the answer then shows the configuration of the whole installation.
    const environments = caller.environment === null ? Environment.literals : [caller.environment]
    const settings = yield* Effect.all(environments.map((environment) => installation.settings(environment)))
    return {
      status: 200,
      json: {
        ...release,
        esirNumber: caller.environment === null ? "" : settings[0]?.esirNumber ?? "",
        instanceId: installation.hostId,
        organizationId: caller.organizationId,
        clientId: caller.clientId,
        fiscalEndpointsEnabled: caller.environment !== null &&
          settings.every(({ adapterConfigured, trafficEnabled }) => adapterConfigured && trafficEnabled),
        pfrAdapter: settings.some(({ adapterConfigured }) => adapterConfigured) ? "configured" : "not_configured"
      }
    }
  })
})
