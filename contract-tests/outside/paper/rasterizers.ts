import { createCanvas } from "@napi-rs/canvas"
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"
import { type GreyPicture, greyOfPng } from "../../src/support/decodeQr.ts"

/** Draws the pages of a PDF at the given dots an inch. */
export type Rasterizer = (pdf: Uint8Array, dotsPerInch: number) => Promise<ReadonlyArray<GreyPicture>>

const run = promisify(execFile)

/** A program that writes one PNG a page into a directory; it must be installed on this machine. */
const program = (name: string, argumentsFor: (pdf: string, directory: string, dotsPerInch: number) => ReadonlyArray<string>): Rasterizer =>
  async (pdf, dotsPerInch) => {
    const directory = await mkdtemp(join(tmpdir(), "overa-paper-"))
    try {
      const file = join(directory, "receipt.pdf")
      await writeFile(file, pdf)
      await run(name, argumentsFor(file, directory, dotsPerInch))
      const pages = (await readdir(directory)).filter((entry) => entry.endsWith(".png")).toSorted()
      return await Promise.all(pages.map(async (page) => greyOfPng(await readFile(join(directory, page)))))
    } finally {
      await rm(directory, { recursive: true })
    }
  }

const pdfJs: Rasterizer = async (pdf, dotsPerInch) => {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  const document = await task.promise
  try {
    const pages: Array<GreyPicture> = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const viewport = page.getViewport({ scale: dotsPerInch / 72 })
      const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
      const canvas = createCanvas(width, height)
      const canvasContext = canvas.getContext("2d")
      await page.render({ canvas: null, canvasContext, viewport } as unknown as Parameters<typeof page.render>[0]).promise
      const { data } = canvasContext.getImageData(0, 0, width, height)
      pages.push({ width, height, data: Uint8Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 255) })
    }
    return pages
  } finally {
    await task.destroy()
  }
}

/** Programs with which people open and print PDFs: smoothed as on a screen, and by Ghostscript in black and white as for a thermal printer. */
export const rasterizers: Readonly<Record<string, Rasterizer>> = {
  "poppler": program("pdftoppm", (pdf, directory, dpi) => ["-png", "-gray", "-r", `${dpi}`, pdf, join(directory, "page")]),
  "poppler, black and white": program("pdftoppm", (pdf, directory, dpi) => ["-png", "-mono", "-r", `${dpi}`, pdf, join(directory, "page")]),
  "MuPDF": program("mutool", (pdf, directory, dpi) => ["draw", "-q", "-c", "gray", "-r", `${dpi}`, "-o", join(directory, "page-%03d.png"), pdf]),
  "Ghostscript": program("gs", (pdf, directory, dpi) => [
    "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pnggray", "-dGraphicsAlphaBits=4", "-dTextAlphaBits=4", `-r${dpi}`,
    `-sOutputFile=${join(directory, "page-%03d.png")}`, pdf
  ]),
  "Ghostscript, black and white": program("gs", (pdf, directory, dpi) => [
    "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pngmono", `-r${dpi}`, `-sOutputFile=${join(directory, "page-%03d.png")}`, pdf
  ]),
  "pdf.js": pdfJs
}
