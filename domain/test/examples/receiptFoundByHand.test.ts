import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime, Result } from "effect"
import { type ExpectedAnswer, type FoundReceipt, readReceiptFound, receiptFoundByHand } from "@overa/domain"
import { decimal, facts, sale } from "./verificationSale.ts"
import { saleAnswerText, saleLink, sandboxTin } from "./verificationVectors.ts"

const journal = (JSON.parse(saleAnswerText) as { readonly journal: string }).journal
const found: FoundReceipt = { verificationUrl: saleLink, journal }
const known = { ...facts, tin: sandboxTin }

/** Why a receipt is refused; empty when it is accepted. */
const reasonsOf = (receipt: FoundReceipt, expected: ExpectedAnswer = sale, knowledge: Parameters<typeof receiptFoundByHand>[2] = known) => {
  const read = receiptFoundByHand(expected, receipt, knowledge)
  return Result.isFailure(read) ? read.failure.reasons : []
}

const otherContent = (change: Partial<ExpectedAnswer["content"]>): ExpectedAnswer => ({ ...sale, content: { ...sale.content, ...change } })

describe("Decisions §4, the operator decides: link and journal found by hand become the answer", () => {
  const taken = () => Result.getOrThrow(receiptFoundByHand(sale, found, known))

  it("says what link and journal of the real receipt say", () => {
    const answer = taken()
    const { totalAmount, ...pfr } = answer.pfr
    assert.deepStrictEqual({ ...pfr, sdcTime: String(pfr.sdcTime) }, {
      invoiceNumber: "YJLQTEQR-YJLQTEQR-11389",
      sdcTime: "2023-06-06T13:21:15.504+02:00",
      requestedBy: "YJLQTEQR",
      signedBy: "YJLQTEQR",
      transactionTypeCounter: 8652,
      totalCounter: 11389,
      invoiceCounterExtension: "ПП",
      totalTax: null,
      verificationUrl: saleLink,
      journal
    })
    assert.isTrue(BigDecimal.equals(totalAmount, decimal("68.46")))
    assert.strictEqual(answer.tin, sandboxTin)
  })

  it("its text tells the reader of the evidence that a person found it, and writes the amount digit by digit", () => {
    const answer = taken()
    assert.deepInclude(JSON.parse(answer.text) as object, { foundByHand: true, invoiceCounter: "8652/11389ПП", totalAmount: 68.46 })
    assert.match(answer.text, /"totalAmount":68\.46\}$/)
  })

  it("invents no taxes, which a link does not carry, and no TIN where none is known", () => {
    assert.deepStrictEqual(taken().taxes, [])
    const read = receiptFoundByHand(sale, found, { ...known, tin: null })
    assert.isTrue(Result.isSuccess(read) && read.success.tin === null && !read.success.text.includes("tin"))
  })
})

