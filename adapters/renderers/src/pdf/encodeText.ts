import type Pdf from "pdfkit"
import { type EmbeddedFont, internalsOf } from "./pdfkitInternals.ts"
import { type DrawnGlyph, emojiFont, type FontName, type ReceiptFont, substitute } from "./receiptFonts.ts"

/** The fonts of one document, embedded when a text first needs them, and the characters that none of them has. */
export interface DocumentFonts {
  readonly document: InstanceType<typeof Pdf>
  readonly embedded: Map<FontName | "emoji", EmbeddedFont>
  /** Code points that no font has; each was drawn as the substitute. */
  readonly missing: Set<number>
}

/** Glyphs of one font at one size, in the order of the text. */
export interface GlyphRun {
  readonly font: EmbeddedFont
  readonly scale: number
  /** Glyph numbers of the embedded subset, four digits each. */
  hex: string
}

const embed = (fonts: DocumentFonts, face: ReceiptFont, source: DrawnGlyph["source"]): EmbeddedFont => {
  const name = source === "emoji" ? "emoji" : face.name
  let embedded = fonts.embedded.get(name)
  if (embedded === undefined) {
    // pdfkit takes an already parsed font, though its types say otherwise.
    fonts.document.registerFont(name, (source === "emoji" ? emojiFont() : face.parsed) as unknown as string)
    fonts.document.font(name)
    embedded = internalsOf(fonts.document)._font
    fonts.embedded.set(name, embedded)
  }
  internalsOf(fonts.document).page.fonts[embedded.id] ??= embedded.ref()
  return embedded
}

const encodeGlyph = (font: EmbeddedFont, { glyph }: DrawnGlyph, codePoint: number): string => {
  const id = font.subset.includeGlyph(glyph.id)
  font.widths[id] ??= glyph.advanceWidth * font.scale
  // Not the glyph's own code points: fontkit forgets those of a letter that an earlier document needed as part of another letter.
  font.unicode[id] ??= [codePoint]
  return id.toString(16).padStart(4, "0")
}

/**
 * The text as runs of glyphs. `complete` is false where the glyphs differ from the text: a character without a glyph was drawn as the substitute, an
 * invisible one was left out.
 */
export const encodeText = (fonts: DocumentFonts, face: ReceiptFont, text: string) => {
  const runs: Array<GlyphRun> = []
  let complete = true
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const drawn = face.glyph(codePoint)
    if (drawn === null || drawn.substitutes) complete = false
    if (drawn === null) continue
    if (drawn.substitutes) fonts.missing.add(codePoint)
    const font = embed(fonts, face, drawn.source)
    const last = runs[runs.length - 1]
    const hex = encodeGlyph(font, drawn, drawn.substitutes ? substitute : codePoint)
    if (last?.font === font && last.scale === drawn.scale) last.hex += hex
    else runs.push({ font, scale: drawn.scale, hex })
  }
  return { runs, complete }
}
