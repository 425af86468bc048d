import { BusinessPremiseId, credentialKeyId, Identifiers, secretDigest } from "@overa/domain"
import { DateTime, Effect, Exit, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { randomBytes, randomUUID } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { TokenEndpoint } from "../src/TokenEndpoint.ts"
import { layerIdentifiers } from "../src/UuidIdentifiers.ts"
import { authenticate, clientSecret, form, installation, issue, newKey, settings, withFormerKey } from "./ownInstallation.ts"

describe("a rotated credential", () => {
  it.effect("hears the secret before until its time, and not at it; its restriction is in no claim and holds", () => {
    const { layer, state } = installation()
    state.former = { digest: state.digest, until: DateTime.makeUnsafe(60_000) }
    state.digest = "a".repeat(64)
    state.premises = [BusinessPremiseId.make("01936b0e-0b00-7000-8000-000000000000")]
    return Effect.gen(function*() {
      yield* TestClock.setTime(59_999)
      const { access_token: token } = yield* issue
      expect((yield* authenticate(token)).premises).toEqual(new Set(state.premises))
      yield* TestClock.setTime(60_000)
      expect((yield* Effect.flip(issue))._tag).toBe("TokenRequestRefused")
    }).pipe(Effect.provide(layer))
  })
})

describe("a credential key that is being replaced", () => {
  const former = Redacted.make<Uint8Array>(randomBytes(32))
  const underNew = secretDigest(Redacted.value(settings.credentialKey), clientSecret)
  const underFormer = secretDigest(Redacted.value(former), clientSecret)

  it.effect("hears a secret stored under the former key once more, and stores its digest under the new one", () => {
    const { layer, state } = withFormerKey(former)
    state.digest = underFormer
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      expect((yield* authenticate(token)).clientId).toBe("svc-sbx-1")
      expect(state).toMatchObject({ digest: underNew, keyId: credentialKeyId(Redacted.value(settings.credentialKey)) })
      yield* issue
      expect(state.digest).toBe(underNew)
    }).pipe(Effect.provide(layer))
  })

  it.effect("hears it no more once the former key is taken away, and no other secret under either", () => {
    const { layer, state } = installation()
    state.digest = underFormer
    const both = withFormerKey(former)
    both.state.digest = secretDigest(Redacted.value(former), "another secret")
    return Effect.gen(function*() {
      expect(Exit.isFailure(yield* Effect.exit(issue))).toBe(true)
      expect(Exit.isFailure(yield* Effect.exit(Effect.provide(issue, both.layer, { local: true })))).toBe(true)
      expect(state.digest).toBe(underFormer)
    }).pipe(Effect.provide(layer))
  })
})

describe("the last use of a credential", () => {
  it.effect("is written down at most once an hour, however many tokens it gets", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      for (let minute = 0; minute < 180; minute++) {
        yield* issue
        yield* TestClock.adjust("1 minute")
      }
      expect(state.uses).toEqual([0, 3_600_000, 7_200_000])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is nobody's who gives a wrong secret or asks for a scope of another", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const endpoint = yield* TokenEndpoint
      for (const wrong of [`${form}x`, `${form}&scope=nothing`]) {
        expect(Exit.isFailure(yield* Effect.exit(endpoint.issue({ authorization: undefined, form: wrong, address: "192.0.2.1" })))).toBe(true)
      }
      expect(state.uses).toEqual([])
    }).pipe(Effect.provide(layer))
  })

  it.effect("that could not be written down keeps no token back, and is written with the next one", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      state.storeDown = true
      expect((yield* issue).expires_in).toBe(300)
      yield* TestClock.adjust("1 second")
      state.storeDown = false
      yield* issue
      yield* TestClock.adjust("1 second")
      expect(state.uses).toEqual([1_000])
    }).pipe(Effect.provide(layer))
  })
})

