import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { receiptFont } from "../src/pdf/receiptFonts.ts"

const faces = ["mono", "monoBold", "sans", "sansBold"] as const

describe.each(faces)("Face %s", (name) => {
  const font = receiptFont(name)

  it("draws б in its Serbian form, every other letter as it is", () => {
    const plain = (letter: string) => font.parsed.layout(letter).glyphs[0]?.id
    const drawn = (letter: string) => font.glyph(letter.codePointAt(0) ?? 0)?.glyph.id
    expect(drawn("б")).not.toBe(plain("б"))
    const letters = [..."АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШабвгдђежзијклљмнњопрстћуфхцчџшŠĐČĆŽšđčćž".replace("б", "")]
    expect(letters.map(drawn)).toEqual(letters.map(plain))
    expect(letters.filter((letter) => font.glyph(letter.codePointAt(0) ?? 0)?.substitutes !== false)).toEqual([])
  })

  it("draws a visible substitute for what it has not, and nothing for what is invisible by nature", () => {
    const substitute = font.glyph("□".codePointAt(0) ?? 0)?.glyph.id
    expect(font.glyph(0x10_ffff - 0x2_0000)?.glyph.id).toBe(substitute)
    expect(font.glyph("漢".codePointAt(0) ?? 0)).toMatchObject({ glyph: { id: substitute }, substitutes: true })
    expect(font.glyph("□".codePointAt(0) ?? 0)?.substitutes).toBe(false)
    expect(font.glyph(0x200d)).toBeNull()
    expect(font.glyph(0xfe0f)).toBeNull()
  })

  it("a text fits exactly where it is no wider, to the last bit", () => {
    const text = fc.string({ unit: fc.constantFrom("а", "Ш", "i", "W", " ", "😀", "漢", "\u0301", "\u200d"), maxLength: 60 })
    fc.assert(fc.property(text, fc.integer({ min: 0, max: 60 }), (given, length) => {
      const width = font.width([...given].slice(0, length).join(""), 9)
      expect(font.fits(given, 9, width)).toBe(font.width(given, 9) <= width)
    }))
  })
})

describe("Columns", () => {
  it.each(["mono", "monoBold"] as const)("of %s are all of one width", (name) => {
    const font = receiptFont(name)
    const width = font.width("=", 10)
    for (const letter of "ЖiW.□„–") expect(font.width(letter, 10)).toBeCloseTo(width, 9)
  })
})
