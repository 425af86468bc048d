import { encodePng } from "../png/encodePng.ts"
import type { QrMatrix } from "./qrMatrix.ts"

/** Samples along the side of a module: divisible by 2, 3 and 4, the dots a printer's module has. */
const samples = 12

/** One row of the symbol, one bit a sample, behind its filter byte; dark is black. */
const sampledRow = ({ modules, size }: QrMatrix, y: number): Uint8Array => {
  const row = new Uint8Array(Math.ceil(size * samples / 8) + 1).fill(0xff)
  row[0] = 0
  for (let at = 0; at < size * samples; at++) {
    if (modules[y * size + Math.floor(at / samples)] !== 1) continue
    const byte = 1 + (at >> 3)
    row[byte] = (row[byte] ?? 0) & ~(0x80 >> (at & 7))
  }
  return row
}

export const qrPng = (matrix: QrMatrix): Uint8Array => {
  const side = matrix.size * samples
  const stride = Math.ceil(side / 8) + 1
  const rows = new Uint8Array(stride * side)
  for (let y = 0; y < matrix.size; y++) {
    const row = sampledRow(matrix, y)
    for (let repeat = 0; repeat < samples; repeat++) rows.set(row, (y * samples + repeat) * stride)
  }
  return encodePng({ width: side, height: side, bitDepth: 1, rows })
}
