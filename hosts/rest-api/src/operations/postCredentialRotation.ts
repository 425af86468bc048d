import { CredentialActs, CredentialRotationShape, decodeCredentialRotation, managementScope } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { declareForTenant } from "../http/Operation.ts"
import { credentialPath, noStore, ofCaller, programAct, refusalOfAct, secretJson, withSecret } from "./ownCredential.ts"

/** An extension of the contract. Source: docs/adr/0180. */
export const postCredentialRotation = declareForTenant({
  id: "rotateCredential",
  method: "POST",
  path: "/v1/credentials/{clientId}/rotation",
  tag: "Credentials",
  summary: "Replace a secret",
  description:
    "Makes a new secret. The one before is accepted as well for as long as the body says; one that was before that one ends at once. The secret is in this answer alone: if the answer is lost, rotate again.",
  scope: managementScope,
  premises: "whole",
  idempotent: false,
  pathParameters: credentialPath,
  query: {},
  body: jsonBody(CredentialRotationShape, "How long the secret before is accepted.", { keepFormerSeconds: 86_400 }),
  responses: { 200: withSecret("The credential with its new secret.") },
  errors: ["CREDENTIAL_NOT_FOUND", "OWN_CREDENTIALS_NOT_ALLOWED"],
  handle: Effect.fnUntraced(function*(call) {
    const { keepSeconds } = yield* Effect.fromResult(decodeCredentialRotation(call.body?.tree))
    const clientId = call.params["clientId"] ?? ""
    const rotated = yield* (yield* CredentialActs).rotateCredential(programAct(call, "POST /v1/credentials/{clientId}/rotation"), clientId, keepSeconds, ofCaller(call)).pipe(
      Effect.catchTag("ActRefused", refusalOfAct(clientId, []))
    )
    return { status: 200, headers: noStore, json: yield* secretJson(call, rotated) }
  })
})
