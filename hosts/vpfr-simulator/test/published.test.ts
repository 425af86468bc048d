import { type PrintedReceipt, readJournal } from "@overa/domain"
import { BigDecimal, Result } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { InvoiceType, PaymentType } from "../src/protocol/InvoiceRequest.ts"
import { type HeaderForm, type JournalContent, journalText } from "../src/receipts/journalText.ts"
import { journalOnPage } from "../src/verification/journalOnPage.ts"

// Receipts that others have published, read and printed again: the simulator prints each of them alike.

const folder = new URL("../../../domain/test/examples/published/", import.meta.url)
const json = <A>(name: string): A => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as A
const journals = Object.entries(json<Record<string, ReadonlyArray<string>>>("journals.json")).map(([name, lines]) => [name, lines.join("\n")] as const)

const units = (amount: BigDecimal.BigDecimal, scale: number): bigint => BigDecimal.scale(amount, scale).value

const invoiceTypeOf: Readonly<Record<PrintedReceipt["invoiceType"], InvoiceType>> = { NORMAL: "Normal", PROFORMA: "ProForma", COPY: "Copy", TRAINING: "Training", ADVANCE: "Advance" }
const paymentTypeOf: Readonly<Record<PrintedReceipt["payments"][number]["type"], PaymentType>> = {
  CASH: "Cash", CARD: "Card", CHECK: "Check", WIRE_TRANSFER: "WireTransfer", VOUCHER: "Voucher", INSTANT_PAYMENT: "MobileMoney", OTHER: "Other"
}

/** A place of sale that the centred form has wrapped. */
const joined: Readonly<Record<string, number>> = { "turanjanin-21": 2, "turanjanin-22": 2 }

const sellerOf = (name: string, lines: ReadonlyArray<string>): JournalContent["seller"] => {
  const at = joined[name]
  const facts = at === undefined ? lines : [...lines.slice(0, at), `${lines[at]} ${lines[at + 1]}`, ...lines.slice(at + 2)]
  expect(facts.length).toBe(5)
  const [tin = "", businessName = "", locationName = "", address = "", district = ""] = facts
  return { tin, businessName, locationName, address, district }
}

const civil = (text: string): JournalContent["sdcTime"] => {
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = text.split(/[.: ]+/).map(Number)
  return { year, month, day, hour, minute, second } as JournalContent["sdcTime"]
}

const contentOf = (name: string, receipt: PrintedReceipt, headerForm: HeaderForm): JournalContent => ({
  language: "sr-Cyrl-RS",
  headerForm,
  seller: sellerOf(name, receipt.seller),
  request: {
    dateAndTimeOfIssue: null, cashier: receipt.cashier, buyerId: receipt.buyer, buyerCostCenterId: receipt.buyerOptionalField, invoiceNumber: receipt.esirNumber,
    referentDocumentNumber: null, referentDocumentDT: null, invoiceType: invoiceTypeOf[receipt.invoiceType], transactionType: "Sale",
    payment: receipt.payments.map(({ amount, type }) => ({ paymentType: paymentTypeOf[type], amount: units(amount, 2) })),
    items: receipt.items.map((item) => ({
      gtin: null, name: item.name, labels: item.labels, quantity: units(item.quantity, 3), unitPrice: units(item.unitPrice, 2), totalAmount: units(item.amount, 2)
    }))
  },
  totalAmount: units(receipt.total, 2),
  taxItems: receipt.taxes.map(({ amount, category, label, rate }) => ({ label, categoryName: category, categoryType: 0, rate: Number(units(rate, 2)), amount: units(amount, 4) })),
  sdcTime: civil(receipt.pfrTime),
  invoiceNumber: receipt.invoiceNumber,
  invoiceCounter: receipt.counter
})

/** What pages and copies add around the text: the QR code's markup, empty lines, blanks at the ends of lines. */
const linesOf = (text: string): ReadonlyArray<string> =>
  text.trim().split(/\r?\n/).map((line) => line.replace(/^(={40})<br\/><img>$/, "$1").replace(/=<$/, "=").trim()).filter((line) => line !== "")

const formOf = (text: string): HeaderForm => text.includes("ПИБ:") ? "keyed" : /\n {3,}\d{9}/.test(text) ? "centred" : "left"

describe("published receipts", () => {
  it.each(journals)("%s is printed alike", (name, text) => {
    const receipt = Result.getOrThrow(readJournal(text.trimEnd().replace(/<$/, ""), "PAGE"))
    const printed = journalText(contentOf(name, receipt, formOf(text)))
    // Texts with the older header were not escaped before they were cut: `… & rel` and `ase` in one of them.
    expect(linesOf(formOf(text) === "left" ? printed : journalOnPage(printed))).toEqual(linesOf(text))
  })

  it("the sandbox's of 2022, whose header has keys, but for the change that its ESIR added", () => {
    const [relayed] = json<ReadonlyArray<{ readonly journal: string }>>("answers/relayed-by-an-esir.json")
    const text = relayed?.journal ?? ""
    const receipt = Result.getOrThrow(readJournal(text))
    expect(linesOf(journalText(contentOf("", receipt, formOf(text))))).toEqual(linesOf(text).filter((line) => !line.startsWith("Повраћај:")))
  })

  it("the public check's", () => {
    const { journal } = json<{ readonly journal: string }>("answers/public-check.json")
    const receipt = Result.getOrThrow(readJournal(journal, "PAGE"))
    expect(linesOf(journalOnPage(journalText(contentOf("", receipt, "centred"))))).toEqual(linesOf(journal))
  })
})
