import { ed25519 } from "@noble/curves/ed25519.js"
import { type NoteKey, signedNote } from "../../src/journal-log/signedNote.ts"

/** The key of a log's secret of 32 bytes. Hosts sign with the key they keep, not with this. */
export const noteKeyOf = (name: string, secret: Uint8Array): NoteKey => ({ name, publicKey: ed25519.getPublicKey(secret) })

/** A text signed by a log, under further names too. */
export const signNote = (text: string, name: string, secret: Uint8Array, ...names: ReadonlyArray<string>): string =>
  signedNote(text, noteKeyOf(name, secret), ed25519.sign(new TextEncoder().encode(text), secret), ...names)
