import * as fc from "fast-check"
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { describe, expect, it } from "vitest"
import { checkpointText, openCheckpoint, readCheckpoint } from "../../src/journal-log/Checkpoint.ts"
import { erasureText, openErasure, readErasure } from "../../src/journal-log/ErasureNote.ts"
import { emptyRoot } from "../../src/journal-log/merkle.ts"
import { type NoteKey, noteKeyOf, openNote, readNote, readVerifierKey, signedNote, signNote, verifierKey } from "../../src/journal-log/signedNote.ts"
import { FiscalDocumentId } from "../../src/tenancy/identifiers.ts"

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

  it("what a secret key signs is what Node signs with it, under the same public key", () => {
    const { key, privateKey } = newKey("example.com/log")
    const secret = new Uint8Array(Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url"))
    expect(noteKeyOf(key.name, secret)).toEqual(key)
    expect(signNote("some text\n", key.name, secret)).toBe(sealed("some text\n", { key, privateKey }))
  })

  it("a public key of small order signs nothing: under it one signature would verify for every text", () => {
    // The neutral element of the curve as key and as R, with S = 0, satisfies the equation of a signature for any text.
    const neutral = Uint8Array.of(1, ...new Uint8Array(31))
    const key = { name: "example.com/log", publicKey: neutral }
    expect(openNote(signedNote("any text\n", key, Uint8Array.of(...neutral, ...new Uint8Array(32))), [key])).toBeNull()
  })

  it("a signature line without the empty line before it is no note", () => {
    expect(readNote("\n\n\u2014 witness AAAAAAA=\n")?.signatures.length).toBe(1)
    for (const text of ["\u2014 witness AAAAAAA=\n", "\n\u2014 witness AAAAAAA=\n", "x\u2014 witness AAAAAAA=\n"]) expect(readNote(text)).toBeNull()
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
    ["a root that is no base64", "a\n1\n?\n"],
    ["one line", "a\n"],
    ["nothing", ""],
    ["no final newline", "a\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
  ])("%s makes a text no checkpoint", (_what, text) => expect(readCheckpoint(text)).toBeNull())
})

describe("Erasures of the journal's log", () => {
  const signer = newKey("example.com/journal")
  const digest = { sealed: "0".repeat(64), left: "a".repeat(64) }
  const documentId = FiscalDocumentId.make("01900003-0000-7000-8000-000000000001")
  const erasure = { origin: "example.com/journal/sandbox/1", documentId, at: "2026-03-04T06:06:08.455Z", request: digest, record: digest }
  const text = erasureText(erasure)

  it("come back as they were written", () => {
    expect(readErasure(sealed(text, signer))).toEqual(erasure)
    expect(openErasure(sealed(text, signer), [signer.key], erasure)).toEqual(erasure)
  })

  it.each([
    ["a checkpoint of the same log", checkpointText({ origin: erasure.origin, size: 0, root: emptyRoot })],
    ["one line more", `${text}more\n`],
    ["one line less", text.slice(0, text.indexOf("record"))],
    ["a digest in capitals", text.replaceAll("a".repeat(64), "A".repeat(64))]
  ])("%s, though the log signed it, is none", (_what, other) => {
    const note = sealed(other, signer)
    expect(openNote(note, [signer.key])).toBe(other)
    expect([readErasure(note), openErasure(note, [signer.key], erasure)]).toEqual([null, null])
  })

  it("a text that is no note states none", () => {
    for (const none of ["", text, "undefined"]) expect([readErasure(none), openErasure(none, [signer.key], erasure)]).toEqual([null, null])
  })
})
