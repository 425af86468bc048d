import { CredentialActs, CredentialNotFound, managementScope } from "@overa/domain"
import { Effect } from "effect"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { credentialPath, exampleCredential, ofCaller, programAct, readCredential } from "./ownCredential.ts"

/** An extension of the contract. Source: docs/adr/0180. */
export const postCredentialRevocation = declareForTenant({
  id: "revokeCredential",
  method: "POST",
  path: "/v1/credentials/{clientId}/revocation",
  tag: "Credentials",
  summary: "Revoke a credential",
  description: "Ends a credential for good; its tokens end within 300 seconds. Repeating it changes nothing. Allowed also where the operator does not let the organization issue credentials.",
  scope: managementScope,
  premises: "whole",
  idempotent: false,
  pathParameters: credentialPath,
  query: {},
  body: null,
  responses: {
    200: {
      description: "The credential is revoked.",
      content: { "application/json": { schema: ref("Credential"), example: { ...exampleCredential, revokedAt: "2026-09-01T08:00:00.000Z" } } }
    }
  },
  errors: ["CREDENTIAL_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const clientId = call.params["clientId"] ?? ""
    yield* (yield* CredentialActs).revokeCredential(programAct(call, "POST /v1/credentials/{clientId}/revocation"), clientId, ofCaller(call)).pipe(
      Effect.catchTag("ActRefused", (refused) => refused.reason === "CREDENTIAL_NOT_FOUND" ? new CredentialNotFound({ clientId }) : Effect.die(refused))
    )
    return { status: 200, json: yield* readCredential(call, clientId) }
  })
})
