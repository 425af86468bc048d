import type { QrMatrix } from "../qr/qrMatrix.ts"
import { qrPng } from "../qr/qrPng.ts"
import { type DocumentFonts, encodeText } from "./encodeText.ts"
import type { Bar, Picture, Run } from "./flow.ts"
import { internalsOf } from "./pdfkitInternals.ts"
import { receiptFont } from "./receiptFonts.ts"

/** A document being painted. */
export interface PdfCanvas extends DocumentFonts {
  /** Null if the document has none. */
  readonly qr: QrMatrix | null
  readonly verificationUrl: string
  /** Side of the printer's dot, in points. */
  readonly printerDot: number
}

type Opened = Pick<PdfCanvas, "document" | "qr" | "verificationUrl" | "printerDot">

export const openCanvas = ({ document, printerDot, qr, verificationUrl }: Opened): PdfCanvas => ({
  document,
  embedded: new Map(),
  qr,
  printerDot,
  verificationUrl,
  missing: new Set()
})

const number = (value: number): string => String(Math.round(value * 1_000) / 1_000)

const utf16Hex = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex")

/** Text runs as one text object; y grows downwards, so that every line is mirrored back upright. */
export const paintRuns = (canvas: PdfCanvas, runs: ReadonlyArray<{ readonly run: Run; readonly top: number }>): void => {
  if (runs.length === 0) return
  const content = ["BT"]
  let [chosenFont, grey, squeeze] = ["", -1, 1]
  for (const { run, top } of runs) {
    const { complete, runs: glyphRuns } = encodeText(canvas, receiptFont(run.font), run.text)
    if ((run.grey ?? 0) !== grey) content.push(`${number(run.grey ?? 0)} g`)
    grey = run.grey ?? 0
    if ((run.squeeze ?? 1) !== squeeze) content.push(`${number(100 * (run.squeeze ?? 1))} Tz`)
    squeeze = run.squeeze ?? 1
    const text = glyphRuns.flatMap(({ font, hex, scale }) => {
      const wanted = `/${font.id} ${number(run.size * scale)} Tf`
      const chooses = wanted === chosenFont ? [] : [wanted]
      chosenFont = wanted
      return [...chooses, `<${hex}> Tj`]
    })
    content.push(`1 0 0 -1 ${number(run.x)} ${number(top + run.dy)} Tm`)
    // For copying and reading aloud the text is complete, even where the drawn glyphs are not.
    content.push(...(complete ? text : [`/Span <</ActualText <feff${utf16Hex(run.text)}>>> BDC`, ...text, "EMC"]))
  }
  content.push("ET")
  internalsOf(canvas.document).addContent(content.join("\n"))
}

/** Lines and bars; they carry no content, so screen readers skip them. */
export const paintBars = (canvas: PdfCanvas, bars: ReadonlyArray<{ readonly bar: Bar; readonly top: number }>): void => {
  if (bars.length === 0) return
  const boxes = bars.map(({ bar, top }) =>
    `${number(bar.grey)} g ${number(bar.x)} ${number(top + bar.dy)} ${number(bar.width)} ${number(bar.height)} re f`
  )
  internalsOf(canvas.document).addContent(["/Artifact BMC", ...boxes, "EMC"].join("\n"))
}

/**
 * The symbol, beginning on a whole dot of the printer. It is inset by a fiftieth of a dot: viewers that fill the dot touched by a picture's edge
 * would stretch it over one dot more.
 */
const paintQr = (canvas: PdfCanvas, x: number, top: number, side: number): void => {
  const { document, printerDot, qr } = canvas
  if (qr === null) return
  const inset = printerDot / 50
  const [left = x, above = top] = [x, top].map((points) => Math.round(points / printerDot) * printerDot + inset)
  const picture = Buffer.from(qrPng(qr, Math.round(side / printerDot)))
  document.image(picture, left, above, { width: side - 2 * inset, height: side - 2 * inset })
}

export const paintPicture = (canvas: PdfCanvas, picture: Picture, top: number): void => {
  const { height, width, x } = picture
  if (picture.kind === "qr") return paintQr(canvas, x, top, width)
  // A logo that is no bitmap is left out: a vector drawing is a program, and a receipt's process runs none but our own.
  if (picture.logo.mediaType === "image/png") canvas.document.image(Buffer.from(picture.logo.bytes), x, top, { width, height })
}
