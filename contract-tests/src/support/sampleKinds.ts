import type { Receipt } from "@overa/domain"
import { BigDecimal } from "effect"
import { readFileSync } from "node:fs"
import { sampleBuyerDetails, sampleItem, sampleReceipt } from "./sampleReceipts.ts"

const decimal = BigDecimal.fromStringUnsafe
const advanceItem = [sampleItem("10: Аванс (Ђ)", null, "1", "3000.00", "Ђ")]

const journalFile = (name: string): string =>
  readFileSync(new URL(`./journals/${name}.txt`, import.meta.url), "utf8").replace(/\r?\n/g, "\r\n")

const companyBuyer = { id: "10:101670560", optionalField: "30:17-2026/4" }

/** One receipt of every kind, each on the paper it prefers, with the features that kind may have. */
export const sampleKinds: Readonly<Record<string, () => Receipt>> = {
  "normal-sale": () => sampleReceipt("NORMAL", "SALE", { buyer: companyBuyer, buyerDetails: sampleBuyerDetails }),
  "normal-refund": () => sampleReceipt("NORMAL", "REFUND", { preferredPaperFormat: "80mm" }),
  "advance-sale": () =>
    sampleReceipt("ADVANCE", "SALE", {
      items: advanceItem,
      payments: [{ type: "WIRE_TRANSFER", amount: decimal("3000") }],
      preferredPaperFormat: "80mm"
    }),
  "advance-refund": () =>
    sampleReceipt("ADVANCE", "REFUND", {
      items: advanceItem,
      payments: [{ type: "WIRE_TRANSFER", amount: decimal("3000") }],
      preferredPaperFormat: "58mm",
      commercialFooter: null
    }),
  "copy-sale": () => sampleReceipt("COPY", "SALE", { commercialFooter: null }),
  "copy-refund": () => sampleReceipt("COPY", "REFUND", { preferredPaperFormat: "80mm" }),
  "proforma-sale": () => sampleReceipt("PROFORMA", "SALE", { preferredPaperFormat: "58mm", brandingId: null }),
  "proforma-refund": () => sampleReceipt("PROFORMA", "REFUND", { brandingId: null }),
  "training-sale": () => sampleReceipt("TRAINING", "SALE", { preferredPaperFormat: "80mm", brandingId: null }),
  "training-refund": () => sampleReceipt("TRAINING", "REFUND", { preferredPaperFormat: "58mm", commercialFooter: null }),
  "sale-closing-an-advance": () =>
    sampleReceipt("NORMAL", "SALE", {
      payments: [{ type: "CARD", amount: decimal("6504.99") }],
      advanceClosing: {
        lastAdvanceNumber: "ZRA8K2QW-ZRA8K2QW-1039",
        lastAdvanceTime: "2026-03-10T11:20:31.0000001+01:00",
        totalAdvance: decimal("3000"),
        taxOnAdvance: decimal("500"),
        remaining: decimal("6504.99")
      }
    }),
  "older-journal": () => sampleReceipt("NORMAL", "SALE", { journal: journalFile("sandbox-2023"), preferredPaperFormat: "80mm" }),
  "production-journal": () => sampleReceipt("NORMAL", "SALE", { journal: journalFile("production-2022"), preferredPaperFormat: "58mm" })
}
