import { composeLayout, draw } from "@overa/adapter-renderers"
import { describe, expect, it } from "vitest"
import { qrReaders } from "../../src/support/qrReaders.ts"
import { sampleLink, sampleReceipt } from "../../src/support/sampleReceipts.ts"
import { rasterizers } from "./rasterizers.ts"

/** Links of 572 to 592 bytes, percent-encoded, are 830 to 900 characters; those with 512 bytes of internal data 1 240 (V-PFR §7.1). */
const links = [300, 835, 850, 859, 865, 880, 895, 965, 1100, 1240].map((length) => sampleLink(length))
const papers = ["a4", "80mm", "58mm"] as const

/** A buyer's identification of twenty characters, the longest. */
const buyer = { id: "40:12345678901234567", optionalField: null }

const pdfOf = async (link: string, paper: (typeof papers)[number]) => {
  const receipt = sampleReceipt("NORMAL", "SALE", { link, buyer, commercialFooter: null, preferredPaperFormat: paper, brandingId: null })
  return (await draw({ layout: composeLayout(receipt, null), paper, output: "pdf" })).bytes
}

describe.each(Object.entries(rasterizers))("The QR code drawn by %s", (name, rasterize) => {
  // A thermal head prints dots of one darkness; scanners read such prints, web pages do not.
  const readers = Object.entries(qrReaders).filter(([reader]) => reader !== "jsQR" || !name.endsWith("black and white"))

  it.each(papers.flatMap((paper) => [[paper, 203], [paper, 300]] as const))("on %s at %i dpi is read by every reader", async (paper, dpi) => {
    const unread: Array<string> = []
    for (const link of links) {
      const pages = await rasterize(await pdfOf(link, paper), dpi)
      for (const [reader, read] of readers) {
        const texts = await Promise.all(pages.map(read))
        if (!texts.includes(link)) unread.push(`${reader}: ${link.length} characters`)
      }
    }
    expect(unread).toEqual([])
  })
})
