import { CredentialActs, credentialLimits, CredentialNotFound, decodeNewCredential, managementScope, NewCredentialShape } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { declareForTenant } from "../http/Operation.ts"
import { exampleCredential, noStore, programAct, refusalOfAct, secretJson, withSecret } from "./ownCredential.ts"

const { businessPremiseIds, name, scopes } = exampleCredential

/** An extension of the contract. Source: docs/adr/0180. */
export const postCredentials = declareForTenant({
  id: "issueCredential",
  method: "POST",
  path: "/v1/credentials",
  tag: "Credentials",
  summary: "Issue a credential",
  description:
    "Issues a credential of the organization in the environment of the calling one. Its scopes and premises never change. The secret is in this answer alone: if the answer is lost, revoke the credential of that name and issue another.",
  scope: managementScope,
  premises: "whole",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: jsonBody(NewCredentialShape, "What it may be used for.", { name, scopes, businessPremiseIds }),
  responses: { 201: withSecret("The credential is issued.") },
  errors: ["OWN_CREDENTIALS_NOT_ALLOWED"],
  handle: Effect.fnUntraced(function*(call) {
    const asked = yield* Effect.fromResult(decodeNewCredential(call.body?.tree))
    const { environment, organizationId } = call.tenant
    const issued = yield* (yield* CredentialActs).issueCredential(programAct(call, "POST /v1/credentials"), organizationId, environment, asked.scopes, {
      name: asked.name,
      premises: asked.premises,
      own: { by: "PROGRAM", most: credentialLimits.byPrograms }
    }).pipe(Effect.catchTag("ActRefused", refusalOfAct("", asked.premises ?? [])))
    return { status: 201, headers: noStore, json: yield* secretJson(call, issued) }
  }, (handled) => handled.pipe(Effect.catchIf((error) => error instanceof CredentialNotFound, Effect.die)))
})
