import { PDFiumLibrary } from "@hyzyla/pdfium"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { closePdf, openPdf } from "../src/pdf/openPdf.ts"
import { decodePngOnWhite } from "../src/png/decodePng.ts"
import { encodePng, encodePngInParts } from "../src/png/encodePng.ts"
import { previewPng } from "../src/png/previewPng.ts"

const dotsPerInch = 203

/** Pages with greys and slanted edges in other places on each, in points. */
const pdfOf = (pages: ReadonlyArray<readonly [number, number]>): Promise<Uint8Array> => {
  const document = openPdf({ title: "Три стране", author: "", signedAt: 0 })
  for (const [index, size] of pages.entries()) {
    document.addPage({ size: [...size], margin: 0 })
    document.polygon([3, 5 + index], [60, 9], [40 - 7 * index, 50]).fill("#444444")
    document.rect(0, 60, size[0], 5 + index).fill("#9a9a9a")
  }
  return closePdf(document)
}

/** The pages below each other as the library's own means draw them, in sixteen greys. */
const drawnByLibrary = async (pdf: Uint8Array): Promise<ReadonlyArray<number>> => {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  const greys: Array<number> = []
  for (const page of document.pages()) {
    const { originalHeight, originalWidth } = page.getOriginalSize()
    const [width = 0, height = 0] = [originalWidth, originalHeight].map((points) => Math.round(points * dotsPerInch / 72))
    const { data } = await page.render({ scale: 1, width, height, colorSpace: "Gray", render: "bitmap" })
    for (const grey of data) greys.push((grey >> 4) * 17)
  }
  document.destroy()
  library.destroy()
  return greys
}

const greysOf = (png: Uint8Array) => {
  const { height, rgb, width } = decodePngOnWhite(png)
  return { width, height, greys: Array.from({ length: width * height }, (_, at) => rgb[3 * at] ?? 0) }
}

describe("A preview has every page below the one before it", () => {
  // In dots: a width of four pixels, an even one, an odd one.
  it.each([[227, 640], [226, 637], [225.5, 636]])("of %s points, %s dots", async (points, dots) => {
    const pdf = await pdfOf([[points, 100], [points, 100], [points, 80]])
    const { greys, height, width } = greysOf(await previewPng(pdf, dotsPerInch))
    expect([width, height]).toEqual([dots, 282 + 282 + 226])
    expect(greys.findIndex((grey, at) => grey !== 255 && grey !== 0 && at > width)).toBeGreaterThan(0)
    const expected = await drawnByLibrary(pdf)
    expect(greys.findIndex((grey, at) => grey !== expected[at])).toBe(-1)
  })

  it("on one paper", async () => {
    await expect(pdfOf([[200, 100], [201, 100]]).then((pdf) => previewPng(pdf, dotsPerInch))).rejects.toThrow(/567 dots wide after one of 564/)
  })
})

describe("A picture in parts", () => {
  const form = (height: number) => ({ width: 2, height, bitDepth: 8, pixelsPerMetre: 7_992 }) as const

  it("is the picture as a whole, though its parts use the same memory", async () => {
    const parts = fc.array(fc.uint8Array({ minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 30 })
    await fc.assert(fc.asyncProperty(parts, async (rows) => {
      const memory = new Uint8Array(3)
      const inParts = await encodePngInParts(
        (function*() {
          for (const row of rows) {
            memory.set(row, 1)
            yield memory
          }
        })(),
        () => form(rows.length)
      )
      const whole = encodePng({ ...form(rows.length), rows: Uint8Array.from(rows.flatMap((row) => [0, ...row])) })
      expect(Buffer.from(inParts).equals(Buffer.from(whole))).toBe(true)
    }))
  })

  it("of which one cannot be drawn is none", async () => {
    const parts = function*() {
      yield new Uint8Array(3)
      throw new Error("no second part")
    }
    await expect(encodePngInParts(parts(), () => form(2))).rejects.toThrow("no second part")
  })
})
