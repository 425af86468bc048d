import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesEqual, bytesFromBase64 } from "../verification/bytes.ts"

/** The algorithm byte of Ed25519 in a verifier key and in its key id (C2SP signed-note). */
const ed25519Type = 1
const keyIdLength = 4
const publicKeyLength = 32
const signatureLength = 64

/** A public key that signs notes under a name. */
export interface NoteKey {
  /** Without spaces and plus signs. */
  readonly name: string
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

export const base64Of = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))

const utf8 = new TextEncoder()

export const joinedBytes = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** How keys of one algorithm are told; `type` is the algorithm's byte. C2SP signed-note, Signatures and Verifier keys. */
export const keyForm = (type: number) => {
  const typedKey = ({ publicKey }: NoteKey): Uint8Array => joinedBytes(Uint8Array.of(type), publicKey)
  /** The first four bytes of SHA-256(name ‖ newline ‖ type ‖ public key). */
  const idOf = (key: NoteKey): Uint8Array => sha256(joinedBytes(utf8.encode(`${key.name}\n`), typedKey(key))).slice(0, keyIdLength)
  /** `<name>+<key id in hex>+<base64 of type ‖ public key>`. */
  const write = (key: NoteKey): string => `${key.name}+${hexOf(idOf(key))}+${base64Of(typedKey(key))}`
  /** Null where the text is no such key, or its key id is not the key's. */
  const read = (text: string): NoteKey | null => {
    const found = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim())
    if (found === null) return null
    const [, name = "", id, encoded = ""] = found
    const typed = bytesFromBase64(encoded)
    if (typed?.length !== 1 + publicKeyLength || typed[0] !== type) return null
    const key = { name, publicKey: typed.slice(1) }
    return hexOf(idOf(key)) === id ? key : null
  }
  return { idOf, write, read }
}

const ed25519Form = keyForm(ed25519Type)

/** The id of a key that signs notes. */
export const noteKeyId = ed25519Form.idOf

/** The form in which verifiers are told a key. */
export const verifierKey = ed25519Form.write

/** Reads a verifier key; null where it is none, or its key id is not the key's. */
export const readVerifierKey = ed25519Form.read

/** A line of signature under a note: the key's name, then its id and the signature in base64. C2SP signed-note, Signatures. */
export const signatureLineOf = (name: string, keyId: Uint8Array, signature: Uint8Array): string => `\u2014 ${name} ${base64Of(joinedBytes(keyId, signature))}\n`

/**
 * The signed note: the text, which ends with a newline, and a signature line. `signature` is Ed25519 over the text's bytes. With further names, a line
 * for each of them: the same public key under another name has another key id, and the same signature.
 */
export const signedNote = (text: string, key: NoteKey, signature: Uint8Array, ...names: ReadonlyArray<string>): string =>
  `${text}\n${[key.name, ...names].map((name) => signatureLineOf(name, noteKeyId({ ...key, name }), signature)).join("")}`

/** The key that verifies what a secret key of 32 bytes signs. */
export const noteKeyOf = (name: string, secretKey: Uint8Array): NoteKey => ({ name, publicKey: ed25519.getPublicKey(secretKey) })

/** The text signed with a secret key of 32 bytes, where there is no faster signer. */
export const signNote = (text: string, name: string, secretKey: Uint8Array, ...names: ReadonlyArray<string>): string =>
  signedNote(text, noteKeyOf(name, secretKey), ed25519.sign(utf8.encode(text), secretKey), ...names)

interface NoteSignature {
  readonly name: string
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

const signatureLine = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/

const readSignature = (line: string): NoteSignature | null => {
  const found = signatureLine.exec(line)
  if (found === null) return null
  const [, name = "", encoded = ""] = found
  const bytes = bytesFromBase64(encoded)
  return bytes === null || bytes.length <= keyIdLength
    ? null
    : { name, keyId: bytes.slice(0, keyIdLength), signature: bytes.slice(keyIdLength) }
}

/** The parts of a note; null where the text has not the form of one. */
export const readNote = (note: string): { readonly text: string; readonly signatures: ReadonlyArray<NoteSignature> } | null => {
  const end = note.lastIndexOf("\n\n")
  if (end < 0 || !note.endsWith("\n")) return null
  const signatures = note.slice(end + 2, -1).split("\n").map(readSignature)
  const read = signatures.filter((signature) => signature !== null)
  return read.length === signatures.length ? { text: note.slice(0, end + 1), signatures: read } : null
}

/** Whether an Ed25519 signature over the text's UTF-8 bytes verifies under a public key of 32 bytes. */
export type NoteVerifier = (signature: Uint8Array, text: string, publicKey: Uint8Array) => boolean

/**
 * Whether an Ed25519 signature verifies (RFC 8032) under the strict rules, not those of ZIP 215: a signature of one text never verifies for another
 * text.
 */
const verifies: NoteVerifier = (signature, text, publicKey) =>
  signature.length === signatureLength && ed25519.verify(signature, utf8.encode(text), publicKey, { zip215: false })

/**
 * The text of a note that one of the keys has signed; null where none has. A signature by an unknown key is ignored. A signature that names a known
 * key and does not verify makes the note invalid. C2SP signed-note, Verification.
 *
 * @param verifier A faster one, where there is one.
 */
export const openNote = (note: string, keys: ReadonlyArray<NoteKey>, verifier: NoteVerifier = verifies): string | null => {
  const read = readNote(note)
  if (read === null) return null
  let verified = false
  for (const { keyId, name, signature } of read.signatures) {
    const key = keys.find((known) => known.name === name && bytesEqual(noteKeyId(known), keyId))
    if (key === undefined) continue
    if (!verifier(signature, read.text, key.publicKey)) return null
    verified = true
  }
  return verified ? read.text : null
}
