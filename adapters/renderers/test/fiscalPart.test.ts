import type { Receipt } from "@overa/domain"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fiscalPart } from "../src/layout/fiscalPart.ts"

const rule = "=".repeat(40)
const notice = "        ОВО НИЈЕ ФИСКАЛНИ РАЧУН         "
const line = fc.oneof(
  fc.constantFrom(rule, notice, "ИД купца:                    10:101670560", "Артикли", "    "),
  fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll(/[\r\n]/g, " "))
)
// Empty lines at the very end belong to the file, not to the receipt's text.
const journals = fc.array(line, { maxLength: 40 }).map((lines) => [...lines, "КРАЈ"])

const details = {
  legalName: "Зора",
  taxIdentifier: "101670560",
  registrationNumber: null,
  address: null,
  city: null
}

const receiptOf = (lines: ReadonlyArray<string>, end: string, signed: boolean): Receipt =>
  ({
    operation: {
      buyerDetails: details,
      content: { invoiceType: signed ? "COPY" : "NORMAL", transactionType: "REFUND", payments: [{ type: "CASH" }] }
    },
    answer: { pfr: { journal: lines.map((text) => text + end).join("") } }
  }) as unknown as Receipt

describe("The fiscal part holds the journal and nothing of it twice (Decisions §6)", () => {
  it("every line of any journal, unchanged and in order, whatever ends its lines", () => {
    fc.assert(fc.property(journals, fc.constantFrom("\r\n", "\n"), fc.boolean(), (lines, end, signed) => {
      const printed = fiscalPart(receiptOf(lines, end, signed)).flatMap((block) =>
        block.kind === "journal" ? block.lines : block.kind === "notice" ? [block.text] : []
      )
      expect(printed).toEqual(lines)
    }))
  })

  it("exactly one QR code, after the last rule, and the buyer's details at most once", () => {
    fc.assert(fc.property(journals, fc.boolean(), (lines, signed) => {
      const blocks = fiscalPart(receiptOf(lines, "\r\n", signed))
      const kinds = blocks.map(({ kind }) => kind)
      const qrAt = kinds.indexOf("qr")
      expect(kinds.filter((kind) => kind === "qr")).toHaveLength(1)
      expect(kinds.filter((kind) => kind === "buyerDetails").length).toBeLessThanOrEqual(1)
      expect(kinds.indexOf("signature")).toBe(signed ? qrAt + 1 : -1)
      const after = blocks.slice(qrAt).flatMap((block) => block.kind === "journal" ? block.lines : [])
      expect(after).not.toContain(rule)
    }))
  })
})
