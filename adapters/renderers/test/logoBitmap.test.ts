import { type LogoMediaType, logoFault } from "@overa/domain"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { logoBitmap } from "../src/logo/logoBitmap.ts"

const beginnings: Readonly<Record<LogoMediaType, ReadonlyArray<number>>> = {
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 9, 0, 0, 0, 9, 8, 6, 0, 0, 0],
  "image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
  "image/svg+xml": [...new TextEncoder().encode("<svg viewBox=\"0 0 9 9\"><path d=\"M0 0")]
}

describe("Any bytes whatever are a logo or are not, and never a crash", () => {
  it.each(["image/png", "image/jpeg", "image/svg+xml"] as const)("as %s", async (mediaType) => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (noise, begun) => {
      const bytes = begun ? Uint8Array.from([...beginnings[mediaType], ...noise]) : noise
      const fault = logoFault({ mediaType, bytes })
      const usable = await logoBitmap({ mediaType, bytes })
      expect(fault === null || usable === null).toBe(true)
    }))
  })

  it("many comments before no drawing are refused at once", () => {
    const bytes = new TextEncoder().encode(`${"<!-- -->".repeat(20_000)}<p>`)
    const start = performance.now()
    expect(logoFault({ mediaType: "image/svg+xml", bytes })).toMatch(/begin with <svg>/)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
