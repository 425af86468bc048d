import {
  AccessOversight, type ActRefused, type BusinessPremiseId, type CredentialEntry, CredentialNotFound, type IssuedCredential, OwnCredentialsNotAllowed, RequestFaults
} from "@overa/domain"
import { DateTime, Effect, Redacted } from "effect"
import { ref, text } from "@overa/host-kit/contract"
import type { DeclaredResponse, TenantCall } from "../http/Operation.ts"
import { utcTime } from "@overa/host-kit"
import { examplePremise } from "./exampleSetup.ts"

export const exampleCredential = {
  clientId: "svc-prod-0123456789abcdef01",
  name: "Продавница 17",
  environment: "production",
  scopes: ["fiscal:write", "fiscal:read", "operations:read"],
  businessPremiseIds: [examplePremise.id] as ReadonlyArray<string> | null,
  createdAt: "2026-08-01T08:00:00.000Z",
  lastUsedAt: null as string | null,
  formerSecretUntil: null as string | null,
  revokedAt: null as string | null
}

export const credentialPath = { clientId: { description: "The credential's client id.", schema: text("The credential's client id.", { maxLength: 100 }) } }

/** An answer with a secret: no cache may keep it. */
export const withSecret = (description: string, headers: DeclaredResponse["headers"] = []): DeclaredResponse => ({
  description,
  content: {
    "application/json": {
      schema: ref("CredentialWithSecret"),
      example: { ...exampleCredential, clientSecret: "k1Yc3qv0mM2o0wq4bq6d7y3zJ8hZ5v1nT9sX4uL6aRE" }
    }
  },
  headers: ["Cache-Control", ...headers]
})

export const noStore = { "Cache-Control": "no-store" }

/** A program's act for the activity log. */
export const programAct = ({ caller }: TenantCall, what: string) => ({ actor: `client:${caller.clientId}`, reason: what })

/** Which credentials the calling one may name. */
export const ofCaller = ({ tenant }: TenantCall) => ({ by: "PROGRAM", ...tenant } as const)

export const credentialJson = (entry: CredentialEntry, now: DateTime.Utc) => ({
  clientId: entry.clientId,
  name: entry.name,
  environment: entry.environment,
  scopes: entry.scopes,
  businessPremiseIds: entry.premises,
  createdAt: utcTime(entry.createdAt),
  lastUsedAt: entry.lastUsedAt === null ? null : utcTime(entry.lastUsedAt),
  formerSecretUntil: entry.formerSecretUntil !== null && DateTime.isLessThan(now, entry.formerSecretUntil) ? utcTime(entry.formerSecretUntil) : null,
  revokedAt: entry.revokedAt === null ? null : utcTime(entry.revokedAt)
})

/** The organization's credentials of the caller's environment. */
export const credentialsOf = Effect.fnUntraced(function*({ tenant }: TenantCall) {
  const all = yield* (yield* AccessOversight).credentials(tenant.organizationId)
  return all.filter(({ environment }) => environment === tenant.environment)
})

/** The credential as it is now. */
export const readCredential = Effect.fnUntraced(function*(call: TenantCall, clientId: string) {
  const found = (yield* credentialsOf(call)).find((entry) => entry.clientId === clientId)
  return found === undefined ? yield* new CredentialNotFound({ clientId }) : credentialJson(found, yield* DateTime.now)
})

/** With the secret, which only this answer has. */
export const secretJson = (call: TenantCall, { clientId, clientSecret }: IssuedCredential) =>
  Effect.map(readCredential(call, clientId), (json) => ({ ...json, clientSecret: Redacted.value(clientSecret) }))

const premiseFault = (premises: ReadonlyArray<BusinessPremiseId>, { detail }: ActRefused) => {
  const index = Math.max(0, premises.findIndex((id) => detail.includes(id)))
  return new RequestFaults({ faults: [{ pointer: `/businessPremiseIds/${index}`, key: "BusinessPremiseIds", message: "is no premise of this organization and environment" }] })
}

/** The answer to a refused act; a reason that no such act has is a fault of ours. */
export const refusalOfAct =
  (clientId: string, premises: ReadonlyArray<BusinessPremiseId>) =>
  (refused: ActRefused): Effect.Effect<never, CredentialNotFound | OwnCredentialsNotAllowed | RequestFaults> => {
  switch (refused.reason) {
    case "CREDENTIALS_NOT_ALLOWED":
      return new OwnCredentialsNotAllowed({})
    case "CREDENTIAL_NOT_FOUND":
      return new CredentialNotFound({ clientId })
    case "BUSINESS_PREMISE_NOT_FOUND":
      return premiseFault(premises, refused)
    case "QUOTA_REACHED":
      return new RequestFaults({ faults: [{ pointer: "", key: "Credentials", message: refused.detail }] })
    default:
      return Effect.die(refused)
  }
}
