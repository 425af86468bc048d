import { readJournal, type VerificationLink } from "@overa/domain"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { bookCases, isDayBefore } from "../proof/approval/bookCases.ts"
import { type BookCase, type CaseGround, check, tried } from "../proof/approval/BookCase.ts"
import type { Approved, Sample } from "../proof/approval/Sample.ts"
import { sampleFaults } from "../proof/approval/sampleFaults.ts"
import { sampleKinds } from "../src/support/sampleKinds.ts"

type Printed = Sample["printed"]

const receipt = Object.values(sampleKinds)[0]?.()
const journal = receipt?.answer.pfr.journal ?? ""
const url = "https://suf.purs.gov.rs/v/?vl=A"

/** The link that says what the paper prints. */
const linkOf = (printed: Printed): VerificationLink => {
  const [requestedBy = "", signedBy = "", total] = printed.invoiceNumber.split("-")
  return {
    root: "", requestedBy, signedBy, totalCounter: Number(total), transactionTypeCounter: Number(printed.counter.split("/")[0]), totalAmount: printed.total,
    sdcTimeMillis: 0, invoiceType: printed.invoiceType, transactionType: printed.transactionType, buyerId: printed.buyer,
    encryptedInternalData: new Uint8Array(), signature: new Uint8Array(), digest: new Uint8Array(), digested: new Uint8Array()
  }
}

/** A sale as the book wants it, printed as the first of the golden receipts. */
const base: Printed = { ...Result.getOrThrow(readJournal(journal)), invoiceType: "NORMAL", transactionType: "SALE", buyer: "10:100000049", buyerOptionalField: null, esirNumber: "999/0.1", esirTime: null, referenceNumber: null, referenceTime: null, counter: "7/9ПП", invoiceNumber: "ABCD1234-EFGH5678-9" }

const sampleOf = (change: Partial<Printed> = {}, about: Partial<Sample> = {}): Sample => {
  const printed = { ...base, ...change }
  return {
    number: 1, title: "", withBuyer: printed.buyer !== null, asked: {}, document: { pfr: { journal, verificationUrl: url } }, sent: null, printed, link: linkOf(printed), text: journal,
    portal: { isValid: true, journal: null }, noticeRatio: null, hasSignatureLine: false, pictures: [{ format: "pdf-a4", png: new Uint8Array(), qr: url }], ...about
  }
}

const refund = sampleOf({ transactionType: "REFUND", invoiceNumber: "ABCD1234-EFGH5678-8", counter: "2/8ПР", referenceNumber: "ABCD1234-EFGH5678-7", referenceTime: "01.01.2026. 8:00:00" })
const approved: Approved = { esirNumber: "999/0.1", receiptOf: (number) => [refund, sampleOf()].find(({ printed }) => printed.invoiceNumber === number) }
const copyOfRefund: Partial<Printed> = { invoiceType: "COPY", transactionType: "REFUND", referenceNumber: refund.printed.invoiceNumber, referenceTime: base.pfrTime, invoiceNumber: "ABCD1234-EFGH5678-10", counter: "1/10КР" }
const onPaper = { noticeRatio: 2, hasSignatureLine: true }
const places = (sample: Sample) => sampleFaults(sample, approved).map(({ place }) => place)

describe("receipts as the test book wants them", () => {
  it.each([
    ["a sale with the buyer's identification", sampleOf()],
    ["a sale without", sampleOf({ buyer: null })],
    ["a sale with the optional field", sampleOf({ buyerOptionalField: "20:1234" })],
    ["the copy of a refund", sampleOf(copyOfRefund, onPaper)],
    ["a refund, which always names its buyer", { ...refund, withBuyer: false }]
  ])("%s has no fault", (_, sample) => {
    expect(sampleFaults(sample, approved)).toEqual([])
  })
})

