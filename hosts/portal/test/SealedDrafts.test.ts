import { randomBytes } from "node:crypto"
import { fc, it } from "@fast-check/vitest"
import { Redacted } from "effect"
import { describe, expect } from "vitest"
import { SealedDrafts } from "../src/http/SealedDrafts.ts"

const newKey = () => Redacted.make<Uint8Array>(randomBytes(32))

describe("what waits in a page between two forms", () => {
  const [former, present] = [newKey(), newKey()]
  const before = new SealedDrafts(former)
  const during = new SealedDrafts(present, [former])
  const after = new SealedDrafts(present)

  it.prop([fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })])("opens as it was sealed, for the use it was sealed for", (text, use) => {
    const whole = text.toWellFormed()
    expect(after.open(use, after.seal(use, whole))).toBe(whole)
    expect(after.open(`${use}x`, after.seal(use, whole))).toBe(null)
  })

  it.prop([fc.string(), fc.nat(), fc.integer({ min: 1, max: 255 })])("no changed bit opens", (text, at, change) => {
    const bytes = Buffer.from(after.seal("use", text), "base64url")
    bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ change
    expect(after.open("use", bytes.toString("base64url"))).toBe(null)
  })

  it.prop([fc.string()])("nothing made up opens", (made) => {
    expect(after.open("use", made)).toBe(null)
  })

  it("opens while the key it was sealed under is listed, and no longer", () => {
    const sealed = before.seal("use", "text")
    expect([during.open("use", sealed), after.open("use", sealed)]).toEqual(["text", null])
    expect(after.open("use", during.seal("use", "text"))).toBe("text")
  })

  it("shows nothing of what it holds, and is never twice the same", () => {
    const sealed = after.seal("use", "password")
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("password")
    expect(after.seal("use", "password")).not.toBe(sealed)
  })
})
