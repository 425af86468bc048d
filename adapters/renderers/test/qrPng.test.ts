import { expect, it } from "vitest"
import { qrMatrix } from "../src/qr/qrMatrix.ts"
import { qrPng } from "../src/qr/qrPng.ts"

it.each(["a", "https://suf.purs.gov.rs/v/?vl=" + "A1b2".repeat(200)])("every module is drawn with at least eight samples a side", (text) => {
  const matrix = qrMatrix(text)
  const png = Buffer.from(qrPng(matrix))
  const side = png.readUInt32BE(16)
  const samples = side / matrix.size
  expect(Number.isInteger(samples) && samples >= 8).toBe(true)
  expect(png.readUInt32BE(20)).toBe(side)
})
