import { createRequire } from "node:module"
import Pdf from "pdfkit"
import { internalsOf, type ParsedFont, type ParsedGlyph } from "./pdfkitInternals.ts"

/** `mono` sets the journal, whose columns need it; `sans` sets the service's own parts, so that they are visibly different. */
export type FontName = "mono" | "monoBold" | "sans" | "sansBold"

const files: Readonly<Record<FontName, string>> = {
  mono: "DejaVuSansMono.ttf",
  monoBold: "DejaVuSansMono-Bold.ttf",
  sans: "DejaVuSansCondensed.ttf",
  sansBold: "DejaVuSansCondensed-Bold.ttf"
}

/** Draws emoji that the four faces have no glyph for, in outlines of one colour. */
const emojiFile = "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf"

/** Shown in place of a character no font can draw: never a blank. */
export const substitute = 0x25a1

// Parsing the font of emoji takes a tenth of a second, so only characters that can be emoji use it.
const emojiCharacter = /\p{Extended_Pictographic}|\p{Emoji_Component}/u
const invisible = /\p{Default_Ignorable_Code_Point}/u

/** How one character is drawn. */
export interface DrawnGlyph {
  readonly glyph: ParsedGlyph
  /** The face itself, or the font of emoji. */
  readonly source: "face" | "emoji"
  /** Size of the glyph in relation to the size of the text around it. */
  readonly scale: number
  /** Its advance at a size of one, `scale` included: the fonts' own getters read their tables anew each time. */
  readonly advance: number
  /** Drawn in place of a character that no font has. */
  readonly substitutes: boolean
}

/** A parsed font with the Serbian form of every character requested. */
export interface ReceiptFont {
  readonly name: FontName
  readonly parsed: ParsedFont
  /** How a code point is drawn; null for an invisible one; the substitute for one that no font has. */
  readonly glyph: (codePoint: number) => DrawnGlyph | null
  readonly width: (text: string, size: number) => number
  /** Whether the text is no wider than `width`; of a longer one only the beginning is measured. */
  readonly fits: (text: string, size: number, width: number) => boolean
  /** From the top of a line to its baseline, in points, for a size of one. */
  readonly ascent: number
}

const require = createRequire(import.meta.url)

// pdfkit parses the font; a document that is discarded is the only public access to it.
const parse = (file: string): ParsedFont => {
  const document = new Pdf({ font: "", autoFirstPage: false })
  document.font(require.resolve(file))
  return internalsOf(document)._font.font
}

let openedEmoji: ParsedFont | undefined

/** The font of emoji, parsed when a receipt first needs it. */
export const emojiFont = (): ParsedFont => openedEmoji ??= parse(emojiFile)

const isDrawnEmoji = (codePoint: number): boolean =>
  emojiCharacter.test(String.fromCodePoint(codePoint)) && emojiFont().hasGlyphForCodePoint(codePoint)

const advanceOf = (font: ParsedFont, glyph: ParsedGlyph): number => glyph.advanceWidth / font.unitsPerEm

const openFont = (name: FontName): ReceiptFont => {
  const parsed = parse(`dejavu-fonts-ttf/ttf/${files[name]}`)
  const glyphs = new Map<number, DrawnGlyph | null>()
  // Language SRB chooses the Serbian form of `б`; every other letter is the same.
  const shaped = (codePoint: number): DrawnGlyph => {
    const [glyph] = parsed.layout(String.fromCodePoint(codePoint), undefined, "cyrl", "SRB ").glyphs
    if (glyph === undefined) throw new Error(`font ${name} has no glyph for U+${codePoint.toString(16)}`)
    return { glyph, source: "face", scale: 1, advance: advanceOf(parsed, glyph), substitutes: false }
  }
  // The journal counts one column for every character: in a fixed-width face an emoji is as wide as a letter.
  const emoji = (codePoint: number): DrawnGlyph => {
    const [glyph] = emojiFont().layout(String.fromCodePoint(codePoint)).glyphs
    if (glyph === undefined) throw new Error(`the font of emoji has no glyph for U+${codePoint.toString(16)}`)
    const natural = advanceOf(emojiFont(), glyph)
    const scale = name.startsWith("mono") ? shaped(0x20).advance / natural : 0.85
    return { glyph, source: "emoji", scale, advance: natural * scale, substitutes: false }
  }
  const lookUp = (codePoint: number): DrawnGlyph | null => {
    if (invisible.test(String.fromCodePoint(codePoint))) return null
    if (parsed.hasGlyphForCodePoint(codePoint)) return shaped(codePoint)
    return isDrawnEmoji(codePoint) ? emoji(codePoint) : { ...shaped(substitute), substitutes: true }
  }
  const glyph = (codePoint: number): DrawnGlyph | null => {
    let known = glyphs.get(codePoint)
    if (known === undefined) {
      known = lookUp(codePoint)
      glyphs.set(codePoint, known)
    }
    return known
  }
  const advance = (character: string): number => glyph(character.codePointAt(0) ?? 0)?.advance ?? 0
  const width = (text: string, size: number): number => {
    let ems = 0
    for (const character of text) ems += advance(character)
    return ems * size
  }
  const fits = (text: string, size: number, width: number): boolean => {
    let ems = 0
    for (const character of text) {
      ems += advance(character)
      if (ems * size > width) return false
    }
    return true
  }
  return { name, parsed, glyph, width, fits, ascent: parsed.ascent / parsed.unitsPerEm }
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
