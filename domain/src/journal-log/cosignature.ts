import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesEqual, bytesFromBase64 } from "../verification/bytes.ts"
import { base64Of, hexOf, joinedBytes, type NoteKey, readNote, signatureLineOf } from "./signedNote.ts"

/** The algorithm byte of a witness's key (C2SP tlog-cosignature, cosignature/v1). */
const cosignatureType = 4
const keyIdLength = 4
const timeLength = 8
const signatureLength = 64

const utf8 = new TextEncoder()

const typedKey = ({ publicKey }: NoteKey): Uint8Array => joinedBytes(Uint8Array.of(cosignatureType), publicKey)

const witnessKeyId = (key: NoteKey): Uint8Array => sha256(joinedBytes(utf8.encode(`${key.name}\n`), typedKey(key))).slice(0, keyIdLength)

/** A witness's key in the form in which others are told it: `<name>+<key id in hex>+<base64 of 0x04 ‖ public key>`. */
export const witnessKey = (key: NoteKey): string => `${key.name}+${hexOf(witnessKeyId(key))}+${base64Of(typedKey(key))}`

/** Reads a witness's key; null where the text is none, or its key id is not the key's. */
export const readWitnessKey = (text: string): NoteKey | null => {
  const found = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim())
  const typed = found === null ? null : bytesFromBase64(found[3] ?? "")
  if (found === null || typed?.length !== 33 || typed[0] !== cosignatureType) return null
  const key = { name: found[1] ?? "", publicKey: typed.slice(1) }
  return hexOf(witnessKeyId(key)) === found[2] ? key : null
}

/** The bytes that a witness signs: it has seen this checkpoint at that time, and every earlier one of the log is consistent with it. */
const signedBytes = (text: string, seconds: number): Uint8Array => utf8.encode(`cosignature/v1\ntime ${seconds}\n${text}`)

const timeBytes = (seconds: number): Uint8Array => {
  const bytes = new Uint8Array(timeLength)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds))
  return bytes
}

/** The line of a cosignature of a checkpoint's text. `seconds` is POSIX time. C2SP tlog-cosignature, Format. */
export const cosign = (text: string, name: string, secretKey: Uint8Array, seconds: number): string => {
  const key = { name, publicKey: ed25519.getPublicKey(secretKey) }
  const signature = ed25519.sign(signedBytes(text, seconds), secretKey)
  return signatureLineOf(name, witnessKeyId(key), joinedBytes(timeBytes(seconds), signature))
}

/**
 * When a witness has cosigned the checkpoint of a note, in POSIX seconds: the latest of its lines that verifies. Null where it has none, or one of its
 * lines does not verify.
 */
export const cosignedAt = (note: string, witness: NoteKey): number | null => {
  const read = readNote(note)
  if (read === null) return null
  let latest: number | null = null
  for (const { keyId, name, signature: blob } of read.signatures) {
    if (name !== witness.name || !bytesEqual(keyId, witnessKeyId(witness))) continue
    if (blob.length !== timeLength + signatureLength) return null
    const seconds = Number(new DataView(blob.buffer, blob.byteOffset, timeLength).getBigUint64(0))
    if (!Number.isSafeInteger(seconds) || !ed25519.verify(blob.slice(timeLength), signedBytes(read.text, seconds), witness.publicKey, { zip215: false })) return null
    latest = Math.max(latest ?? 0, seconds)
  }
  return latest
}
