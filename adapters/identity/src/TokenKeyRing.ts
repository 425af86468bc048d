import { Credentials, type StoreUnavailable, type TokenKey } from "@overa/domain"
import { Clock, Effect, Redacted, Semaphore } from "effect"
import { type CryptoKey, importJWK, importPKCS8 } from "jose"
import { besideRequests, renewedAfterMillis } from "./besideRequests.ts"
import { tokenLifetimeSeconds } from "./IdentitySettings.ts"

/** How long a set of keys is used, from the moment in which its reading began: for so long a revoked key may be taken for a good one. */
const freshMillis = 2_000
/** Shortest interval between two reads: tokens that name unknown keys cannot cause more. */
const shortestReadMillis = 1_000
/** How much longer than its tokens' lifetime a retired key verifies: until every host has noticed that another key signs. */
const retirementMillis = tokenLifetimeSeconds * 1_000 + 30_000

/** The signature algorithm of our own tokens, the only one accepted for them. */
export const tokenAlgorithm = "RS256"

interface LoadedKeys {
  /** When its reading began: what changed after it may be missing, however long the reading took. */
  readonly readAt: number
  readonly keys: ReadonlyArray<TokenKey>
  readonly verifying: ReadonlyMap<string, VerifyingKey>
  readonly signing: { readonly kid: string; readonly key: CryptoKey } | null
}

interface VerifyingKey {
  readonly key: CryptoKey
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Our token keys, read from the store and cached for two seconds, read again beside the requests after one; a token with an unknown key id makes a rotation known at once. */
export interface TokenKeyRing {
  /** The newest key that is not retired; null when the installation has none. */
  readonly signing: Effect.Effect<LoadedKeys["signing"], StoreUnavailable>
  /** Null for a key that is unknown, revoked, or retired for longer than its tokens live. */
  readonly verifying: (kid: string) => Effect.Effect<CryptoKey | null, StoreUnavailable>
  readonly publicKeys: Effect.Effect<ReadonlyArray<Readonly<Record<string, string>>>, StoreUnavailable>
}

export const makeTokenKeyRing = Effect.gen(function*() {
  const credentials = yield* Credentials
  const oneAtATime = yield* Semaphore.make(1)
  let loaded: LoadedKeys | null = null
  let failed: { readonly error: StoreUnavailable } | null = null
  const renewal = besideRequests()

  const load = Effect.gen(function*() {
    const readAt = yield* Clock.currentTimeMillis
    const keys = yield* Effect.tapError(credentials.tokenKeys, (error) => Effect.sync(() => void (failed = { error })))
    const before = loaded
    return loaded = { ...(yield* Effect.promise(() => importKeys(keys, before))), readAt }
  })

  // Those who wait for a slow reading share it: what counts is how old it was when they asked. They share its failure too; readings one after another
  // would keep the last of them waiting for minutes.
  const loadedWithin = (millis: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (asked) => {
      const failedBefore = failed
      return oneAtATime.withPermit(Effect.suspend(() => {
        if (loaded !== null && asked - loaded.readAt < millis) return Effect.succeed(loaded)
        return failed === null || failed === failedBefore ? load : Effect.fail(failed.error)
      }))
    })

  const fresh = Effect.gen(function*() {
    const age = loaded === null ? Number.POSITIVE_INFINITY : (yield* Clock.currentTimeMillis) - loaded.readAt
    if (loaded === null || age >= freshMillis) return yield* loadedWithin(freshMillis)
    if (age >= renewedAfterMillis) yield* renewal.begin(loadedWithin(renewedAfterMillis))
    return loaded
  })

  const verifying = Effect.fnUntraced(function*(kid: string) {
    const known = (yield* fresh).verifying.get(kid) ??
      (yield* loadedWithin(shortestReadMillis)).verifying.get(kid)
    return known !== undefined && (yield* Clock.currentTimeMillis) < known.until ? known.key : null
  })

  const ring: TokenKeyRing = {
    signing: Effect.map(fresh, ({ signing }) => signing),
    verifying,
    publicKeys: Effect.zipWith(fresh, Clock.currentTimeMillis, ({ keys }, now) =>
      keys.filter((key) => now < verifiesUntil(key))
        .map((key) => ({ ...key.publicJwk, kid: key.kid, use: "sig", alg: tokenAlgorithm })))
  }
  return ring
})

const verifiesUntil = ({ retiredAt }: TokenKey): number =>
  retiredAt === null ? Number.POSITIVE_INFINITY : retiredAt + retirementMillis

/** A key that was imported before is not imported again: the set is read every two seconds. */
const importKeys = async (keys: ReadonlyArray<TokenKey>, before: LoadedKeys | null): Promise<Omit<LoadedKeys, "readAt">> => {
  const verifying = new Map<string, VerifyingKey>()
  for (const key of keys) {
    verifying.set(key.kid, { key: before?.verifying.get(key.kid)?.key ?? await importPublic(key), until: verifiesUntil(key) })
  }
  const newest = keys.find((key) => key.retiredAt === null)
  if (newest === undefined) return { keys, verifying, signing: null }
  const signing = before?.signing?.kid === newest.kid
    ? before.signing
    : { kid: newest.kid, key: await importPKCS8(Redacted.value(newest.privateKey), tokenAlgorithm) }
  return { keys, verifying, signing }
}

const importPublic = async (key: TokenKey): Promise<CryptoKey> => {
  const imported = await importJWK({ ...key.publicJwk, alg: tokenAlgorithm }, tokenAlgorithm)
  if (imported instanceof Uint8Array) throw new Error(`Token key ${key.kid} is symmetric.`)
  return imported
}
