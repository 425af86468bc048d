import { composeLayout, dot, draw, legalModuleSize, qrMatrix, qrSvg, widestModuleSize } from "@overa/adapter-renderers"
import { PDFiumLibrary } from "@hyzyla/pdfium"
import { beforeAll, describe, expect, it } from "vitest"
import { blackAndWhite, decodeQr, greyOfPng, type GreyPicture } from "../../src/support/decodeQr.ts"
import { qrReaders } from "../../src/support/qrReaders.ts"
import { sampleKinds } from "../../src/support/sampleKinds.ts"
import { sampleBranding, sampleLink, sampleReceipt } from "../../src/support/sampleReceipts.ts"

const millimetre = 72 / 25.4
const links = [40, 300, 700, 860, 900, 965, 1000, 1050, 1100].map((length) => sampleLink(length))
const papers = [["a4", 300], ["80mm", 203], ["58mm", 203]] as const

let pdfium: PDFiumLibrary
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init()
})

/** The first page as printed at the given dots an inch. */
const printed = async (pdf: Uint8Array, dotsPerInch: number): Promise<GreyPicture> => {
  const document = await pdfium.loadDocument(pdf)
  try {
    const page = document.getPage(0)
    const { originalHeight, originalWidth } = page.getOriginalSize()
    const [width = 0, height = 0] = [originalWidth, originalHeight].map((points) => Math.round(points * dotsPerInch / 72))
    return await page.render({ scale: 1, width, height, colorSpace: "Gray", render: "bitmap" })
  } finally {
    document.destroy()
  }
}

const short = (link: string, paperFormat: "a4" | "80mm" | "58mm") =>
  sampleReceipt("NORMAL", "SALE", { link, commercialFooter: null, preferredPaperFormat: paperFormat, brandingId: null })

describe("Every QR code decodes with an independent decoder (Decisions §6)", () => {
  it.each(papers)("from the PDF for %s at %i dpi, in grey and in black and white, for links up to 1 100 characters", async (paper, dpi) => {
    // Searching a page of A4 takes a second; the longest links are the difficult ones.
    for (const link of paper === "a4" ? links.slice(-2) : links) {
      const { bytes } = await draw({ layout: composeLayout(short(link, paper), null), paper, output: "pdf" })
      const picture = await printed(bytes, dpi)
      expect(decodeQr(picture), `${link.length} characters, grey`).toBe(link)
      expect(decodeQr(blackAndWhite(picture)), `${link.length} characters, black and white`).toBe(link)
    }
  })

  it.each(papers)("by every reader from the PDF for %s at %i dpi", async (paper, dpi) => {
    const link = sampleLink(880)
    const { bytes } = await draw({ layout: composeLayout(short(link, paper), null), paper, output: "pdf" })
    const picture = await printed(bytes, dpi)
    for (const [name, read] of Object.entries(qrReaders)) expect([name, await read(picture)]).toEqual([name, link])
  })

  it.each(papers)("from the preview of %s, for links up to 1 100 characters", async (paper) => {
    for (const link of [links[0] ?? "", sampleLink(965), sampleLink(1100)]) {
      const { bytes } = await draw({ layout: composeLayout(short(link, paper), null), paper, output: "png" })
      expect(decodeQr(greyOfPng(bytes)), `${link.length} characters`).toBe(link)
    }
  })

  it.each(Object.keys(sampleKinds))("from the preview of a %s", async (kind) => {
    const receipt = sampleKinds[kind]?.() ?? sampleReceipt("NORMAL", "SALE")
    const paper = receipt.operation.content.preferredPaperFormat
    const { bytes } = await draw({ layout: composeLayout(receipt, sampleBranding()), paper, output: "png" })
    const picture = greyOfPng(bytes)
    const firstPage = paper === "a4" ? { ...picture, height: Math.min(picture.height, Math.round(841.89 * 203 / 72)) } : picture
    expect(decodeQr({ ...firstPage, data: firstPage.data.subarray(0, firstPage.width * firstPage.height) }))
      .toBe(receipt.answer.pfr.verificationUrl)
  })

  it.each(links)("from the SVG, module by module (%#)", (link) => {
    const side = Number(/viewBox="0 0 (\d+)/.exec(qrSvg(link))?.[1])
    const scale = 4
    const picture = { width: side * scale, height: side * scale, data: new Uint8Array(side * side * scale * scale).fill(255) }
    for (const [, x, y, run] of qrSvg(link).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
      for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++) {
        const from = row * picture.width + Number(x) * scale
        picture.data.fill(0, from, from + Number(run) * scale)
      }
    }
    expect(decodeQr(picture)).toBe(link)
  })
})

describe("The QR code's size is computed for the paper (V-PFR §7.3; Decisions §6, §10)", () => {
  const sizes = [...new Set(links.map((link) => qrMatrix(link).size))]

  it.each(sizes)("%i modules are 40 to 50 mm square on A4 and 80 mm", (modules) => {
    const side = legalModuleSize(modules, dot) * modules / millimetre
    expect(side).toBeGreaterThanOrEqual(40)
    expect(side).toBeLessThanOrEqual(50)
  })

  it.each(sizes)("%i modules are as wide as 58 mm paper allows, in whole dots, with their quiet zone", (modules) => {
    const dots = widestModuleSize(modules, 384 * dot, dot) / dot
    expect(dots).toBeCloseTo(Math.round(dots), 6)
    expect((modules + 8) * dots).toBeLessThanOrEqual(384 + 1e-6)
    expect((modules + 8) * (dots + 1)).toBeGreaterThan(384)
  })
})
