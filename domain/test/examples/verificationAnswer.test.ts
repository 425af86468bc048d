import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime } from "effect"
import { Dinars, type ExpectedAnswer, outcomeOfAnswer, Quantity, searchOutcomeOfAnswer, type Remark, type SubmissionOutcome } from "@overa/domain"
import { decimal, facts, line, sale, vat } from "./verificationSale.ts"
import { saleAnswerText, sandboxTin, verificationRoot } from "./verificationVectors.ts"

const withContent = (change: Partial<ExpectedAnswer["content"]>): ExpectedAnswer => ({
  ...sale,
  content: { ...sale.content, ...change }
})
const withMember = (name: string, value: unknown) =>
  JSON.stringify({ ...JSON.parse(saleAnswerText) as object, [name]: value })
const withLink = (change: (binary: string) => string) => {
  const root = verificationRoot
  const link = (JSON.parse(saleAnswerText) as { verificationUrl: string }).verificationUrl
  return withMember("verificationUrl", root + encodeURIComponent(btoa(change(atob(decodeURIComponent(link.slice(root.length)))))))
}
const kinds = (outcome: SubmissionOutcome) =>
  outcome._tag === "Signed" ? outcome.remarks.map((remark) => remark.kind) : outcome._tag

describe("The real answer to the official Normal Sale (V-PFR §3.1)", () => {
  it("is signed, ours, and leaves nothing to remark", () => {
    const outcome = outcomeOfAnswer(sale, saleAnswerText, facts)
    assert.strictEqual(outcome._tag, "Signed")
    if (outcome._tag !== "Signed") return
    assert.deepStrictEqual(outcome.remarks, [])
    const { pfr } = outcome.answer
    assert.strictEqual(pfr.invoiceNumber, "YJLQTEQR-YJLQTEQR-11389")
    assert.strictEqual(pfr.sdcTime, "2023-06-06T13:21:15.504282+02:00")
    assert.deepStrictEqual([pfr.totalCounter, pfr.transactionTypeCounter, pfr.invoiceCounterExtension], [11389, 8652, "ПП"])
    assert.isTrue(BigDecimal.equals(pfr.totalAmount, decimal("68.46")))
    assert.isTrue(pfr.totalTax !== null && BigDecimal.equals(pfr.totalTax, decimal("5.6527")))
    assert.strictEqual(outcome.answer.text, saleAnswerText)
    assert.strictEqual(outcome.answer.tin, sandboxTin)
    assert.isTrue(pfr.journal.endsWith("\r\n"))
  })

  it("a search finds it", () => {
    assert.strictEqual(searchOutcomeOfAnswer(sale, saleAnswerText, facts)._tag, "Found")
    assert.strictEqual(searchOutcomeOfAnswer(sale, "null", facts)._tag, "NothingFound")
    assert.strictEqual(searchOutcomeOfAnswer(sale, " \r\n", facts)._tag, "NothingFound")
    assert.strictEqual(searchOutcomeOfAnswer(sale, "{}", facts)._tag, "NoAnswer")
    assert.strictEqual(searchOutcomeOfAnswer({ ...sale, jid: "AAAAAAAA" }, saleAnswerText, facts)._tag, "FoundForeign")
  })
})

