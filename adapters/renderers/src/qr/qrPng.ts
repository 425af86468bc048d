import { encodePng } from "../png/encodePng.ts"
import type { QrMatrix } from "./qrMatrix.ts"

/** The symbol as a one-bit picture, one pixel a module, dark is black: the smallest and quickest form for a PDF. */
export const qrPng = ({ modules, size }: QrMatrix): Uint8Array => {
  const stride = Math.ceil(size / 8) + 1
  const rows = new Uint8Array(stride * size).fill(0xff)
  for (let y = 0; y < size; y++) {
    rows[y * stride] = 0
    for (let x = 0; x < size; x++) {
      const at = y * stride + 1 + (x >> 3)
      if (modules[y * size + x] === 1) rows[at] = (rows[at] ?? 0) & ~(0x80 >> (x & 7))
    }
  }
  return encodePng({ width: size, height: size, bitDepth: 1, rows })
}
