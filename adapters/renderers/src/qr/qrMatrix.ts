import QRCode from "qrcode"

/** A QR symbol without its quiet zone: `size` × `size` modules, row by row, 1 is dark. */
export interface QrMatrix {
  readonly size: number
  readonly modules: Uint8Array
}

/** The white margin a reader needs on every side, in modules (ISO/IEC 18004). */
export const quietZone = 4

// A widely used reader (jsQR) has a misprint in its table for version 23 and reads no such symbol; 24 costs four modules more.
const unreadVersion = 23

const symbolOf = (bytes: Uint8Array, version: number | undefined) =>
  QRCode.create([{ data: bytes, mode: "byte" }], { errorCorrectionLevel: "L", maskPattern: 2, version })

/**
 * The verification link as a symbol. One byte segment and a fixed mask make it deterministic and fast; error correction L keeps the modules of links
 * of more than a thousand characters large enough to be read from 58 mm paper.
 */
export const qrMatrix = (text: string): QrMatrix => {
  const bytes = new TextEncoder().encode(text)
  const smallest = symbolOf(bytes, undefined)
  const symbol = smallest.version === unreadVersion ? symbolOf(bytes, unreadVersion + 1) : smallest
  return { size: symbol.modules.size, modules: symbol.modules.data }
}
