import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Redacted } from "effect"

const nonceBytes = 12
const tagBytes = 16

/** The installation's key is used for marks; drafts have a key derived from it (RFC 5869). */
const draftKey = (key: Redacted.Redacted<Uint8Array>): Buffer =>
  Buffer.from(hkdfSync("sha256", Redacted.value(key), new Uint8Array(), "overa portal drafts", 32))

/**
 * Data that a person has sent and not saved yet, kept encrypted (AES-256-GCM) in the person's own page between two forms. The server stores nothing,
 * and nobody else can read or change it. A draft opens only for the use for which it was sealed.
 *
 * @example
 * const sealed = drafts.seal("element 0190…", "…")
 * drafts.open("element 0190…", sealed) // "…"
 */
export class SealedDrafts {
  private readonly keys: readonly [Buffer, ...ReadonlyArray<Buffer>]

  /** Drafts are sealed under `key`; those sealed under a former key still open. */
  constructor(key: Redacted.Redacted<Uint8Array>, formerKeys: ReadonlyArray<Redacted.Redacted<Uint8Array>> = []) {
    this.keys = [draftKey(key), ...formerKeys.map(draftKey)]
  }

  seal(use: string, text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv("aes-256-gcm", this.keys[0], nonce).setAAD(Buffer.from(use, "utf8"))
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")
  }

  /** Null if it was not sealed here, was sealed for another use, or was changed. */
  open(use: string, sealed: string): string | null {
    const bytes = Buffer.from(sealed, "base64url")
    if (bytes.length < nonceBytes + tagBytes) return null
    for (const key of this.keys) {
      const text = opened(key, use, bytes)
      if (text !== null) return text
    }
    return null
  }
}

const opened = (key: Buffer, use: string, bytes: Buffer): string | null => {
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(use, "utf8"))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString("utf8")
  } catch {
    return null
  }
}
