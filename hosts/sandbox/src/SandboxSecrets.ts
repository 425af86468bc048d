import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { readPrivate, writePrivate } from "./privateFile.ts"

/** The secrets of this installation; created once, readable only by the owner. */
export const SandboxSecrets = Schema.Struct({
  postgresPassword: Schema.String,
  /** `keyId:base64` of the key that encrypts the elements' keys and the token keys. */
  secretKeys: Schema.String,
  /** Base64 of the key under which credentials' secrets are digested. */
  credentialKey: Schema.String
})
export type SandboxSecrets = typeof SandboxSecrets.Type

const fresh = Effect.sync((): SandboxSecrets => ({
  postgresPassword: randomBytes(24).toString("base64url"),
  secretKeys: `sandbox-1:${randomBytes(32).toString("base64")}`,
  credentialKey: randomBytes(32).toString("base64")
}))

/** The home's secrets, made at the first start. */
export const sandboxSecrets = Effect.fn("sandboxSecrets")(function*(home: string) {
  const file = join(home, "secrets.json")
  const kept = yield* readPrivate(file, SandboxSecrets)
  if (kept !== null) return kept
  const made = yield* fresh
  yield* writePrivate(file, made)
  return made
})
