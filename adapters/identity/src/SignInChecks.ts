// By its object: a name that an older Node does not have would end the import before the package can say which Node it needs.
import crypto, { createHash, randomBytes, randomInt, timingSafeEqual } from "node:crypto"
import { recoveryCodeCharacters, recoveryCodeCount, recoveryCodeLength, RecoverySecrets, SignInChecks } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { Secret, TOTP } from "otpauth"
import { isCommonPassword } from "./commonPasswords.ts"

/** 19 MiB, two passes, one lane: the parameters that OWASP's password storage cheat sheet gives for Argon2id. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const digestLength = 32
const saltLength = 16

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** Runs on the thread pool, so that a sign-in delays no other request. */
const digestOf = (password: string, salt: Uint8Array, { memory, parallelism, passes }: Parameters): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    crypto.argon2(
      "argon2id",
      { message: password.normalize("NFC"), nonce: salt, memory, passes, parallelism, tagLength: digestLength },
      (error, digest) => resume(error === null ? Effect.succeed(digest) : Effect.die(error))
    )
  })

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "")

const hashPassword = Effect.fnUntraced(function*(password: Redacted.Redacted<string>) {
  const salt = randomBytes(saltLength)
  const digest = yield* digestOf(Redacted.value(password), salt, cost)
  return Redacted.make(`$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(digest)}`)
})

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{43})$/

/** Used when the person does not exist, so that the answer takes as long. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`

const passwordMatches = Effect.fnUntraced(function*(hash: Redacted.Redacted<string> | null, password: Redacted.Redacted<string>) {
  const own = hash === null ? null : phc.exec(Redacted.value(hash))
  // Also where a person has no password, the answer takes as long.
  const parts = own ?? phc.exec(nobody)
  if (parts === null) return false
  const [, memory, passes, parallelism, salt = "", stored = ""] = parts
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const digest = yield* digestOf(Redacted.value(password), Buffer.from(salt, "base64"), parameters)
  return timingSafeEqual(digest, Buffer.from(stored, "base64")) && own !== null
})

const period = 30
const totpOf = (secret: Redacted.Redacted<string>, email: string): TOTP =>
  new TOTP({ issuer: "Overa", label: email, secret: Secret.fromBase32(Redacted.value(secret)), algorithm: "SHA1", digits: 6, period })

const matchingStep = (secret: Redacted.Redacted<string>, code: string, nowMillis: number): number | null => {
  const digits = code.replaceAll(/\s/g, "")
  if (!/^\d{6}$/.test(digits)) return null
  const delta = totpOf(secret, "").validate({ token: digits, timestamp: nowMillis, window: 1 })
  return delta === null ? null : Math.floor(nowMillis / 1_000 / period) + delta
}

const newRecoveryCode = (): string => Array.from({ length: recoveryCodeLength }, () => recoveryCodeCharacters[randomInt(recoveryCodeCharacters.length)]).join("")

/** Argon2id from Node itself; TOTP in the form that every authenticator supports: SHA-1, six digits, thirty seconds. */
export const layerSignInChecks: Layer.Layer<SignInChecks> = Layer.succeed(
  SignInChecks,
  SignInChecks.of({
    hashPassword,
    passwordMatches,
    isCommonPassword,
    newTotpSecret: Effect.sync(() => Redacted.make(new Secret({ size: 20 }).base32)),
    totpAddress: (secret, email) => totpOf(secret, email).toString(),
    matchingStep
  })
)

/** Recovery codes from the system's generator. */
export const layerRecoverySecrets: Layer.Layer<RecoverySecrets> = Layer.succeed(
  RecoverySecrets,
  RecoverySecrets.of({
    newCodes: Effect.sync(() => Array.from({ length: recoveryCodeCount }, () => Redacted.make(newRecoveryCode()))),
    digestOf: (code) => createHash("sha256").update(Redacted.value(code)).digest("hex")
  })
)
