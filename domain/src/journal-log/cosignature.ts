import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesEqual } from "../verification/bytes.ts"
import { joinedBytes, keyForm, type NoteKey, readNote, signatureLineOf } from "./signedNote.ts"

/** The algorithm byte of a witness's key (C2SP tlog-cosignature, cosignature/v1). */
const cosignatureType = 4
const timeLength = 8
const signatureLength = 64

const utf8 = new TextEncoder()

const form = keyForm(cosignatureType)

/** A witness's key in the form in which others are told it. */
export const witnessKey = form.write

/** Reads a witness's key; null where the text is none, or its key id is not the key's. */
export const readWitnessKey = form.read

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
  return signatureLineOf(name, form.idOf(key), joinedBytes(timeBytes(seconds), signature))
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
    if (name !== witness.name || !bytesEqual(keyId, form.idOf(witness))) continue
    if (blob.length !== timeLength + signatureLength) return null
    const seconds = Number(new DataView(blob.buffer, blob.byteOffset, timeLength).getBigUint64(0))
    if (!Number.isSafeInteger(seconds) || !ed25519.verify(blob.slice(timeLength), signedBytes(read.text, seconds), witness.publicKey, { zip215: false })) return null
    latest = Math.max(latest ?? 0, seconds)
  }
  return latest
}
