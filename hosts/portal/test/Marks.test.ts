import { randomBytes } from "node:crypto"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { digestOf, Marks } from "../src/http/Marks.ts"

const newKey = () => Redacted.make<Uint8Array>(randomBytes(32))

describe("marks", () => {
  const [former, present] = [newKey(), newKey()]
  const before = new Marks(former)
  const during = new Marks(present, [former])
  const after = new Marks(present)

  it("made under the former key are known while it is listed, and no longer", () => {
    const proof = before.proof("session")
    const device = before.device("ana@example.rs", "device")
    expect(during.isProof("session", proof)).toBe(true)
    expect(during.knownDevice("ana@example.rs", device)).toBe(digestOf("device"))
    expect(after.isProof("session", proof)).toBe(false)
    expect(after.knownDevice("ana@example.rs", device)).toBe(null)
  })

  it("are made under the present key", () => {
    expect(after.isProof("session", during.proof("session"))).toBe(true)
    expect(before.isProof("session", during.proof("session"))).toBe(false)
    expect(after.knownDevice("ana@example.rs", during.device("ana@example.rs"))).not.toBe(null)
  })

  it("are one session's or one person's alone, and cannot be made up", () => {
    const device = during.device("ana@example.rs", "device")
    expect(during.isProof("another session", during.proof("session"))).toBe(false)
    expect(during.knownDevice("mira@example.rs", device)).toBe(null)
    for (const made of ["", ".", "device", "device.", `other.${device.split(".")[1]}`, `${device}x`, `${device}.x`, `.${device}`]) {
      expect(during.knownDevice("ana@example.rs", made)).toBe(null)
    }
  })
})
