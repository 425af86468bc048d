import { type BrandingLogo, logoFault } from "@overa/domain"
import Pdf from "pdfkit"
import { decodePngOnWhite, type OpaquePicture } from "../png/decodePng.ts"
import { encodePng } from "../png/encodePng.ts"
import { logoSize } from "../pdf/logoSize.ts"
import { colourPages } from "../png/colourPages.ts"
import { drawSvg } from "./drawSvg.ts"

/** The largest logo on paper is 64 mm wide: the reduced picture has 150 to 300 dots an inch there. */
const enough = { width: 800, height: 400 }

/** Averages each square of so many pixels into one; what does not fill a square at the right and lower edge is cut off. */
const reduced = ({ height, rgb, width }: OpaquePicture, square: number): OpaquePicture => {
  const small = { width: Math.floor(width / square), height: Math.floor(height / square) }
  const out = new Uint8Array(small.width * small.height * 3)
  for (let at = 0; at < out.length; at++) {
    const [x, y] = [Math.floor(at / 3) % small.width, Math.floor(at / 3 / small.width)]
    let sum = 0
    for (let row = 0; row < square; row++) {
      for (let column = 0; column < square; column++) {
        sum += rgb[((y * square + row) * width + x * square + column) * 3 + at % 3] ?? 255
      }
    }
    out[at] = Math.round(sum / (square * square))
  }
  return { ...small, rgb: out }
}

/** A long thin logo keeps at least one pixel each way. */
const squareFor = ({ height, width }: OpaquePicture): number =>
  Math.max(1, Math.min(Math.ceil(Math.max(width / enough.width, height / enough.height)), width, height))

/** Put on white and encoded again: pdfkit needs half a second to separate transparency, and again for every receipt. */
const opaquePng = (bytes: Uint8Array): Uint8Array => {
  const decoded = decodePngOnWhite(bytes)
  return picturePng(reduced(decoded, squareFor(decoded)))
}

/** The page a vector or a JPEG is drawn on, in its own proportions: one point becomes one dot. */
const pageOf = (logo: BrandingLogo): { readonly width: number; readonly height: number } => {
  const { height, width } = logoSize(logo, enough)
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

const drawnOnPage = async (logo: BrandingLogo, page: { readonly width: number; readonly height: number }): Promise<Uint8Array> => {
  const document = new Pdf({ font: "", size: [page.width, page.height], margin: 0 })
  const chunks: Array<Uint8Array> = []
  document.on("data", (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => document.on("end", resolve))
  if (logo.mediaType === "image/svg+xml") drawSvg(document, logo.bytes, { x: 0, y: 0, ...page })
  else document.image(Buffer.from(logo.bytes), 0, 0, page)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

const picturePng = ({ height, rgb, width }: OpaquePicture): Uint8Array => {
  const stride = width * 3 + 1
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) rows.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), y * stride + 1)
  return encodePng({ width, height, bitDepth: 8, colour: true, rows })
}

const fromPage = async (logo: BrandingLogo): Promise<Uint8Array> => {
  const [page] = await colourPages(await drawnOnPage(logo, pageOf(logo)))
  if (page === undefined) throw new Error("the logo drew no page")
  return picturePng(page)
}

/**
 * The logo in the only form that is ever drawn: a PNG of at most 800 × 400 pixels without transparency. The same logo gives the same bytes, and so
 * does its own result. Null for a file that is no logo. The file decides how long it takes, so run it only where it can be stopped (`prepareLogo`).
 */
export const logoBitmap = async (logo: BrandingLogo): Promise<BrandingLogo | null> => {
  // Checked again here: a file of another kind than its media type makes pdfkit throw in a callback, where it cannot be caught.
  if (logoFault(logo) !== null) return null
  try {
    return { mediaType: "image/png", bytes: logo.mediaType === "image/png" ? opaquePng(logo.bytes) : await fromPage(logo) }
  } catch {
    return null
  }
}
