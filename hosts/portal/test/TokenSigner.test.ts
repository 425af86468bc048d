import { digestOf } from "@overa/host-kit"
import { randomBytes } from "node:crypto"
import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { TokenSigner } from "../src/http/TokenSigner.ts"

const newKey = () => Redacted.make<Uint8Array>(randomBytes(32))

const now = Date.UTC(2026, 10, 23)
const idOf = (mark: string): string => mark.slice(0, mark.indexOf("."))

describe("the tokens of forms and devices", () => {
  const [former, present] = [newKey(), newKey()]
  const before = new TokenSigner(former)
  const during = new TokenSigner(present, [former])
  const after = new TokenSigner(present)

  it("made under the former key are known while it is listed, and no longer", () => {
    const proof = before.proof("session")
    const device = before.device("ana@example.rs", now)
    expect(during.isProof("session", proof)).toBe(true)
    expect(during.knownDevice("ana@example.rs", device, now)).toEqual({ id: digestOf(idOf(device)), markedAtMillis: now })
    expect(after.isProof("session", proof)).toBe(false)
    expect(after.knownDevice("ana@example.rs", device, now)).toBe(null)
  })

  it("are made under the present key", () => {
    expect(after.isProof("session", during.proof("session"))).toBe(true)
    expect(before.isProof("session", during.proof("session"))).toBe(false)
    expect(after.knownDevice("ana@example.rs", during.device("ana@example.rs", now), now)).not.toBe(null)
  })

  it("are one session's or one person's alone, and cannot be made up", () => {
    const device = during.device("ana@example.rs", now)
    expect(during.isProof("another session", during.proof("session"))).toBe(false)
    expect(during.knownDevice("mira@example.rs", device, now)).toBe(null)
    const [id = "", at = "", keyed = ""] = device.split(".")
    const later = (now + 1).toString(36)
    for (const made of ["", ".", id, `${id}.`, `${id}.${at}`, `${id}.${at}.`, `other.${at}.${keyed}`, `${id}.${later}.${keyed}`, `${id}..${keyed}`, `${id}.${keyed}`, `${device}x`, `.${device}`]) {
      expect(during.knownDevice("ana@example.rs", made, now)).toBe(null)
    }
  })

  it("of a device are known for 180 days, and a later sign-in keeps the id", () => {
    const day = 24 * 60 * 60_000
    const device = during.device("ana@example.rs", now)
    expect(during.knownDevice("ana@example.rs", device, now + 180 * day)).not.toBe(null)
    expect(during.knownDevice("ana@example.rs", device, now + 180 * day + 1)).toBe(null)
    const renewed = during.device("ana@example.rs", now + 100 * day, device)
    expect(during.knownDevice("ana@example.rs", renewed, now + 280 * day)).toEqual({ id: digestOf(idOf(device)), markedAtMillis: now + 100 * day })
    expect(idOf(during.device("mira@example.rs", now, device))).not.toBe(idOf(device))
    expect(idOf(during.device("ana@example.rs", now + 181 * day, device))).not.toBe(idOf(device))
  })
})
