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
    expect(letters.filter((letter) => font.isMissing(letter.codePointAt(0) ?? 0))).toEqual([])
  })

  it("draws a visible substitute for what it has not, and nothing for what is invisible by nature", () => {
    const substitute = font.glyph("□".codePointAt(0) ?? 0)?.glyph.id
    expect(font.glyph(0x10_ffff - 0x2_0000)?.glyph.id).toBe(substitute)
    expect(font.glyph("漢".codePointAt(0) ?? 0)?.glyph.id).toBe(substitute)
    expect(font.glyph(0x200d)).toBeNull()
    expect(font.glyph(0xfe0f)).toBeNull()
  })
})

describe("Columns", () => {
  it.each(["mono", "monoBold"] as const)("of %s are all of one width", (name) => {
    const font = receiptFont(name)
    const width = font.width("=", 10)
    for (const letter of "ЖiW.□„–") expect(font.width(letter, 10)).toBeCloseTo(width, 9)
  })
})
