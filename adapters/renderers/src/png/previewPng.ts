import { PDFiumLibrary } from "@hyzyla/pdfium"
import { encodePngInParts } from "./encodePng.ts"
import { type GreyPage, useGreyPage } from "./pdfiumInternals.ts"

let library: Promise<PDFiumLibrary> | undefined

/** Four white pixels, read as one number. */
const fourWhite = -1

/** One row of a page at sixteen greys, two pixels a byte, into a row that is white. */
const packRow = (data: Uint8Array, fours: Int32Array, from: number, width: number, rows: Uint8Array, to: number): void => {
  const end = from + width
  let [at, byte] = [from, to]
  while (at + 1 < end) {
    // Most of a page is white.
    if ((at & 3) === 0 && at + 4 <= end && fours[at >> 2] === fourWhite) {
      at += 4
      byte += 2
      continue
    }
    rows[byte++] = ((data[at] ?? 0) & 0xf0) | ((data[at + 1] ?? 0) >> 4)
    at += 2
  }
  if (at < end) rows[byte] = ((data[at] ?? 0) & 0xf0) | 0x0f
}

/** Packs a page's rows, each after its filter byte 0, in the memory of the page before it where the two are equally large. */
const rowPacker = () => {
  let rows = new Uint8Array()
  return ({ data, height, width }: GreyPage): Uint8Array => {
    const stride = Math.ceil(width / 2) + 1
    if (rows.length !== stride * height) rows = new Uint8Array(stride * height)
    rows.fill(0xff)
    const fours = new Int32Array(data.buffer, data.byteOffset, data.length >> 2)
    for (let y = 0; y < height; y++) {
      rows[y * stride] = 0
      packRow(data, fours, y * width, width, rows, y * stride + 1)
    }
    return rows
  }
}

/** The printed PDF as one picture: its pages below each other, in sixteen greys. However many they are, memory holds the picture of one. */
export const previewPng = async (pdf: Uint8Array, dotsPerInch: number): Promise<Uint8Array> => {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(pdf)
  let [width, height] = [0, 0]
  const pack = rowPacker()
  const take = (page: GreyPage): Uint8Array => {
    // A document is printed on one paper.
    if (height > 0 && page.width !== width) throw new Error(`a page ${page.width} dots wide after one of ${width}`)
    width = page.width
    height += page.height
    return pack(page)
  }
  const parts = function*() {
    for (let index = 0; index < document.getPageCount(); index++) yield useGreyPage(document, index, dotsPerInch, take)
  }
  try {
    return await encodePngInParts(parts(), () => ({ width, height, bitDepth: 4, pixelsPerMetre: Math.round(dotsPerInch / 0.0254) }))
  } finally {
    document.destroy()
  }
}
