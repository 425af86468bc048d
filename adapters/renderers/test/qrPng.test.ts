import { PNG } from "pngjs"
import { expect, it } from "vitest"
import { dot, legalModuleSize, legalSquare, widestModuleSize } from "../src/qr/moduleSize.ts"
import { qrMatrix } from "../src/qr/qrMatrix.ts"
import { qrPng } from "../src/qr/qrPng.ts"

const links = [20, 300, 835, 865, 895, 965, 1_100, 1_240].map((length) => `https://suf.purs.gov.rs/v/?vl=${"A1b2".repeat(400)}`.slice(0, length))
const papers = { "A4 and 80 mm": (modules: number) => legalModuleSize(modules, dot), "58 mm": (modules: number) => widestModuleSize(modules, 384 * dot, dot) }

it.each(Object.entries(papers).flatMap(([paper, sizeOf]) => links.map((link) => [paper, link.length, link, sizeOf] as const)))(
  "on %s, a link of %i characters: whole dots, every module with at least four samples a side and nowhere another's colour",
  (_paper, _length, link, sizeOf) => {
    const matrix = qrMatrix(link)
    const across = sizeOf(matrix.size) * matrix.size / dot
    expect(across).toBeCloseTo(Math.round(across), 6)
    expect(across * dot).toBeLessThanOrEqual(legalSquare.largest + 1e-6)
    const { data, height, width } = PNG.sync.read(Buffer.from(qrPng(matrix, Math.round(across))))
    expect([width, height]).toEqual([2 * Math.round(across), 2 * Math.round(across)])
    expect(Math.floor(Math.round(across) / matrix.size) * 2).toBeGreaterThanOrEqual(4)
    for (let y = 0; y < matrix.size; y++) {
      for (let x = 0; x < matrix.size; x++) {
        const [column, row] = [x, y].map((at) => Math.floor((at + 0.5) * width / matrix.size))
        const dark = data[4 * ((row ?? 0) * width + (column ?? 0))] === 0
        if (dark !== (matrix.modules[y * matrix.size + x] === 1)) expect([x, y]).toBe("its own colour")
      }
    }
  }
)
