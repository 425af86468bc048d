import { PDFiumLibrary } from "@hyzyla/pdfium"
import { encodePng } from "./encodePng.ts"

let library: Promise<PDFiumLibrary> | undefined

/** Grey picture, one byte a pixel, 0 black. */
interface GreyPage {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Every page of the PDF at the given dots an inch, in grey. */
export const rasterize = async (pdf: Uint8Array, dotsPerInch: number): Promise<ReadonlyArray<GreyPage>> => {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(pdf)
  try {
    const pages: Array<GreyPage> = []
    for (const page of document.pages()) {
      // Given in whole dots: the library would cut the page's size in points before scaling it.
      const { originalHeight, originalWidth } = page.getOriginalSize()
      const [wide, high] = [originalWidth, originalHeight].map((points) => Math.round(points * dotsPerInch / 72))
      const { data, height, width } = await page.render({
        scale: 1,
        width: wide ?? 0,
        height: high ?? 0,
        colorSpace: "Gray",
        render: "bitmap"
      })
      pages.push({ width, height, data })
    }
    return pages
  } finally {
    document.destroy()
  }
}

/** One row of a page at sixteen greys, two pixels a byte. */
const packRow = (data: Uint8Array, from: number, width: number, rows: Uint8Array, to: number): void => {
  const pairs = width >> 1
  for (let pair = 0; pair < pairs; pair++) {
    const at = from + 2 * pair
    rows[to + pair] = ((data[at] ?? 0) & 0xf0) | ((data[at + 1] ?? 0) >> 4)
  }
  if (width % 2 === 1) rows[to + pairs] = ((data[from + width - 1] ?? 0) & 0xf0) | 0x0f
}

/** All pages below each other, white where one is narrower; each row after its filter byte. */
const packRows = (pages: ReadonlyArray<GreyPage>, width: number, height: number): Uint8Array => {
  const stride = Math.ceil(width / 2) + 1
  const rows = new Uint8Array(stride * height).fill(0xff)
  let y = 0
  for (const page of pages) {
    for (let line = 0; line < page.height; line++, y++) {
      rows[y * stride] = 0
      packRow(page.data, line * page.width, page.width, rows, y * stride + 1)
    }
  }
  return rows
}

/** The printed PDF as one picture: its pages below each other, in sixteen greys. */
export const previewPng = async (pdf: Uint8Array, dotsPerInch: number): Promise<Uint8Array> => {
  const pages = await rasterize(pdf, dotsPerInch)
  const width = Math.max(...pages.map((page) => page.width))
  const height = pages.reduce((sum, page) => sum + page.height, 0)
  const pixelsPerMetre = Math.round(dotsPerInch / 0.0254)
  return encodePng({ width, height, bitDepth: 4, rows: packRows(pages, width, height), pixelsPerMetre })
}
