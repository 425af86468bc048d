import { Schema } from "effect"

/** The forms a logo may have. */
export const LogoMediaType = Schema.Literals(["image/png", "image/jpeg", "image/svg+xml"])
export type LogoMediaType = typeof LogoMediaType.Type

/** A logo is drawn on every receipt: it must be small to store and quick to decode. */
export const logoLimits = { bytes: 262_144, pixels: 2_000 } as const

interface PixelSize {
  readonly width: number
  readonly height: number
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const pngSize = (bytes: Uint8Array): PixelSize | null => {
  if (bytes.length < 33 || !pngSignature.every((byte, index) => bytes[index] === byte)) return null
  const view = viewOf(bytes)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Start-of-frame markers carry the size; C4, C8 and CC in their range are other segments. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const jpegSize = (bytes: Uint8Array): PixelSize | null => {
  // Stryker disable next-line ConditionalExpression,EqualityOperator: what is shorter has no frame either.
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return null
  const view = viewOf(bytes)
  let offset = 2
  while (offset + 9 <= bytes.length) {
    if (bytes[offset] !== 0xff) return null
    const marker = bytes[offset + 1] ?? 0
    if (isFrameMarker(marker)) return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) }
    offset += 2 + view.getUint16(offset + 2)
  }
  return null
}

// An SVG is interpreted on every rendering. Refused: anything that refers outside the file, runs scripts, expands itself or needs a font.
const svgForbidden: ReadonlyArray<readonly [RegExp, string]> = [
  [/<!DOCTYPE|<!ENTITY|<\?xml-stylesheet/i, "a document type, an entity or a style sheet"],
  [/<(?:[\w-]+:)?(?:script|foreignObject|image|text|style|use|animate\w*|set|a)\b/i, "script, image, text, style, link or use elements"],
  [/\son\w+\s*=/i, "event attributes"],
  [/(?:href|src)\s*=\s*["'](?!#)/i, "references outside the file"],
  [/url\(\s*["']?(?!#)[^)]/i, "references outside the file"]
]

const svgFault = (bytes: Uint8Array): string | null => {
  const decoded = decodeUtf8(bytes)
  if (decoded === null) return "an SVG logo must be UTF-8"
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg[\s>]/.test(decoded)) return "an SVG logo must begin with <svg>"
  const forbidden = svgForbidden.find(([pattern]) => pattern.test(decoded))
  if (forbidden !== undefined) return `an SVG logo must not contain ${forbidden[1]}; convert text to outlines`
  return /\sviewBox\s*=/.test(decoded) ? null : "an SVG logo needs a viewBox"
}

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  const decoded = new TextDecoder("utf-8").decode(bytes)
  return decoded.includes("\uFFFD") ? null : decoded
}

/** Why these bytes cannot be a logo, in one sentence, or null when they can. */
export const logoFault = (
  logo: { readonly mediaType: LogoMediaType; readonly bytes: Uint8Array }
): string | null => {
  if (logo.bytes.length > logoLimits.bytes) return `a logo has at most ${logoLimits.bytes} bytes`
  if (logo.mediaType === "image/svg+xml") return svgFault(logo.bytes)
  if (logo.mediaType === "image/png" && logo.bytes[28] === 1) return "a PNG logo must not be interlaced"
  const size = logo.mediaType === "image/png" ? pngSize(logo.bytes) : jpegSize(logo.bytes)
  if (size === null) return `the logo's bytes are not ${logo.mediaType}`
  const fits = size.width >= 1 && size.height >= 1 && size.width <= logoLimits.pixels && size.height <= logoLimits.pixels
  return fits ? null : `a logo is at most ${logoLimits.pixels} × ${logoLimits.pixels} pixels`
}
