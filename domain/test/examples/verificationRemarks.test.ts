import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { belgradeTime, decodeVerificationLink, type ExpectedAnswer, outcomeOfAnswer, Quantity, Dinars, searchOutcomeOfAnswer } from "@overa/domain"
import { decimal, facts, line, sale, vat } from "./verificationSale.ts"
import { proformaLink, saleAnswerText, sandboxTin } from "./verificationVectors.ts"

type Members = Readonly<Record<string, unknown>>
const whole = JSON.parse(saleAnswerText) as Members & { readonly journal: string; readonly signature: string }
const answerWith = (change: Members): string => JSON.stringify({ ...whole, ...change })

/** The remarks on an answer in words, or why it does not belong to the request. */
const said = (text: string, expected: ExpectedAnswer = sale, known: Parameters<typeof outcomeOfAnswer>[2] = facts): ReadonlyArray<string> => {
  const outcome = outcomeOfAnswer(expected, text, known)
  if (outcome._tag === "Signed") return outcome.remarks.map((remark) => `${remark.kind}: ${remark.detail}`)
  return outcome._tag === "NoAnswer" ? [outcome.detail] : [outcome._tag]
}
const noLink = { verificationUrl: "https://example.test/" }
const linkRemark = "LINK_UNREADABLE: no base64 after vl="
const tax = { label: "A", amount: 5.6527, rate: 9, categoryName: "VAT", categoryType: 0 }

describe("Decisions §4: a remark says in words what differs, for the person who looks", () => {
  it.each([
    ["another tax amount", { taxItems: [{ ...tax, amount: 5.65 }] }, ["TAX_DIFFERS: label A: signed 5.6500, own 5.6527"]],
    ["a tax of a label that was not sent", { taxItems: [tax, { ...tax, label: "B", amount: 0 }] }, ["TAX_DIFFERS: label B: signed 0.0000, own nothing"]],
    ["no tax at all", { taxItems: [] }, ["TAX_DIFFERS: label A: signed nothing, own 5.6527"]],
    ["one tax item too many to be read", { taxItems: [tax, { label: "A" }] }, ["TAX_DIFFERS: the answer's tax items are missing or malformed"]],
    ["a journal without the number", { journal: "ФИСКАЛНИ РАЧУН" }, ["JOURNAL_DIFFERS: the journal does not print YJLQTEQR-YJLQTEQR-11389"]],
    ["a number that is not made of its parts", { invoiceNumber: "YJLQTEQR-YJLQTEQR-1138" }, ["COUNTERS_DIFFER: number YJLQTEQR-YJLQTEQR-1138, but its parts make YJLQTEQR-YJLQTEQR-11389"]],
    ["an unknown mark", { invoiceCounterExtension: "??" }, ["COUNTERS_DIFFER: mark ?? is unknown; ПП was expected"]],
    ["an unreadable link", noLink, [linkRemark]],
    ["another signer", { signedBy: "AAAAAAAA", invoiceNumber: "YJLQTEQR-AAAAAAAA-11389", journal: "YJLQTEQR-AAAAAAAA-11389" }, ["LINK_DIFFERS: signedBy: AAAAAAAA, in the link YJLQTEQR"]],
    ["another counter of its kind", { transactionTypeCounter: 1 }, ["JOURNAL_DIFFERS: the journal prints 8652/11389ПП, and the counter is 1/11389", "LINK_DIFFERS: transactionTypeCounter: 1, in the link 8652"]],
    ["a journal of another amount", { journal: whole.journal.replace("износ:                      68,46", "износ:                      68,47") }, ["JOURNAL_DIFFERS: the journal prints 68.47"]],
    ["a journal of another time", { journal: whole.journal.replace("13:21:15", "13:21:16") }, ["JOURNAL_DIFFERS: the journal prints 06.06.2023. 13:21:16, and the signing time is 06.06.2023. 13:21:15"]],
    ["another time", { sdcDateTime: "2023-06-06T13:21:15.505+02:00" }, ["LINK_DIFFERS: sdcTime: 1686050475505, in the link 1686050475504"]],
    ["other internal data", { encryptedInternalData: "AAAA" }, ["LINK_DIFFERS: encryptedInternalData is not the link's"]],
    ["the beginning of the signature", { signature: btoa(atob(whole.signature).slice(0, 255)) }, ["LINK_DIFFERS: signature is not the link's"]],
    ["a signature that is no base64", { signature: "???" }, ["LINK_DIFFERS: signature is not the link's"]],
    ["another TIN", { tin: "RS000000000" }, ["SIGNATURE_WRONG: does not verify under the key known for YJLQTEQR"]]
  ])("%s", (_, change, remarks) => {
    assert.deepStrictEqual(said(answerWith(change)), remarks)
  })

  it("what the answer leaves out is not held against it", () => {
    assert.deepStrictEqual(said(answerWith({ signature: null, encryptedInternalData: null })), [])
    assert.deepStrictEqual(said(answerWith({ tin: null })), [])
    const withoutCounters = { invoiceCounter: null, invoiceCounterExtension: null, totalCounter: null, transactionTypeCounter: null }
    assert.deepStrictEqual(said(answerWith(withoutCounters)), [])
    assert.deepStrictEqual(said(answerWith({ ...withoutCounters, ...noLink })), [linkRemark])
  })

  it("taxes that cannot be read are remarked on although there are no rates to compare them with", () => {
    assert.deepStrictEqual(said(answerWith({ taxItems: null }), { ...sale, taxRates: null }), ["TAX_DIFFERS: the answer's tax items are missing or malformed"])
  })

  it("the digest is computed by the host's MD5 where it brings one", () => {
    const md5 = () => new Uint8Array(16)
    assert.deepStrictEqual(said(saleAnswerText, sale, { ...facts, md5 }), ["LINK_DIGEST_WRONG: its MD5 is not that of its bytes"])
  })

  it("the link's address is compared with the environment's", () => {
    assert.deepStrictEqual(said(saleAnswerText, sale, { ...facts, verificationRoot: "https://suf.purs.gov.rs/v/?vl=" }), [
      "VERIFICATION_HOST_DIFFERS: https://sandbox.suf.purs.gov.rs/v/?vl=, not https://suf.purs.gov.rs/v/?vl="
    ])
  })
})

