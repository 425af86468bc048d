import { type BrandingLogo, logoFault } from "@overa/domain"
import Pdf from "pdfkit"
import { decodePngOnWhite, type OpaquePicture } from "../png/decodePng.ts"
import { encodePng } from "../png/encodePng.ts"
import { logoSize } from "../pdf/logoSize.ts"
import { colourPages } from "../png/colourPages.ts"
import { drawSvg } from "./drawSvg.ts"

/** The largest logo on paper is 64 mm wide: what is left after reducing is 150 to 300 dots an inch there. */
const enough = { width: 800, height: 400 }

/** Squares of so many pixels averaged into one; what does not fill a square at the right and lower edge is cut. */
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

/** Laid on white and written anew: pdfkit takes half a second to separate transparency, for every receipt again. */
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
 * The logo as the one thing that is ever drawn: a PNG of at most 800 × 400 pixels without transparency. The same bytes for the same logo,
 * and for its own outcome. Null for a file that is no logo. Takes as long as the file makes it take: only run it where that can be ended
 * (`prepareLogo`).
 */
export const logoBitmap = async (logo: BrandingLogo): Promise<BrandingLogo | null> => {
  // Asked again here: a file that is not what its name says makes pdfkit throw in a callback, where it cannot be caught.
  if (logoFault(logo) !== null) return null
  try {
    return { mediaType: "image/png", bytes: logo.mediaType === "image/png" ? opaquePng(logo.bytes) : await fromPage(logo) }
  } catch {
    return null
  }
}