describe("own tokens", () => {
  it.effect("speak for their credential until 300 seconds are over", () =>
    Effect.gen(function*() {
      const { access_token: token } = yield* issue
      yield* TestClock.adjust("299 seconds")
      const caller = yield* authenticate(token)
      expect(caller.clientId).toBe("svc-sbx-1")
      yield* TestClock.adjust("1 second")
      expect(Exit.isFailure(yield* Effect.exit(authenticate(token)))).toBe(true)
    }).pipe(Effect.provide(installation().layer)))

  it.effect("of a retired key verify until their tokens have expired, and not a second longer than 330; new ones carry the new key", () => {
    const { layer, mint, state } = installation()
    return Effect.gen(function*() {
      const { access_token: old } = yield* issue
      const fresh = newKey()
      const [retired] = state.keys
      if (retired === undefined) throw new Error("no key")
      state.keys = [fresh, { ...retired, retiredAt: 0 }]
      yield* TestClock.adjust("31 seconds")
      const { access_token: next } = yield* issue
      expect(JSON.parse(Buffer.from(next.split(".")[0] ?? "", "base64url").toString()).kid).toBe(fresh.kid)
      expect((yield* authenticate(old)).clientId).toBe("svc-sbx-1")
      expect((yield* authenticate(next)).clientId).toBe("svc-sbx-1")
      // A thief of the retired key can sign with it as long as some host accepts it.
      const stolen = yield* Effect.promise(() => mint(retired, { iat: 300, exp: 600 }))
      yield* TestClock.adjust("298 seconds")
      expect((yield* authenticate(stolen)).clientId).toBe("svc-sbx-1")
      yield* TestClock.adjust("3 seconds")
      expect(Exit.isFailure(yield* Effect.exit(authenticate(stolen)))).toBe(true)
    }).pipe(Effect.provide(layer))
  })

  it.effect("are checked again beside the requests: none waits for a store that is slow", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      yield* authenticate(token)
      const reads = state.reads
      yield* TestClock.adjust("1 second")
      state.hangs = true
      yield* Effect.andThen(authenticate(token), TestClock.adjust("900 millis"))
      yield* authenticate(token)
      expect(state.reads).toBe(reads + 1)
    }).pipe(Effect.provide(layer))
  })

  it.effect("live no longer than 300 seconds, and say when they were issued", () => {
    const { layer, mint, state } = installation()
    return Effect.gen(function*() {
      const [key] = state.keys
      if (key === undefined) throw new Error("no key")
      const lives = (times: { readonly iat?: number; readonly exp: number }) =>
        Effect.flatMap(Effect.promise(() => mint(key, times)), (token) => Effect.map(Effect.exit(authenticate(token)), Exit.isSuccess))
      expect(yield* lives({ iat: 0, exp: 300 })).toBe(true)
      expect(yield* lives({ iat: 0, exp: 301 })).toBe(false)
      expect(yield* lives({ exp: 300 })).toBe(false)
      // Short between its own two times, but accepted for ten years.
      expect(yield* lives({ iat: 315_360_000, exp: 315_360_300 })).toBe(false)
      expect(yield* lives({ iat: 31, exp: 331 })).toBe(false)
      expect(yield* lives({ iat: 30, exp: 330 })).toBe(true)
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a client that does not exist, is revoked, or is another organization's are refused", () => {
    const { layer, mint, state } = installation()
    return Effect.gen(function*() {
      const [key] = state.keys
      if (key === undefined) throw new Error("no key")
      const believes = (claims: Readonly<Record<string, unknown>>) =>
        Effect.flatMap(Effect.promise(() => mint(key, { iat: 0, exp: 300, ...claims })), (token) => Effect.map(Effect.exit(authenticate(token)), Exit.isSuccess))
      expect(yield* believes({ jti: "1" })).toBe(true)
      expect(yield* believes({ azp: "svc-sbx-2" })).toBe(false)
      expect(yield* believes({ org_id: "01936b0e-0a00-7000-8000-000000000001" })).toBe(false)
      expect(yield* believes({ svc_env: "production" })).toBe(false)
      state.revoked = true
      expect(yield* believes({ jti: "2" })).toBe(false)
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a key this host has not read yet are recognized at once", () => {
    const { layer, state } = installation()
    const elsewhere = installation()
    return Effect.gen(function*() {
      yield* issue
      state.keys = [...elsewhere.state.keys, ...state.keys]
      const { access_token: token } = yield* issue.pipe(Effect.provide(elsewhere.layer))
      yield* TestClock.adjust("2 seconds")
      expect((yield* authenticate(token)).clientId).toBe("svc-sbx-1")
    }).pipe(Effect.provide(layer))
  })

  it.effect("are not issued to a revoked credential", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      state.revoked = true
      const refused = yield* Effect.flip(issue)
      expect(refused).toMatchObject({ _tag: "TokenRequestRefused", error: "invalid_client" })
    }).pipe(Effect.provide(layer))
  })

  it.effect("publish only the public halves of their keys", () =>
    Effect.gen(function*() {
      const { keys } = yield* Effect.flatMap(TokenEndpoint, ({ keySet }) => keySet)
      expect(keys.map((key) => Object.keys(key).sort())).toEqual([["alg", "e", "kid", "kty", "n", "use"]])
    }).pipe(Effect.provide(installation().layer)))

  it.effect("cannot make the host read its keys again and again with unknown key ids", () => {
    const { layer, state } = installation()
    return Effect.gen(function*() {
      const { access_token: token } = yield* issue
      const [, claims = "", signature = ""] = token.split(".")
      const before = state.reads
      for (let count = 0; count < 50; count++) {
        const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: randomUUID() })).toString("base64url")
        yield* Effect.exit(authenticate(`${header}.${claims}.${signature}`))
      }
      expect(state.reads - before).toBeLessThanOrEqual(1)
    }).pipe(Effect.provide(layer))
  })
})

describe("identifiers", () => {
  it.effect("are UUIDs of version 7 in the order of time, each new", () =>
    Effect.gen(function*() {
      const { uuid } = yield* Identifiers
      yield* TestClock.setTime(1_700_000_000_000)
      const first = yield* Effect.replicateEffect(uuid, 1_000)
      yield* TestClock.adjust("1 millis")
      const later = yield* uuid
      expect(new Set(first).size).toBe(1_000)
      for (const id of first) {
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(id < later).toBe(true)
      }
    }).pipe(Effect.provide(layerIdentifiers)))
})
