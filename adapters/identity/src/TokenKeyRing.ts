import { Credentials, type StoreUnavailable, type TokenKey } from "@overa/domain"
import { Clock, Effect, Redacted, Semaphore } from "effect"
import { type CryptoKey, importJWK, importPKCS8 } from "jose"

/** How long a loaded set of keys serves before it is read again. */
const freshMillis = 30_000
/** Tokens that name unknown keys cannot make us read more often than this. */
const shortestReadMillis = 1_000

/** The signature of our own tokens, and of no other token we accept from ourselves. */
export const tokenAlgorithm = "RS256"

interface LoadedKeys {
  readonly loadedAt: number
  readonly keys: ReadonlyArray<TokenKey>
  readonly verifying: ReadonlyMap<string, CryptoKey>
  readonly signing: { readonly kid: string; readonly key: CryptoKey } | null
}

/** Our token keys, read from the store, remembered for half a minute; a rotation is seen at once through the unknown key id. */
export interface TokenKeyRing {
  /** The newest key that is not retired; null when the installation has none. */
  readonly signing: Effect.Effect<LoadedKeys["signing"], StoreUnavailable>
  readonly verifying: (kid: string) => Effect.Effect<CryptoKey | null, StoreUnavailable>
  readonly publicKeys: Effect.Effect<ReadonlyArray<Readonly<Record<string, string>>>, StoreUnavailable>
}

export const makeTokenKeyRing = Effect.gen(function*() {
  const credentials = yield* Credentials
  const oneAtATime = yield* Semaphore.make(1)
  let loaded: LoadedKeys | null = null

  const load = Effect.gen(function*() {
    const keys = yield* credentials.tokenKeys
    return loaded = yield* Effect.promise(() => importKeys(keys)).pipe(
      Effect.zipWith(Clock.currentTimeMillis, (imported, now) => ({ ...imported, loadedAt: now }))
    )
  })

  const loadedWithin = Effect.fnUntraced(function*(millis: number) {
    const now = yield* Clock.currentTimeMillis
    return loaded !== null && now - loaded.loadedAt < millis ? loaded : yield* load
  }, oneAtATime.withPermit)

  const verifying = Effect.fnUntraced(function*(kid: string) {
    const known = (yield* loadedWithin(freshMillis)).verifying.get(kid)
    return known ?? (yield* loadedWithin(shortestReadMillis)).verifying.get(kid) ?? null
  })

  const ring: TokenKeyRing = {
    signing: Effect.map(loadedWithin(freshMillis), ({ signing }) => signing),
    verifying,
    publicKeys: Effect.map(loadedWithin(freshMillis), ({ keys }) =>
      keys.map((key) => ({ ...key.publicJwk, kid: key.kid, use: "sig", alg: tokenAlgorithm })))
  }
  return ring
})

const importKeys = async (keys: ReadonlyArray<TokenKey>): Promise<Omit<LoadedKeys, "loadedAt">> => {
  const verifying = new Map<string, CryptoKey>()
  for (const key of keys) verifying.set(key.kid, await importPublic(key))
  const newest = keys.find((key) => !key.retired)
  const signing = newest === undefined
    ? null
    : { kid: newest.kid, key: await importPKCS8(Redacted.value(newest.privateKey), tokenAlgorithm) }
  return { keys, verifying, signing }
}

const importPublic = async (key: TokenKey): Promise<CryptoKey> => {
  const imported = await importJWK({ ...key.publicJwk, alg: tokenAlgorithm }, tokenAlgorithm)
  if (imported instanceof Uint8Array) throw new Error(`Token key ${key.kid} is symmetric.`)
  return imported
}