describe("Decisions §4: not ours, so the outcome is unknown and the text is kept", () => {
  const cases: ReadonlyArray<readonly [string, ExpectedAnswer, string, string]> = [
    ["requestedBy of the answer", sale, withMember("requestedBy", "AAAAAAAA"), "requestedBy of the answer"],
    ["requestedBy of the link", sale, withLink((b) => `${b[0]}AAAAAAAA${b.slice(9)}`), "requestedBy of the link"],
    ["another element", { ...sale, jid: "AAAAAAAA" }, saleAnswerText, "requestedBy of the answer"],
    ["invoice type of the link", sale, withLink((b) => `${b.slice(0, 41)}\u0002${b.slice(42)}`), "invoiceType of the link"],
    ["transaction type of the link", sale, withLink((b) => `${b.slice(0, 42)}\u0001${b.slice(43)}`), "transactionType of the link"],
    ["the mark of another kind", sale, withMember("invoiceCounterExtension", "ПР"), "transactionType of the answer"],
    ["a copy was asked for", withContent({ invoiceType: "COPY" }), saleAnswerText, "invoiceType of the answer"],
    ["total of the answer", sale, withMember("totalAmount", 68.47), "totalAmount of the answer"],
    ["total of the link", sale, withLink((b) => `${b.slice(0, 25)}\u0001${b.slice(26)}`), "totalAmount of the link"],
    ["another buyer", withContent({ buyer: { id: "10:123456789", optionalField: null } }), saleAnswerText, "buyerId"],
    ["no buyer", withContent({ buyer: null }), saleAnswerText, "buyerId"]
  ]
  it.each(cases)("%s", (_, expected, text, reason) => {
    const outcome = outcomeOfAnswer(expected, text, facts)
    assert.strictEqual(outcome._tag, "NoAnswer")
    if (outcome._tag !== "NoAnswer") return
    assert.strictEqual(outcome.failureCode, "OUTCOME_UNKNOWN")
    assert.include(outcome.detail, reason)
    assert.strictEqual(outcome.foreignAnswer, text)
  })

  it("a receipt of more than five minutes before the submission, to the second", () => {
    const at = (submittedAt: string) =>
      outcomeOfAnswer(sale, saleAnswerText, { ...facts, submittedAt: DateTime.makeUnsafe(submittedAt) })._tag
    assert.strictEqual(at("2023-06-06T11:26:15Z"), "Signed")
    assert.strictEqual(at("2023-06-06T11:26:16Z"), "NoAnswer")
  })
})

describe("Decisions §4: every other difference leaves the receipt standing, with a remark", () => {
  const otherRates = { ...sale, taxRates: { ...sale.taxRates, rates: [{ ...vat, rate: decimal("10") }] } as ExpectedAnswer["taxRates"] }
  const cases: ReadonlyArray<readonly [string, ExpectedAnswer, string, Array<Remark["kind"]>]> = [
    ["taxes against our own", otherRates, saleAnswerText, ["TAX_DIFFERS"]],
    ["a missing tax item", sale, withMember("taxItems", []), ["TAX_DIFFERS"]],
    ["malformed tax items", sale, withMember("taxItems", [{ label: "A" }]), ["TAX_DIFFERS"]],
    ["a journal without the number", sale, withMember("journal", "ФИСКАЛНИ РАЧУН"), ["JOURNAL_DIFFERS"]],
    ["a journal of another kind", sale, saleAnswerText.replace("ПРОМЕТ ПРОДАЈА", "АВАНС ПРОДАЈА"), ["JOURNAL_DIFFERS"]],
    ["an unreadable link", sale, withMember("verificationUrl", "https://example.test/"), ["LINK_UNREADABLE"]],
    ["a link with a wrong digest", sale, withLink((b) => b.slice(0, -1) + String.fromCharCode((b.charCodeAt(b.length - 1) + 1) % 256)), ["LINK_DIGEST_WRONG"]],
    ["another counter in the answer", sale, withMember("transactionTypeCounter", 1), ["JOURNAL_DIFFERS", "LINK_DIFFERS"]],
    ["a number that does not fit its parts", sale, withMember("totalCounter", 1), ["JOURNAL_DIFFERS", "COUNTERS_DIFFER", "LINK_DIFFERS"]],
    ["an unknown mark", sale, withMember("invoiceCounterExtension", "??"), ["COUNTERS_DIFFER"]],
    ["another signature in the answer", sale, withMember("signature", "AAAA"), ["LINK_DIFFERS"]],
    ["another TIN than the signed one", sale, withMember("tin", "RS000000000"), ["SIGNATURE_WRONG"]],
    ["another verification address", sale, saleAnswerText.replace("//sandbox.suf", "//suf"), ["VERIFICATION_HOST_DIFFERS"]],
    ["a time without offset", sale, withMember("sdcDateTime", "2023-06-06T13:21:15.504282"), ["TIME_WITHOUT_OFFSET"]],
    ["a later time in the answer", sale, withMember("sdcDateTime", "2023-06-06T13:21:16.5+02:00"), ["JOURNAL_DIFFERS", "LINK_DIFFERS"]],
    ["a journal of another amount", sale, saleAnswerText.replace("Укупан износ:                      68,46", "Укупан износ:                      68,47"), ["JOURNAL_DIFFERS"]]
  ]
  it.each(cases)("%s", (_, expected, text, remarks) => {
    assert.deepStrictEqual(kinds(outcomeOfAnswer(expected, text, facts)), remarks)
  })

  it("without rates, keys or address nothing is invented", () => {
    const blind = { submittedAt: facts.submittedAt, verificationRoot: null }
    assert.deepStrictEqual(kinds(outcomeOfAnswer({ ...sale, taxRates: null }, saleAnswerText, blind)), [])
  })
})

