import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { Redacted, Result, Schema } from "effect"
import { base64Key } from "./base64Key.ts"

/** What is wrong with the configured keys, in one line that contains no key. */
export class EncryptionKeysInvalid
  extends Schema.TaggedError<EncryptionKeysInvalid>()("EncryptionKeysInvalid", { detail: Schema.String })
{
  override get message(): string {
    return `The encryption keys are not usable: ${this.detail}`
  }
}

/** An envelope that does not open: it belongs to another row, was altered, or is encrypted under a key that this installation no longer has. */
export class EnvelopeUnreadable
  extends Schema.TaggedError<EnvelopeUnreadable>()("EnvelopeUnreadable", { detail: Schema.String })
{}

/**
 * Encryption of stored secrets: AES-256-GCM with a fresh nonce for every envelope, bound to its row, so that a copied envelope does not open
 * elsewhere (Decisions §7).
 */
export interface Secrets {
  /** The id of the first key, with which new envelopes are encrypted. */
  readonly sealingKeyId: string
  readonly seal: (row: string, plain: Redacted.Redacted<string>) => string
  readonly open: (row: string, envelope: string) => Result.Result<Redacted.Redacted<string>, EnvelopeUnreadable>
}

const version = "v1"
const nonceLength = 12
const tagLength = 16

const parseKey = (text: string): Result.Result<readonly [string, Buffer], EncryptionKeysInvalid> => {
  const separator = text.indexOf(":")
  const id = text.slice(0, Math.max(separator, 0))
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) {
    return Result.fail(new EncryptionKeysInvalid({ detail: "each is keyId:base64, where keyId is 1 to 32 letters, digits, _ or -" }))
  }
  const key = base64Key(text.slice(separator + 1))
  if (key === null) return Result.fail(new EncryptionKeysInvalid({ detail: `key ${id} is not written in base64; several keys are separated by commas` }))
  return key.length === 32
    ? Result.succeed([id, key] as const)
    : Result.fail(new EncryptionKeysInvalid({ detail: `key ${id} has ${key.length} bytes, 32 are needed` }))
}

const parseKeys = (list: string): Result.Result<ReadonlyMap<string, Buffer>, EncryptionKeysInvalid> => {
  const keys = new Map<string, Buffer>()
  for (const part of list.split(",").map((text) => text.trim()).filter((text) => text !== "")) {
    const parsed = parseKey(part)
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    const [id, key] = parsed.success
    if (keys.has(id)) return Result.fail(new EncryptionKeysInvalid({ detail: `key ${id} is given twice` }))
    keys.set(id, key)
  }
  return keys.size === 0 ? Result.fail(new EncryptionKeysInvalid({ detail: "none is given" })) : Result.succeed(keys)
}

// The key's id is authenticated together with the row: an envelope cannot be relabelled either.
const associated = (keyId: string, row: string): Buffer => Buffer.from(`${version} ${keyId} ${row}`, "utf8")

const seal = (keyId: string, key: Buffer, row: string, plain: string): string => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength }).setAAD(associated(keyId, row))
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
  return [version, keyId, Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")].join(".")
}

const unreadable = (detail: string) => Result.fail(new EnvelopeUnreadable({ detail }))

const open = (keys: ReadonlyMap<string, Buffer>, row: string, envelope: string) => {
  const [format, keyId = "", payload = ""] = envelope.split(".")
  if (format !== version) return unreadable("its format is not known")
  const key = keys.get(keyId)
  if (key === undefined) return unreadable(`it was sealed under key ${keyId}, which is not configured`)
  const bytes = Buffer.from(payload, "base64url")
  if (bytes.length < nonceLength + tagLength) return unreadable("it is truncated")
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
  decipher.setAAD(associated(keyId, row)).setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return Result.try({
    try: () =>
      Redacted.make(Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()]).toString("utf8")),
    catch: () => new EnvelopeUnreadable({ detail: "it was altered or belongs to another row" })
  })
}

/**
 * Secrets under a list `keyId:base64,…` of 256-bit keys. The first one encrypts; all of them decrypt, so that a new key can be put in front and the
 * old ones kept until nothing is encrypted under them.
 */
export const makeSecrets = (keyList: Redacted.Redacted<string>): Result.Result<Secrets, EncryptionKeysInvalid> =>
  Result.map(parseKeys(Redacted.value(keyList)), (keys): Secrets => {
    const [first] = keys
    if (first === undefined) throw new Error("unreachable: an empty list was refused")
    return {
      sealingKeyId: first[0],
      seal: (row, plain) => seal(first[0], first[1], row, Redacted.value(plain)),
      open: (row, envelope) => open(keys, row, envelope)
    }
  })
