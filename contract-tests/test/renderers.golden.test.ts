import { draw, composeLayout, canonicalJson, qrSvg } from "@overa/adapter-renderers"
import type { Receipt } from "@overa/domain"
import { describe, expect, it } from "vitest"
import { goldenText, pictureDifference } from "../src/support/golden.ts"
import { pdfLines, readPdf } from "../src/support/pdfText.ts"
import { sampleKinds } from "../src/support/sampleKinds.ts"
import { sampleBranding } from "../src/support/sampleReceipts.ts"

const layoutOf = (receipt: Receipt) =>
  composeLayout(receipt, receipt.operation.content.brandingId === null ? null : sampleBranding())

describe("Every kind of document has golden representations (Decisions §6)", () => {
  describe.each(Object.entries(sampleKinds))("%s", (kind, sample) => {
    const receipt = sample()

    it("text, JSON and QR code byte for byte", () => {
      const { journal, verificationUrl } = receipt.answer.pfr
      expect(journal).toBe(goldenText(`${kind}/official-text.txt`, journal))
      expect(canonicalJson(receipt)).toBe(goldenText(`${kind}/canonical-json.json`, canonicalJson(receipt)))
      expect(qrSvg(verificationUrl)).toBe(goldenText(`${kind}/qr.svg`, qrSvg(verificationUrl)))
    })

    it.each(["a4", "80mm", "58mm"] as const)("the text of its PDF for %s", async (paper) => {
      const { bytes } = await draw({ layout: layoutOf(receipt), paper, output: "pdf" })
      const read = await readPdf(bytes)
      const text = `${pdfLines(read).join("\n")}\n`
      expect(text).toBe(goldenText(`${kind}/pdf-${paper}.txt`, text))
      expect(read.links).toEqual([receipt.answer.pfr.verificationUrl])
    })

    it("its preview pixel for pixel", async () => {
      const paper = receipt.operation.content.preferredPaperFormat
      const { bytes } = await draw({ layout: layoutOf(receipt), paper, output: "png" })
      expect(pictureDifference(`${kind}/preview.png`, bytes)).toBeNull()
    })
  })
})