describe("Texts that are no signed answer leave the outcome unknown", () => {
  it.each([
    ["empty", ""],
    ["null", "null"],
    ["an array", "[]"],
    ["HTML", "<!DOCTYPE html><h3>Server Error</h3>"],
    ["cut off", saleAnswerText.slice(0, -20)],
    ["with a NUL inside", `${saleAnswerText.slice(0, -1)}\0}`],
    ["with an escaped NUL inside", saleAnswerText.replace("ФИСКАЛНИ", "ФИСК\\u0000")],
    ["a number far too long", withMember("invoiceNumber", `YJLQTEQR-YJLQTEQR-${"1".repeat(90)}`)],
    ["without number", withMember("invoiceNumber", null)],
    ["without time", withMember("sdcDateTime", "soon")],
    ["without journal", withMember("journal", null)],
    ["without link", withMember("verificationUrl", "")],
    ["with a signature cut off and an unreadable link", JSON.stringify({ ...JSON.parse(saleAnswerText) as object, signature: btoa("x".repeat(255)), verificationUrl: "https://example.test/" })],
    ["without any signature", JSON.stringify({ ...JSON.parse(saleAnswerText) as object, signature: null, verificationUrl: "https://example.test/" })]
  ])("%s", (_, text) => {
    const outcome = outcomeOfAnswer(sale, text, facts)
    assert.strictEqual(outcome._tag, "NoAnswer")
    assert.notInclude(outcome._tag === "NoAnswer" ? outcome.foreignAnswer ?? "" : "", "\0")
  })
})

