import { generateKeyPair, randomUUID } from "node:crypto"
import type { NewTokenKey } from "@overa/domain"
import { Effect, Redacted } from "effect"

/** A key pair that signs access tokens, RSA 2048 for RS256. */
export const newTokenKey: Effect.Effect<NewTokenKey> = Effect.callback((resume) => {
  generateKeyPair("rsa", { modulusLength: 2048 }, (error, publicKey, privateKey) => {
    if (error !== null) return resume(Effect.die(error))
    const { kty, n, e } = publicKey.export({ format: "jwk" })
    resume(Effect.succeed({
      kid: randomUUID(),
      privateKey: Redacted.make(privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
      publicJwk: { kty: String(kty), n: String(n), e: String(e) }
    }))
  })
})
