import { createRequire } from "node:module"
import Pdf from "pdfkit"
import { internalsOf, type ParsedFont, type ParsedGlyph } from "./pdfkitInternals.ts"

/** `mono` sets the journal, whose columns need it; `sans` sets what is ours, so that it is visibly ours. */
export type FontName = "mono" | "monoBold" | "sans" | "sansBold"

const files: Readonly<Record<FontName, string>> = {
  mono: "DejaVuSansMono.ttf",
  monoBold: "DejaVuSansMono-Bold.ttf",
  sans: "DejaVuSansCondensed.ttf",
  sansBold: "DejaVuSansCondensed-Bold.ttf"
}

/** Shown in place of a character the font cannot draw: never a blank. */
export const substitute = 0x25a1

const invisible = /\p{Default_Ignorable_Code_Point}/u

/** A parsed font with the Serbian form of every character it was asked for. */
export interface ReceiptFont {
  readonly name: FontName
  readonly parsed: ParsedFont
  /** The glyph of a code point; null for one that is invisible by nature; the substitute's for one the font has not. */
  readonly glyph: (codePoint: number) => ParsedGlyph | null
  readonly isMissing: (codePoint: number) => boolean
  readonly width: (text: string, size: number) => number
  /** From the top of a line to its baseline, in points, for a size of one. */
  readonly ascent: number
}

const require = createRequire(import.meta.url)

// pdfkit parses the font; a document thrown away is the only public way to it.
const parse = (name: FontName): ParsedFont => {
  const document = new Pdf({ font: "", autoFirstPage: false })
  document.font(require.resolve(`dejavu-fonts-ttf/ttf/${files[name]}`))
  return internalsOf(document)._font.font
}

const openFont = (name: FontName): ReceiptFont => {
  const parsed = parse(name)
  const glyphs = new Map<number, ParsedGlyph | null>()
  // Language SRB chooses the Serbian form of `б`; every other letter is the same.
  const shaped = (codePoint: number): ParsedGlyph => {
    const [glyph] = parsed.layout(String.fromCodePoint(codePoint), undefined, "cyrl", "SRB ").glyphs
    if (glyph === undefined) throw new Error(`font ${name} has no glyph for U+${codePoint.toString(16)}`)
    return glyph
  }
  const isMissing = (codePoint: number) =>
    !parsed.hasGlyphForCodePoint(codePoint) && !invisible.test(String.fromCodePoint(codePoint))
  const lookUp = (codePoint: number): ParsedGlyph | null => {
    if (invisible.test(String.fromCodePoint(codePoint))) return null
    return shaped(isMissing(codePoint) ? substitute : codePoint)
  }
  const glyph = (codePoint: number): ParsedGlyph | null => {
    let known = glyphs.get(codePoint)
    if (known === undefined) {
      known = lookUp(codePoint)
      glyphs.set(codePoint, known)
    }
    return known
  }
  const width = (text: string, size: number): number => {
    let units = 0
    for (const character of text) units += glyph(character.codePointAt(0) ?? 0)?.advanceWidth ?? 0
    return (units / parsed.unitsPerEm) * size
  }
  return { name, parsed, glyph, isMissing, width, ascent: parsed.ascent / parsed.unitsPerEm }
}

const opened = new Map<FontName, ReceiptFont>()

/** The font, parsed once for the life of the process. */
export const receiptFont = (name: FontName): ReceiptFont => {
  let font = opened.get(name)
  if (font === undefined) {
    font = openFont(name)
    opened.set(name, font)
  }
  return font
}