describe("the mistakes of page 37, each planted", () => {
  it.each([
    ["а", "the optional field on another receipt than a sale", sampleOf({ ...copyOfRefund, buyerOptionalField: "20:1234" }, onPaper)],
    ["б", "no buyer where the sample has one", sampleOf({ buyer: null }, { withBuyer: true })],
    ["ц", "a buyer where the sample has none", sampleOf({}, { withBuyer: false })],
    ["д", "another ESIR number", sampleOf({ esirNumber: "999/0.2" })],
    ["д", "an ESIR number with more behind it", sampleOf({ esirNumber: "999/0.1 Overa" })],
    ["е", "the notice in ordinary letters", sampleOf(copyOfRefund, { ...onPaper, noticeRatio: 1 })],
    ["е", "no notice", sampleOf(copyOfRefund, { ...onPaper, noticeRatio: null })],
    ["ф", "no line for the signature", sampleOf(copyOfRefund, { ...onPaper, hasSignatureLine: false })],
    ["г", "a copy of a refund that refers to a sale", sampleOf({ ...copyOfRefund, referenceNumber: base.invoiceNumber }, onPaper)],
    ["г", "a copy of a refund that refers to nothing known", sampleOf({ ...copyOfRefund, referenceNumber: "ABCD1234-EFGH5678-1" }, onPaper)],
    ["х", "a QR code that cannot be scanned", sampleOf({}, { pictures: [{ format: "pdf-58mm", png: new Uint8Array(), qr: null }] })],
    ["х", "a QR code that leads elsewhere", sampleOf({}, { pictures: [{ format: "pdf-58mm", png: new Uint8Array(), qr: `${url}B` }] })],
    ["и", "an identification that is not on the list", sampleOf({ buyer: "99:1" })],
    ["и", "an optional field that is not on the list", sampleOf({ buyerOptionalField: "99:1" })]
  ])("%s) %s", (place, _, sample) => {
    expect(places(sample)).toEqual([place])
  })
})

describe("what is printed otherwise than it was signed, each planted", () => {
  const other = (change: Partial<VerificationLink>): Sample => sampleOf({}, { link: { ...linkOf(base), ...change } })
  it.each([
    ["another text", sampleOf({}, { text: `${journal} ` }), "стр. 6"],
    ["another number", other({ requestedBy: "ABCD1235" }), "стр. 7, 13"],
    ["another counter", other({ transactionTypeCounter: 8 }), "стр. 7, 13"],
    ["another amount", other({ totalAmount: base.totalTax }), "стр. 7, 10"],
    ["another kind", other({ invoiceType: "TRAINING" }), "стр. 6, 8"],
    ["another buyer", other({ buyerId: null }), "стр. 6, 4"],
    ["an item without its unit", sampleOf({ items: base.items.map((item) => ({ ...item, name: "Књига" })) }), "стр. 7, 10"],
    ["the ESIR's time on a sale", sampleOf({ esirTime: "01.01.2026. 8:00:00" }), "стр. 7, напомена"],
    ["a refund without reference", sampleOf({ transactionType: "REFUND" }), "стр. 21"],
    ["another time of the original", sampleOf({ ...copyOfRefund, referenceTime: "01.01.2026. 8:00:00" }, onPaper), "стр. 6, 7"],
    ["a receipt that the authority calls invalid", sampleOf({}, { portal: { isValid: false, journal: null } }), "стр. 6"],
    ["another receipt at the authority", sampleOf({}, { portal: { isValid: true, journal } }), "стр. 6"]
  ])("%s", (_, sample, place) => {
    expect(places(sample)).toEqual([place])
  })
})

describe("cases of the book", () => {
  const ground = { at: { takeSteps: () => [] } } as unknown as CaseGround
  const book: BookCase = { page: 1, title: "t", asked: "a" }

  it("pass where every comparison holds, and fail where one does not, where none was made, and where the trial ends early", async () => {
    const status = async (run: NonNullable<BookCase["run"]>) => (await tried({ ...book, run }, ground)).status
    expect(await status(() => Promise.resolve({ checks: [check("x", true), check("y", true)] }))).toBe("PASSED")
    expect(await status(() => Promise.resolve({ checks: [check("x", true), check("y", false)] }))).toBe("FAILED")
    expect(await status(() => Promise.resolve({ checks: [] }))).toBe("FAILED")
    expect(await status(() => Promise.reject(new Error("no connection")))).toBe("FAILED")
    expect((await tried({ ...book, notApplicable: "because" }, ground))).toMatchObject({ status: "NOT_APPLICABLE", remark: "because" })
  })

  it.each([
    ["31.12.2025. 23:59:59", "01.01.2026. 0:00:01", true],
    ["01.01.2026. 0:00:00", "01.01.2026. 23:59:59", false],
    ["02.01.2026. 8:00:00", "01.01.2026. 8:00:00", false],
    ["today", "01.01.2026. 8:00:00", false],
    [null, "01.01.2026. 8:00:00", false]
  ])("an advance of the day before has an earlier ESIR day: %s, %s", (earlier, later, expected) => {
    expect(isDayBefore(earlier, later)).toBe(expected)
  })

  it("each is tried, or says why it does not apply", () => {
    expect(bookCases.filter(({ notApplicable, run }) => (run === undefined) === (notApplicable === undefined))).toEqual([])
    expect(bookCases.length).toBeGreaterThan(18)
  })
})