describe("The journal prints this receipt's number and kind (V-PFR §8.1, §8.3)", () => {
  const withJournal = (change: (journal: string) => string) => said(answerWith({ journal: change(whole.journal) }))
  const typeLine = "-------------ПРОМЕТ ПРОДАЈА-------------"

  it("a number cut hard at column 40 is still printed", () => {
    assert.deepStrictEqual(withJournal((text) => text.replace("YJLQTEQR-11389", "YJLQTEQR-113\r\n89")), [])
  })

  it.each([
    ["of another type", "-------------АВАНС ПРОДАЈА--------------", "АВАНС ПРОДАЈА"],
    ["of another transaction", "-----------ПРОМЕТ РЕФУНДАЦИЈА-----------", "ПРОМЕТ РЕФУНДАЦИЈА"],
    ["of another type and transaction", "-----------КОПИЈА РЕФУНДАЦИЈА-----------", "КОПИЈА РЕФУНДАЦИЈА"]
  ])("a type line %s is remarked on", (_, printed, kind) => {
    assert.deepStrictEqual(withJournal((text) => text.replace(typeLine, printed)), [`JOURNAL_DIFFERS: the journal says ${kind}`])
  })

  it("a journal in another language has no such line, and an item's name is none", () => {
    assert.deepStrictEqual(withJournal((text) => text.replace(typeLine, "---------------NORMAL SALE--------------")), [])
    assert.deepStrictEqual(withJournal((text) => text.replace(typeLine, "").replace("Sport-100 Helmet", "АВАНС ПРОДАЈА")), [])
  })
})

