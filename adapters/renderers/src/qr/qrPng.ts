import { encodePng } from "../png/encodePng.ts"
import type { QrMatrix } from "./qrMatrix.ts"

/**
 * Samples along the side of a printer's dot. With two, a viewer that scales the picture to 203 or 300 dpi takes one, two or four samples for each of
 * its own dots. Poppler divides by their number in whole parts of 2²³, which is exact only for powers of two: with three or four samples white
 * becomes 254 of 255 in some places, and its black and white has specks that no reader can read.
 */
const samples = 2

/** The module of each dot along one side: whole modules where a module has whole dots, else the one at the dot's middle. */
const moduleAt = (size: number, dots: number): ReadonlyArray<number> =>
  Array.from({ length: dots }, (_, dot) => Math.floor((dot + 0.5) * size / dots))

/** One row of dots, one bit a sample, after its filter byte; dark is black. */
const sampledRow = ({ modules, size }: QrMatrix, y: number, places: ReadonlyArray<number>): Uint8Array => {
  const row = new Uint8Array(Math.ceil(places.length * samples / 8) + 1).fill(0xff)
  row[0] = 0
  for (let at = 0; at < places.length * samples; at++) {
    if (modules[y * size + (places[Math.floor(at / samples)] ?? 0)] !== 1) continue
    const byte = 1 + (at >> 3)
    row[byte] = (row[byte] ?? 0) & ~(0x80 >> (at & 7))
  }
  return row
}

/** The symbol on a printer's dots, so many along its side: no edge of a module lies inside a dot. */
export const qrPng = (matrix: QrMatrix, dots: number): Uint8Array => {
  const places = moduleAt(matrix.size, dots)
  const side = dots * samples
  const stride = Math.ceil(side / 8) + 1
  const rows = new Uint8Array(stride * side)
  for (const [dot, y] of places.entries()) {
    const row = sampledRow(matrix, y, places)
    for (let repeat = 0; repeat < samples; repeat++) rows.set(row, (dot * samples + repeat) * stride)
  }
  return encodePng({ width: side, height: side, bitDepth: 1, rows })
}
