import { PDFiumLibrary } from "@hyzyla/pdfium"
import { readQrCodes } from "./readQrCodes.ts"

let library: Promise<PDFiumLibrary> | undefined

/** A receipt is short: later pages of a long file are not drawn. */
const mostPages = 50
/** A QR code of 3 cm has some 130 modules; at this resolution each has at least three dots. */
const dotsPerInch = 300
/** A4 at that resolution, and as much again: a page of another size is drawn smaller. */
const mostDots = 20_000_000

type Page = ReturnType<Awaited<ReturnType<PDFiumLibrary["loadDocument"]>>["getPage"]>

/** The library gives blue first. A QR code is black and white, so the order does not matter. */
const draw = async (page: Page) => {
  const { originalHeight, originalWidth } = page.getOriginalSize()
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(mostDots / Math.max(1, originalWidth * originalHeight)))
  const { data, height, width } = await page.render({ scale: 1, width: Math.round(originalWidth * scale), height: Math.round(originalHeight * scale), render: "bitmap" })
  return { width, height, data: Uint8ClampedArray.from(data) }
}

/** The text of a PDF's pages, and the texts of the QR codes that are drawn on them in any way. */
export const readPdf = async (bytes: Uint8Array): Promise<{ readonly text: string; readonly codes: ReadonlyArray<string> }> => {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(bytes)
  try {
    const texts: Array<string> = []
    const codes: Array<string> = []
    let number = 0
    for (const page of document.pages()) {
      if (number++ >= mostPages) break
      texts.push(page.getText())
      codes.push(...await readQrCodes(await draw(page)))
    }
    return { text: texts.join("\n"), codes }
  } finally {
    document.destroy()
  }
}