describe("Decisions §4: the signing time, to the millisecond, in answer and link", () => {
  const at = (submittedAt: string, change: Members = {}) =>
    outcomeOfAnswer(sale, answerWith(change), { ...facts, submittedAt: DateTime.makeUnsafe(submittedAt) })._tag

  it("five minutes before the submission is still ours, a millisecond more is not", () => {
    assert.strictEqual(at("2023-06-06T11:26:15.504Z"), "Signed")
    assert.strictEqual(at("2023-06-06T11:26:15.505Z"), "NoAnswer")
    const readLater = { ...noLink, sdcDateTime: "2023-06-06T11:21:15.504Z" }
    assert.strictEqual(at("2023-06-06T11:26:15.504Z", readLater), "Signed")
    assert.strictEqual(at("2023-06-06T11:26:15.505Z", readLater), "NoAnswer")
  })

  it("the answer's own time alone can make it another's, and so can the link's", () => {
    assert.strictEqual(at("2023-06-06T11:21:14Z", { sdcDateTime: "2023-06-06T10:21:15Z" }), "NoAnswer")
    assert.strictEqual(at("2023-06-06T11:56:15Z", { sdcDateTime: "2023-06-06T11:56:15Z" }), "NoAnswer")
  })
})

describe("A receipt without a buyer: the real proforma (V-PFR §3.1, end)", () => {
  const link = Result.getOrThrow(decodeVerificationLink(proformaLink))
  const text = JSON.stringify({
    requestedBy: "YJLQTEQR",
    signedBy: "YJLQTEQR",
    sdcDateTime: belgradeTime(DateTime.makeUnsafe(link.sdcTimeMillis)),
    invoiceCounter: "25734/92455РП",
    invoiceNumber: "YJLQTEQR-YJLQTEQR-92455",
    taxItems: [{ categoryType: 0, label: "F", amount: 72.3423, rate: 11, categoryName: "ECAL" }],
    verificationUrl: proformaLink,
    journal: "-----------ПРЕДРАЧУН ПРОДАЈА------------\r\nПФР број рачуна: YJLQTEQR-YJLQTEQR-92455\r\n",
    totalAmount: 730,
    tin: sandboxTin
  })
  const known = { ...facts, submittedAt: DateTime.makeUnsafe(link.sdcTimeMillis) }
  const proforma = (buyer: ExpectedAnswer["content"]["buyer"]): ExpectedAnswer => ({
    jid: "YJLQTEQR",
    taxRates: { groupId: 8, validFrom: DateTime.makeUnsafe(0), rates: [{ ...vat, label: "F", category: "ECAL", rate: decimal("11") }] },
    content: {
      ...sale.content,
      invoiceType: "PROFORMA",
      buyer,
      items: [{ ...line, quantity: Quantity.make(decimal("1")), unitPrice: Dinars.make(decimal("730")), taxLabels: ["F"] }]
    }
  })

  it("is ours, with its digest, signature, taxes and counters in order", () => {
    for (const buyer of [null, { id: null, optionalField: "20:1" }]) assert.deepStrictEqual(said(text, proforma(buyer), known), [])
  })

  it("is another's where a buyer was sent", () => {
    assert.deepStrictEqual(said(text, proforma({ id: "10:101670560", optionalField: null }), known), [
      "the answer is not to this request: buyerId of the link is none, sent was 10:101670560"
    ])
  })
})

describe("Decisions §4: what was answered is kept as evidence, without NUL", () => {
  const kept = (text: string) => {
    const outcome = outcomeOfAnswer(sale, text, facts)
    return outcome._tag === "NoAnswer" ? outcome.foreignAnswer : "signed"
  }
  it("an empty body is nothing to keep, any other text is", () => {
    assert.isNull(kept(""))
    assert.strictEqual(kept("<h3>Server Error</h3>"), "<h3>Server Error</h3>")
    assert.strictEqual(kept("a\0b"), "a\uFFFDb")
  })

  it("a search says why a text is no answer, and keeps another's receipt with every reason", () => {
    assert.deepStrictEqual(searchOutcomeOfAnswer(sale, "{}", facts), {
      _tag: "NoAnswer",
      detail: "the found text is not a signed answer: no usable invoiceNumber"
    })
    assert.deepStrictEqual(searchOutcomeOfAnswer({ ...sale, jid: "AAAAAAAA" }, saleAnswerText, facts), {
      _tag: "FoundForeign",
      text: saleAnswerText,
      detail: "requestedBy of the answer is YJLQTEQR, sent was AAAAAAAA; requestedBy of the link is YJLQTEQR, sent was AAAAAAAA"
    })
    for (const nothing of ["", " \r\n", "null", " null\n"]) assert.strictEqual(searchOutcomeOfAnswer(sale, nothing, facts)._tag, "NothingFound")
  })
})