describe("Decisions §4: what speaks against a receipt found by hand refuses it, with every reason", () => {
  it("nothing speaks against the real one", () => {
    assert.deepStrictEqual(reasonsOf(found), [])
  })

  it.each([
    ["no link", { ...found, verificationUrl: "https://sandbox.suf.purs.gov.rs/verify" }, sale, "the verification link cannot be read: no base64 after vl="],
    ["no journal", { ...found, journal: "" }, sale, "the receipt is not complete: no usable journal"],
    ["another element's", found, { ...sale, jid: "AAAAAAAA" }, "requestedBy of the answer is YJLQTEQR, sent was AAAAAAAA"],
    ["another buyer's", found, otherContent({ buyer: null }), "buyerId of the link is RS34564565, sent was none"],
    ["another kind's", found, otherContent({ transactionType: "REFUND" }), "transactionType of the link is SALE, sent was REFUND"],
    ["another amount", found, otherContent({ items: [] }), "totalAmount of the link is 68.46, sent was 0"],
    ["another receipt's journal", { ...found, journal: "ФИСКАЛНИ РАЧУН" }, sale, "the journal does not print YJLQTEQR-YJLQTEQR-11389"],
    ["a journal of another kind", { ...found, journal: journal.replace("ПРОМЕТ ПРОДАЈА", "ПРОМЕТ РЕФУНДАЦИЈА") }, sale, "the journal says ПРОМЕТ РЕФУНДАЦИЈА"],
    ["a link to another address", { ...found, verificationUrl: saleLink.replace("//sandbox.", "//elsewhere.") }, sale, "https://elsewhere.suf.purs.gov.rs/v/?vl="]
  ] as const)("%s", (_, receipt, expected, reason) => {
    assert.include(reasonsOf(receipt, expected).join("\n"), reason)
  })

  it("a receipt signed before the submission", () => {
    const later = { ...known, submittedAt: DateTime.makeUnsafe("2023-06-06T11:26:16Z") }
    assert.match(reasonsOf(found, sale, later).join("\n"), /more than five minutes before the submission/)
  })

  it("a signature that does not hold under the key known for the signer", () => {
    assert.deepStrictEqual(reasonsOf(found, sale, { ...known, tin: "RS000000000" }), ["does not verify under the key known for YJLQTEQR"])
  })

  it("all reasons of a receipt that is wrong in several ways", () => {
    const receipt = { verificationUrl: saleLink.replace("//sandbox.", "//elsewhere."), journal: "ФИСКАЛНИ РАЧУН" }
    assert.deepStrictEqual(reasonsOf(receipt), [
      "the journal does not print YJLQTEQR-YJLQTEQR-11389",
      "https://elsewhere.suf.purs.gov.rs/v/?vl=, not https://sandbox.suf.purs.gov.rs/v/?vl="
    ])
    assert.lengthOf(reasonsOf(found, { ...otherContent({ buyer: null }), jid: "AAAAAAAA" }), 3)
  })
})

describe("Decisions §4: an operator who holds the receipt always has a way out", () => {
  const stated = { invoiceNumber: "YJLQTEQR-YJLQTEQR-11389", sdcTime: "2023-06-06T13:21:15+02:00" }
  const unreadable = { ...found, verificationUrl: "https://sandbox.suf.purs.gov.rs/verify" }

  it("a receipt against which something speaks is read all the same, with every reason", () => {
    const other = otherContent({ buyer: { id: "10:999999999", optionalField: null } })
    const { against, answer } = Result.getOrThrow(readReceiptFound(other, found, known))
    assert.strictEqual(answer.pfr.invoiceNumber, stated.invoiceNumber)
    assert.isAbove(against.length, 0)
  })

  it("where the link cannot be read, the paper's number and time are taken, and the link is named", () => {
    const { against, answer } = Result.getOrThrow(readReceiptFound(sale, { ...unreadable, stated }, known))
    assert.deepInclude(answer.pfr, { invoiceNumber: stated.invoiceNumber, totalCounter: 11389, transactionTypeCounter: 8652, journal })
    assert.isTrue(BigDecimal.equals(answer.pfr.totalAmount, decimal("68.46")))
    assert.strictEqual(against[0], "the verification link cannot be read: no base64 after vl=")
  })

  it("the paper's number may have blanks around it; where the journal prints no counter, its last part counts for both", () => {
    const receipt = { ...unreadable, stated: { ...stated, invoiceNumber: ` ${stated.invoiceNumber}\n` } }
    assert.strictEqual(Result.getOrThrow(readReceiptFound(sale, receipt, known)).answer.pfr.transactionTypeCounter, 8652)
    const withoutCounter = { ...receipt, journal: journal.replaceAll("8652/11389ПП", "") }
    assert.deepInclude(Result.getOrThrow(readReceiptFound(sale, withoutCounter, known)).answer.pfr, { totalCounter: 11389, transactionTypeCounter: 11389 })
  })

  it.each([
    { ...stated, invoiceNumber: "11389" },
    { ...stated, sdcTime: "yesterday" },
    null
  ])("what is no number and time is not taken: %o", (wrong) => {
    const read = readReceiptFound(sale, { ...unreadable, stated: wrong }, known)
    assert.deepStrictEqual(Result.isFailure(read) ? read.failure.reasons : [], ["the verification link cannot be read: no base64 after vl="])
  })
})
