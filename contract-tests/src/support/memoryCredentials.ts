import {
  AccessOversight, ActRefused, type Credential, CredentialActs, type CredentialEntry, Credentials, type Environment, type GrantableScope, managementScope, type OrganizationId,
  type OwnCredentials, Scope, secretDigest, type TokenKey
} from "@overa/domain"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import type { MemoryShop } from "./memoryTenancy.ts"

type Stored = Credential & CredentialEntry

const notFound = new ActRefused({ reason: "CREDENTIAL_NOT_FOUND", detail: "There is no such credential." })

/** Credentials in memory, and the acts on them that HTTP performs. `forbidden`: organizations that may not issue any themselves. */
export const memoryCredentials = (shops: ReadonlyArray<MemoryShop>, tokenKeys: () => ReadonlyArray<TokenKey>) => {
  const credentialKey = Redacted.make<Uint8Array>(randomBytes(32))
  const all: Array<Stored> = []
  const forbidden = new Set<OrganizationId>()
  const newSecret = () => {
    const clientSecret = randomBytes(32).toString("base64url")
    return { clientSecret, digest: secretDigest(Redacted.value(credentialKey), clientSecret) }
  }
  const issue = (organizationId: OrganizationId, environment: Environment | null, scopes: ReadonlyArray<GrantableScope> = Scope.literals, more: Partial<Pick<Stored, "name" | "premises">> = {}) => {
    const { clientSecret, digest } = newSecret()
    const clientId = `svc-${environment ?? "none"}-${randomUUID()}`
    const dates = { createdAt: DateTime.nowUnsafe(), formerSecretUntil: null, revokedAt: null, lastUsedAt: null }
    all.push({ clientId, organizationId, environment, scopes, secretDigest: digest, formerSecret: null, revoked: false, name: more.name ?? null, premises: more.premises ?? null, ...dates })
    return { clientId, clientSecret }
  }
  const change = (clientId: string, own: OwnCredentials | undefined, changed: (stored: Stored) => Partial<Stored>) => {
    const index = all.findIndex((one) =>
      one.clientId === clientId && one.organizationId === own?.organizationId && one.environment === own.environment && !one.scopes.includes(managementScope))
    const stored = all[index]
    if (stored === undefined) return false
    all[index] = { ...stored, ...changed(stored) }
    return true
  }
  const notAllowed = new ActRefused({ reason: "CREDENTIALS_NOT_ALLOWED", detail: "The operator does not allow it." })
  const acts: Pick<CredentialActs["Service"], "issueCredential" | "rotateCredential" | "revokeCredential"> = {
    issueCredential: (_act, organizationId, environment, scopes, options = {}) => {
      if (forbidden.has(organizationId)) return notAllowed
      const missing = (options.premises ?? []).find((id) => !shops.some((shop) => shop.organizationId === organizationId && shop.environment === environment && shop.place.premise?.id === id))
      if (missing !== undefined) return new ActRefused({ reason: "BUSINESS_PREMISE_NOT_FOUND", detail: `There is no premise ${missing}.` })
      const { clientId, clientSecret } = issue(organizationId, environment, scopes, { name: options.name ?? null, premises: options.premises ?? null })
      return Effect.succeed({ clientId, clientSecret: Redacted.make(clientSecret) })
    },
    rotateCredential: (_act, clientId, keepSeconds, own) => {
      if (own !== undefined && forbidden.has(own.organizationId)) return notAllowed
      const { clientSecret, digest } = newSecret()
      const until = DateTime.add(DateTime.nowUnsafe(), { seconds: keepSeconds })
      const isDone = change(clientId, own, (stored) => ({
        secretDigest: digest,
        formerSecret: keepSeconds === 0 ? null : { digest: stored.secretDigest, until },
        formerSecretUntil: keepSeconds === 0 ? null : until
      }))
      return isDone ? Effect.succeed({ clientId, clientSecret: Redacted.make(clientSecret) }) : notFound
    },
    revokeCredential: (_act, clientId, own) =>
      change(clientId, own, ({ revokedAt }) => ({ revoked: true, revokedAt: revokedAt ?? DateTime.nowUnsafe() })) ? Effect.void : notFound
  }
  const credentials = Credentials.of({
    find: (clientId) => Effect.succeed(Option.fromUndefinedOr(all.find((one) => one.clientId === clientId))),
    replaceDigest: () => Effect.void,
    noteUse: () => Effect.void,
    tokenKeys: Effect.sync(tokenKeys)
  })
  const seen: Pick<AccessOversight["Service"], "credentials"> = { credentials: (organizationId) => Effect.succeed(all.filter((one) => one.organizationId === organizationId)) }
  return {
    credentialKey,
    issue,
    forbidden,
    credentials: Layer.succeed(Credentials, credentials),
    // HTTP performs these and no others; any other call must make the test fail.
    acts: Layer.mergeAll(Layer.succeed(CredentialActs, acts as CredentialActs["Service"]), Layer.succeed(AccessOversight, seen as AccessOversight["Service"]))
  }
}
