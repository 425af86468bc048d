import type Pdf from "pdfkit"

/** The members of a font opened by fontkit that are used here. */
export interface ParsedFont {
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  hasGlyphForCodePoint(codePoint: number): boolean
  layout(text: string, features?: unknown, script?: string, language?: string): { readonly glyphs: ReadonlyArray<ParsedGlyph> }
}

export interface ParsedGlyph {
  readonly id: number
  readonly advanceWidth: number
}

/** A font inside one PDF: the subset of the glyphs used. */
export interface EmbeddedFont {
  readonly id: string
  readonly font: ParsedFont
  readonly scale: number
  readonly subset: { includeGlyph(id: number): number }
  readonly widths: Array<number | undefined>
  readonly unicode: Array<ReadonlyArray<number> | undefined>
  ref(): unknown
}

/**
 * The parts of pdfkit that its types do not show. pdfkit is pinned to an exact version, and the golden files fail when one of these
 * changes: they let one parsed font serve every document and write text without shaping each line anew (five times quicker).
 */
export interface PdfkitInternals {
  readonly _font: EmbeddedFont
  readonly page: PDFKit.PDFPage & { readonly fonts: Record<string, unknown> }
  addContent(content: string): void
  endMetadata(): void
}

export const internalsOf = (document: InstanceType<typeof Pdf>): PdfkitInternals =>
  document as unknown as PdfkitInternals
