import { DateTime, Effect } from "effect"
import { managementScope } from "@overa/domain"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { credentialJson, credentialsOf, exampleCredential } from "./ownCredential.ts"

/** An extension of the contract. Source: docs/adr/0180. */
export const getCredentials = declareForTenant({
  id: "listCredentials",
  method: "GET",
  path: "/v1/credentials",
  tag: "Credentials",
  summary: "List the credentials",
  description: "The organization's credentials in the environment of the calling one, oldest first, with their last use. Never a secret.",
  scope: managementScope,
  premises: "whole",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: null,
  responses: {
    200: {
      description: "The credentials.",
      content: { "application/json": { schema: ref("CredentialList"), example: { items: [exampleCredential] } } }
    }
  },
  errors: [],
  handle: Effect.fnUntraced(function*(call) {
    const now = yield* DateTime.now
    return { status: 200, json: { items: (yield* credentialsOf(call)).map((entry) => credentialJson(entry, now)) } }
  })
})
