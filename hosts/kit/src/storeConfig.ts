import { base64Key } from "@overa/adapter-postgres"
import { Effect, Redacted } from "effect"
import { type ConfigProblem, isLoopback, optionalCertificates, problem, required } from "./settings.ts"

/** The address of the store, and the keys that protect its contents. */
export interface StoreConfig {
  readonly databaseUrl: Redacted.Redacted
  /** PEM of the roots to trust for the database's certificate; null trusts the system's. */
  readonly databaseTrustAnchors?: string | null
  /** `keyId:base64,…`: the first encrypts, all decrypt. */
  readonly encryptionKeys: Redacted.Redacted
  /** The key of the digests of credentials' secrets, 32 bytes. */
  readonly credentialKey: Redacted.Redacted<Uint8Array>
  /** Keys whose digests are still accepted; a digest found under one of them is replaced by one under the first key. */
  readonly formerCredentialKeys?: ReadonlyArray<Redacted.Redacted<Uint8Array>>
}

const credentialKeyName = "OVERA_CREDENTIAL_KEY"

const credentialKeys = Effect.flatMap(required(credentialKeyName), (text) =>
  Effect.forEach(text.split(","), (one) => {
    const bytes = base64Key(one.trim())
    if (bytes === null) return problem(`${credentialKeyName} is not written in base64; several keys are separated by commas`)
    return bytes.length === 32
      ? Effect.succeed(Redacted.make<Uint8Array>(bytes))
      : problem(`${credentialKeyName} must be 32 bytes in base64; it has ${bytes.length}`)
  }))

const databaseName = "DATABASE_URL"

/** The hosts a URL of PostgreSQL names, as libpq writes them: `one:5432,two:5432`, or in the parameter `host`. */
const hostsOf = (url: string): ReadonlyArray<string> | null => {
  const [, authority, query] = /^postgres(?:ql)?:\/\/(?:[^@/?]*@)?([^/?]*)[^?]*(?:\?(.*))?$/s.exec(url) ?? []
  if (authority === undefined) return null
  const named = new URLSearchParams(query ?? "").getAll("host")
  const hosts = [...authority.split(",").map((host) => host.replace(/:\d+$/, "")), ...named]
  const written = hosts.filter((host) => host !== "")
  return written.some((host) => /%(?![0-7][0-9a-f])/i.test(host)) ? null : written.map((host) => decodeURIComponent(host))
}

const encrypts = (url: string): boolean => {
  const modes = new URLSearchParams(url.slice(url.indexOf("?") + 1)).getAll("sslmode")
  return url.includes("?") && modes.length > 0 && modes.every((mode) => /^(?:require|verify-ca|verify-full)$/.test(mode))
}

/**
 * Receipts, addresses of buyers and encrypted keys use this connection: outside this machine it must be encrypted, to a server whose certificate is
 * verified.
 */
const databaseUrl = Effect.flatMap(required(databaseName), (url): Effect.Effect<Redacted.Redacted, ConfigProblem> => {
  const hosts = URL.canParse(url.replace(/,[^/?]*/, "")) ? hostsOf(url) : null
  if (hosts === null) return problem(`${databaseName} must be an address as postgres://user:password@host:5432/database`)
  const outside = hosts.find((host) => !isLoopback(host) && !host.startsWith("/"))
  return outside === undefined || encrypts(url)
    ? Effect.succeed(Redacted.make(url))
    : problem(`${databaseName}: ${outside} is outside this machine, so the connection must be encrypted; add sslmode=verify-full`)
})

/** Reads the settings of the store (Decisions §8). */
export const storeConfig: Effect.Effect<StoreConfig, ConfigProblem> = Effect.gen(function*() {
  const url = yield* databaseUrl
  const databaseTrustAnchors = yield* optionalCertificates("OVERA_DATABASE_CA_FILE")
  const encryptionKeys = Redacted.make(yield* required("OVERA_SECRET_KEYS"))
  const [credentialKey, ...formerCredentialKeys] = yield* credentialKeys
  if (credentialKey === undefined) return yield* problem(`${credentialKeyName} is missing`)
  return { databaseUrl: url, databaseTrustAnchors, encryptionKeys, credentialKey, formerCredentialKeys }
})
