import * as fc from "fast-check"
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import { checkpointText, openCheckpoint, readCheckpoint } from "../../src/journal-log/Checkpoint.ts"
import { emptyRoot } from "../../src/journal-log/merkle.ts"
import { type NoteKey, openNote, readVerifierKey, signedNote, verifierKey } from "../../src/journal-log/signedNote.ts"

const newKey = (name: string): { readonly key: NoteKey; readonly privateKey: KeyObject } => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  return { privateKey, key: { name, publicKey: new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url")) } }
}
const sealed = (text: string, { key, privateKey }: ReturnType<typeof newKey>): string =>
  signedNote(text, key, new Uint8Array(sign(null, Buffer.from(text), privateKey)))

describe("Signed notes, C2SP signed-note", () => {
  // The example of golang.org/x/mod/sumdb/note, which the format comes from.
  const published = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
  const note = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"

  it("a published key is read and written back, and a published note verifies", () => {
    const key = readVerifierKey(published)
    expect(key === null ? null : verifierKey(key)).toBe(published)
    expect(openNote(note, key === null ? [] : [key])).toBe("If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n")
  })

  it("a note with any character changed, or signed by nobody known, is refused", () => {
    const key = readVerifierKey(published) as NoteKey
    for (let at = 0; at < note.length; at += 1) {
      const changed = `${note.slice(0, at)}${note[at] === "x" ? "y" : "x"}${note.slice(at + 1)}`
      expect(openNote(changed, [key]), `character ${at}`).toBeNull()
    }
    expect(openNote(note, [])).toBeNull()
    expect(openNote(note, [newKey("PeterNeumann").key])).toBeNull()
  })

  it("signatures by keys nobody knows are passed over, a wrong one by a known key is not", () => {
    const [own, other] = [newKey("example.com/log"), newKey("witness.example")]
    const text = "some text\n"
    const both = `${sealed(text, other)}${sealed(text, own).split("\n\n")[1] ?? ""}`
    expect(openNote(both, [own.key])).toBe(text)
    const forged = `${sealed(text, own)}${sealed("other text\n", other).split("\n\n")[1] ?? ""}`
    expect(openNote(forged, [own.key])).toBe(text)
    expect(openNote(forged, [own.key, other.key])).toBeNull()
  })

  it("texts that are no notes are refused", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => openNote(text, [newKey("a").key]) === null), { numRuns: 200 })
    for (const text of ["", "a+b", "a+00000000+AQ==", `${published}x`, published.replace("c74f20a3", "c74f20a4")]) expect(readVerifierKey(text)).toBeNull()
  })
})

describe("Checkpoints, C2SP tlog-checkpoint", () => {
  it("come back as they were written, signed by whichever key was in use", () => {
    const [old, current] = [newKey("example.com/journal"), newKey("example.com/journal")]
    fc.assert(fc.property(fc.nat(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (size, root) => {
      const checkpoint = { origin: "example.com/journal/sandbox/1", size, root }
      for (const signer of [old, current]) {
        expect(openCheckpoint(sealed(checkpointText(checkpoint), signer), [old.key, current.key], checkpoint.origin)).toEqual(checkpoint)
      }
      return openCheckpoint(sealed(checkpointText(checkpoint), old), [current.key], checkpoint.origin) === null
    }), { numRuns: 20 })
  })

  it("another log's is refused, though the same key signed it", () => {
    const signer = newKey("example.com/journal")
    const note = sealed(checkpointText({ origin: "example.com/journal/sandbox/1", size: 0, root: emptyRoot }), signer)
    expect(openCheckpoint(note, [signer.key], "example.com/journal/sandbox/2")).toBeNull()
  })

  it.each([
    ["no origin", "\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"],
    ["a size with a leading zero", "a\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"],
    ["a negative size", "a\n-1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"],
    ["a root of 31 bytes", "a\n1\nRJgcFJr79MiZb7kkJ65B5GSbk0yklZkbeFK4VQAAAA==\n"],
    ["no root", "a\n1\n"],
    ["no final newline", "a\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
  ])("%s makes a text no checkpoint", (_what, text) => expect(readCheckpoint(text)).toBeNull())
})
