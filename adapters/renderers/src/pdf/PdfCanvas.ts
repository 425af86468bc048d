import type Pdf from "pdfkit"
import type { QrMatrix } from "../qr/qrMatrix.ts"
import { qrPng } from "../qr/qrPng.ts"
import { drawSvg } from "./drawSvg.ts"
import type { Bar, Picture, Run } from "./flow.ts"
import { type EmbeddedFont, internalsOf } from "./pdfkitInternals.ts"
import { type FontName, receiptFont, type ReceiptFont, substitute } from "./receiptFonts.ts"

/** A document being painted. */
export interface PdfCanvas {
  readonly document: InstanceType<typeof Pdf>
  readonly embedded: Map<FontName, EmbeddedFont>
  readonly qr: QrMatrix
  readonly qrPicture: Uint8Array
  readonly verificationUrl: string
  /** Code points that no font has; each was drawn as the substitute. */
  readonly missing: Set<number>
}

export const openCanvas = (document: InstanceType<typeof Pdf>, qr: QrMatrix, verificationUrl: string): PdfCanvas => ({
  document,
  embedded: new Map(),
  qr,
  qrPicture: qrPng(qr),
  verificationUrl,
  missing: new Set()
})

const number = (value: number): string => String(Math.round(value * 1_000) / 1_000)

const embed = (canvas: PdfCanvas, font: ReceiptFont): EmbeddedFont => {
  const known = canvas.embedded.get(font.name)
  if (known !== undefined) return known
  // pdfkit takes an already parsed font, though its types say otherwise.
  canvas.document.registerFont(font.name, font.parsed as unknown as string)
  canvas.document.font(font.name)
  const embedded = internalsOf(canvas.document)._font
  canvas.embedded.set(font.name, embedded)
  return embedded
}

/** The text as glyph numbers of the embedded subset; what the font lacks is drawn as the substitute and remembered. */
const encode = (canvas: PdfCanvas, font: ReceiptFont, embedded: EmbeddedFont, text: string) => {
  let hex = ""
  let complete = true
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const glyph = font.glyph(codePoint)
    if (glyph === null) continue
    const id = embedded.subset.includeGlyph(glyph.id)
    embedded.widths[id] ??= glyph.advanceWidth * embedded.scale
    hex += id.toString(16).padStart(4, "0")
    const isMissing = font.isMissing(codePoint)
    // Not the glyph's own code points: fontkit forgets those of a letter that an earlier document needed as a part of another letter.
    embedded.unicode[id] ??= [isMissing ? substitute : codePoint]
    if (isMissing) {
      complete = false
      canvas.missing.add(codePoint)
    }
  }
  return { hex, complete }
}

const utf16Hex = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex")

/** Text runs as one text object; y grows downwards, so that every line is mirrored back upright. */
export const paintRuns = (canvas: PdfCanvas, runs: ReadonlyArray<{ readonly run: Run; readonly top: number }>): void => {
  if (runs.length === 0) return
  const internals = internalsOf(canvas.document)
  const content = ["BT"]
  let font = ""
  let grey = -1
  for (const { run, top } of runs) {
    const face = receiptFont(run.font)
    const embedded = embed(canvas, face)
    internals.page.fonts[embedded.id] ??= embedded.ref()
    const chosen = `/${embedded.id} ${number(run.size)} Tf`
    if (chosen !== font) content.push(chosen)
    font = chosen
    if ((run.grey ?? 0) !== grey) content.push(`${number(run.grey ?? 0)} g`)
    grey = run.grey ?? 0
    const { complete, hex } = encode(canvas, face, embedded, run.text)
    content.push(`1 0 0 -1 ${number(run.x)} ${number(top + run.dy)} Tm`)
    // Copied or read aloud, the text is what it was, even where its picture is a substitute.
    content.push(complete ? `<${hex}> Tj` : `/Span <</ActualText <feff${utf16Hex(run.text)}>>> BDC <${hex}> Tj EMC`)
  }
  content.push("ET")
  internals.addContent(content.join("\n"))
}

/** Lines and bars; they say nothing, so readers skip them. */
export const paintBars = (canvas: PdfCanvas, bars: ReadonlyArray<{ readonly bar: Bar; readonly top: number }>): void => {
  if (bars.length === 0) return
  const boxes = bars.map(({ bar, top }) =>
    `${number(bar.grey)} g ${number(bar.x)} ${number(top + bar.dy)} ${number(bar.width)} ${number(bar.height)} re f`
  )
  internalsOf(canvas.document).addContent(["/Artifact BMC", ...boxes, "EMC"].join("\n"))
}

export const paintPicture = (canvas: PdfCanvas, picture: Picture, top: number): void => {
  const { height, width, x } = picture
  if (picture.kind === "qr") canvas.document.image(Buffer.from(canvas.qrPicture), x, top, { width, height })
  else if (picture.logo.mediaType === "image/svg+xml") drawSvg(canvas.document, picture.logo.bytes, { x, y: top, width, height })
  else canvas.document.image(Buffer.from(picture.logo.bytes), x, top, { width, height })
}
