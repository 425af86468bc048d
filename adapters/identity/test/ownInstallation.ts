import { type Credential, Credentials, OrganizationId, secretDigest, StoreUnavailable, type TokenKey } from "@overa/domain"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { createPrivateKey, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto"
import { SignJWT } from "jose"
import { expect } from "@effect/vitest"
import { Callers } from "../src/Callers.ts"
import type { IdentitySettings } from "../src/IdentitySettings.ts"
import { ownCallers } from "../src/ownCallers.ts"
import { ownTokenEndpoint } from "../src/ownTokenEndpoint.ts"
import { TokenEndpoint } from "../src/TokenEndpoint.ts"

export const newKey = (): TokenKey => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const { e, kty, n } = publicKey.export({ format: "jwk" })
  return {
    kid: randomUUID(),
    privateKey: Redacted.make(privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
    publicJwk: { kty: String(kty), n: String(n), e: String(e) },
    retiredAt: null
  }
}

export const settings = { issuer: "overa", audience: "overa-api", credentialKey: Redacted.make<Uint8Array>(randomBytes(32)) }
export const clientSecret = randomBytes(32).toString("base64url")

/** The endpoint and the verifier over one replaceable set of keys and one credential. */
export const installation = (used: IdentitySettings = settings) => {
  const state = { keys: [newKey()], revoked: false, reads: 0, hangs: false, readMillis: 0, readFails: false, digest: secretDigest(Redacted.value(settings.credentialKey), clientSecret), keyId: "", uses: [] as Array<number>, storeDown: false, former: null as Credential["formerSecret"], premises: null as Credential["premises"] }
  const credential = (): Credential => ({
    clientId: "svc-sbx-1",
    organizationId: OrganizationId.make("01936b0e-0a00-7000-8000-000000000000"),
    environment: "sandbox",
    scopes: ["fiscal:read", "fiscal:write"],
    premises: state.premises,
    formerSecret: state.former,
    secretDigest: state.digest,
    revoked: state.revoked
  })
  const credentials = Layer.succeed(
    Credentials,
    Credentials.of({
      find: (clientId) => Effect.succeed(clientId === "svc-sbx-1" ? Option.some(credential()) : Option.none()),
      replaceDigest: (found, next) =>
        Effect.sync(() => {
          if (found.secretDigest === state.digest) Object.assign(state, next)
        }),
      noteUse: ({ clientId }, at) =>
        Effect.suspend(() => {
          if (state.storeDown) return new StoreUnavailable({ committed: "no", cause: "down" })
          expect(clientId).toBe("svc-sbx-1")
          state.uses.push(DateTime.toEpochMillis(at))
          return Effect.void
        }),
      tokenKeys: Effect.suspend(() => {
        state.reads++
        const read = state.keys
        if (state.hangs) return Effect.never
        const answer = state.readFails ? Effect.fail(new StoreUnavailable({ committed: "no", cause: "down" })) : Effect.succeed(read)
        return state.readMillis === 0 ? answer : Effect.andThen(Effect.sleep(state.readMillis), answer)
      })
    })
  )
  const layer = Layer.mergeAll(ownTokenEndpoint(used), ownCallers(used)).pipe(Layer.provide(credentials))
  /** A token as the endpoint would make it, except for the given claims. */
  const mint = (key: TokenKey, claims: Readonly<Record<string, unknown>>): Promise<string> =>
    new SignJWT({
      iss: settings.issuer,
      aud: settings.audience,
      sub: "svc-sbx-1",
      azp: "svc-sbx-1",
      org_id: credential().organizationId,
      svc_env: "sandbox",
      scope: "fiscal:read",
      ...claims
    }).setProtectedHeader({ alg: "RS256", kid: key.kid }).sign(createPrivateKey(Redacted.value(key.privateKey)))
  return { state, layer, mint }
}

export const form = `grant_type=client_credentials&client_id=svc-sbx-1&client_secret=${clientSecret}`
export const withFormerKey = (former: Redacted.Redacted<Uint8Array>) => installation({ ...settings, formerCredentialKeys: [former] })

export const issue = Effect.flatMap(TokenEndpoint, (endpoint) => endpoint.issue({ authorization: undefined, form, address: "192.0.2.1" }))
export const authenticate = (token: string) => Effect.flatMap(Callers, (callers) => callers.authenticate(token))
