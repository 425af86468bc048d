import type Pdf from "pdfkit"
import SVGtoPDF from "svg-to-pdfkit"

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

// The branding's check refuses everything that would load an image; refused here again, because the library would open any path.
const refuse = (): never => {
  throw new Error("a logo must not refer to other files")
}

/** Draws an SVG logo as vectors, from its own bytes alone. */
export const drawSvg = (document: InstanceType<typeof Pdf>, bytes: Uint8Array, box: Box): void => {
  SVGtoPDF(document, new TextDecoder().decode(bytes), box.x, box.y, {
    width: box.width,
    height: box.height,
    preserveAspectRatio: "xMidYMid meet",
    assumePt: true,
    imageCallback: refuse,
    documentCallback: refuse,
    fontCallback: refuse,
    warningCallback: () => {}
  })
}
