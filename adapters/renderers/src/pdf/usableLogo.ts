import { type BrandingLogo, logoFault } from "@overa/domain"
import { createHash } from "node:crypto"
import Pdf from "pdfkit"
import { decodePngOnWhite, type OpaquePicture } from "../png/decodePng.ts"
import { encodePng } from "../png/encodePng.ts"
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
  const { height, rgb, width } = reduced(decoded, squareFor(decoded))
  const stride = width * 3 + 1
  const rows = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) rows.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), y * stride + 1)
  return encodePng({ width, height, bitDepth: 8, colour: true, rows })
}

/** Draws the logo once for nobody: whatever the file does wrong, it does here. */
const rehearse = (logo: BrandingLogo): void => {
  const document = new Pdf({ font: "", size: [100, 100], margin: 0 })
  const box = { x: 0, y: 0, width: 50, height: 50 }
  if (logo.mediaType === "image/svg+xml") drawSvg(document, logo.bytes, box)
  else document.image(Buffer.from(logo.bytes), 0, 0, { width: 50, height: 50 })
}

const prepare = (logo: BrandingLogo): BrandingLogo | null => {
  // Asked again here: a file that is not what it is called makes pdfkit throw where nobody can catch it.
  if (logoFault(logo) !== null) return null
  try {
    const usable = logo.mediaType === "image/png" ? { ...logo, bytes: opaquePng(logo.bytes) } : logo
    rehearse(usable)
    return usable
  } catch {
    return null
  }
}

const prepared = new Map<string, BrandingLogo | null>()
const kept = 64

/** The logo as it can be drawn quickly and surely, prepared once a process; null for a broken file, without which the receipt is drawn. */
export const usableLogo = (logo: BrandingLogo): BrandingLogo | null => {
  const key = createHash("sha256").update(logo.mediaType).update(logo.bytes).digest("base64")
  const known = prepared.get(key)
  if (known !== undefined) return known
  const usable = prepare(logo)
  const [oldest] = prepared.keys()
  if (prepared.size >= kept && oldest !== undefined) prepared.delete(oldest)
  prepared.set(key, usable)
  return usable
}