describe("Odd but honest spellings are read", () => {
  const pfrOf = (text: string) => {
    const outcome = outcomeOfAnswer(sale, text, facts)
    return outcome._tag === "Signed" ? outcome.answer.pfr : null
  }
  it.each([
    ["2023-06-06T13:21:15.504282+0200", "2023-06-06T13:21:15.504282+02:00"],
    ["2023-06-06T13:21:15.504282+02", "2023-06-06T13:21:15.504282+02:00"],
    ["2023-06-06 13:21:15.504282+02:00", "2023-06-06T13:21:15.504282+02:00"],
    ["2023-06-06T11:21:15.504282Z", "2023-06-06T11:21:15.504282Z"],
    ["2023-06-06T17:06:15.504282+05:45", "2023-06-06T17:06:15.504282+05:45"]
  ])("time %s", (written, read) => {
    const outcome = outcomeOfAnswer(sale, withMember("sdcDateTime", written), facts)
    assert.deepStrictEqual(kinds(outcome), [])
    assert.strictEqual(pfrOf(withMember("sdcDateTime", written))?.sdcTime, read)
  })

  it("a byte-order mark, PascalCase names, amounts as text, named category types", () => {
    assert.isNotNull(pfrOf(`\uFEFF${saleAnswerText}`))
    const pascal = saleAnswerText.replaceAll(/"([a-z])(\w*)":/g, (_, first: string, rest: string) => `"${first.toUpperCase()}${rest}":`)
    assert.deepStrictEqual(kinds(outcomeOfAnswer(sale, pascal, facts)), [])
    assert.deepStrictEqual(kinds(outcomeOfAnswer(sale, withMember("totalAmount", "68.46"), facts)), [])
    assert.deepStrictEqual(kinds(outcomeOfAnswer(sale, saleAnswerText.replace('"categoryType":0', '"categoryType":"TaxOnNet"'), facts)), [])
  })

  it("counters missing from their members come from the printed counter", () => {
    const { totalCounter: _, transactionTypeCounter: __, invoiceCounterExtension: ___, ...rest } = JSON.parse(saleAnswerText) as Record<string, unknown>
    const pfr = pfrOf(JSON.stringify(rest))
    assert.deepStrictEqual([pfr?.transactionTypeCounter, pfr?.totalCounter, pfr?.invoiceCounterExtension], [8652, 11389, "ПП"])
  })

  it("counters no counter can reach are none", () => {
    const pfr = pfrOf(withMember("totalCounter", 2 ** 32))
    assert.strictEqual(pfr?.totalCounter, 11389)
    assert.strictEqual(pfrOf(withMember("transactionTypeCounter", -1))?.transactionTypeCounter, 8652)
  })

  it("an amount beyond floating point stays exact", () => {
    const text = saleAnswerText.replace('"totalAmount":68.46', '"totalAmount":68.4600000000000001')
    assert.strictEqual(outcomeOfAnswer(sale, text, facts)._tag, "NoAnswer")
  })
})

describe("Our own tax arithmetic (V-PFR §6.2, vectors)", () => {
  const rates = [
    { label: "E", category: "STT", categoryType: 0, rate: decimal("6") },
    { label: "T", category: "TOTL", categoryType: 1, rate: decimal("2") },
    { label: "P", category: "PBL", categoryType: 2, rate: decimal("0.50") },
    { label: "Ж", category: "VAT", categoryType: 0, rate: decimal("19") },
    { label: "F", category: "ECAL", categoryType: 0, rate: decimal("11") }
  ] as const
  const taxed = (total: string, taxLabels: ReadonlyArray<string>) => ({
    ...withContent({ items: [{ ...line, quantity: Quantity.make(decimal("1")), unitPrice: Dinars.make(decimal(total)), taxLabels }] }),
    taxRates: { groupId: 5, validFrom: DateTime.makeUnsafe(0), rates }
  })
  it.each([
    ["33909.08", ["E", "T"], [["T", 664.8839], ["E", 1881.7469]]],
    ["1", ["P", "Ж"], [["P", 0.5], ["Ж", 0.0798]]],
    ["730", ["F"], [["F", 72.3423]]]
  ] as const)("%s under %s", (total, labels, taxes) => {
    const expected = taxed(total, labels)
    const items = taxes.map(([label, amount]) => ({ label, amount, rate: 1, categoryName: "x", categoryType: 0 }))
    const amount = BigInt(Math.round(Number(total) * 10_000))
    const text = JSON.stringify({
      ...JSON.parse(withLink((b) =>
        b.slice(0, 25) + String.fromCharCode(...Array.from({ length: 8 }, (_, i) => Number((amount >> BigInt(8 * i)) & 255n))) + b.slice(33)
      )) as object,
      totalAmount: Number(total),
      taxItems: items
    })
    const remarks = kinds(outcomeOfAnswer(expected, text, { ...facts, signerModulus: () => undefined }))
    assert.deepStrictEqual(remarks, ["JOURNAL_DIFFERS", "LINK_DIGEST_WRONG"])
  })
})
