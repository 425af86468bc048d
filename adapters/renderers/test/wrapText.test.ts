import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { receiptFont } from "../src/pdf/receiptFonts.ts"
import { wrapText } from "../src/pdf/wrapText.ts"

const font = receiptFont("sans")
const text = fc.string({ unit: fc.constantFrom("а", "Ш", "i", "W", " ", "-", "\n", "□"), maxLength: 200 })

describe("Wrapped text", () => {
  it("is never wider than its room and loses nothing but the blanks and newlines it was broken at", () => {
    fc.assert(fc.property(text, fc.integer({ min: 20, max: 300 }), (given, width) => {
      const lines = wrapText(given, font, 9, width)
      for (const line of lines) expect(font.width(line, 9)).toBeLessThanOrEqual(width)
      expect(lines.join("").replaceAll(" ", "")).toBe(given.replaceAll(/[ \n]/g, ""))
    }))
  })

  it.each([
    ["a b", 1_000, ["a b"]],
    ["a\n\nb", 1_000, ["a", "", "b"]],
    ["", 1_000, [""]]
  ])("%j", (given, width, lines) => {
    expect(wrapText(given, font, 9, width)).toEqual(lines)
  })
})
