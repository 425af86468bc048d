import { PDFiumLibrary } from "@hyzyla/pdfium"
import type { OpaquePicture } from "./decodePng.ts"

/** Every page of the PDF in colour, one dot for each point. */
export const colourPages = async (pdf: Uint8Array): Promise<ReadonlyArray<OpaquePicture>> => {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(pdf)
  try {
    const pages: Array<OpaquePicture> = []
    for (const page of document.pages()) {
      const { originalHeight, originalWidth } = page.getOriginalSize()
      const size = { width: Math.round(originalWidth), height: Math.round(originalHeight) }
      const { data, height, width } = await page.render({ scale: 1, ...size, colorSpace: "BGRA", render: "bitmap" })
      const rgb = new Uint8Array(width * height * 3)
      for (let at = 0; at < width * height; at++) {
        // Red, green, blue, alpha, whatever the colour space is called; already on white paper.
        rgb.set(data.subarray(at * 4, at * 4 + 3), at * 3)
      }
      pages.push({ width, height, rgb })
    }
    return pages
  } finally {
    document.destroy()
    library.destroy()
  }
}
