import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { outcomeOfSearch, outcomeOfSubmission } from "../src/answerText.ts"
import { composeInvoiceRequest } from "../src/composeInvoiceRequest.ts"
import { content, invoice, jid } from "./support/farEnd.ts"
import { signedAnswer } from "./support/signedAnswer.ts"

const facts = { submittedAt: DateTime.makeUnsafe(Date.now()), verificationRoot: "https://pfr.test/v/?vl=" }
const signedText = JSON.stringify(signedAnswer(composeInvoiceRequest(content(), "sandbox"), jid, 7))

interface Shape {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly whole?: boolean
}
const answered = ({ body = "", headers = { "content-type": "application/json" }, status = 200, whole = true }: Shape) => ({
  _tag: "Answered" as const,
  status,
  headers,
  body: Buffer.from(body),
  whole
})
const submission = (shape: Shape) => outcomeOfSubmission(invoice(), answered(shape), facts)
const search = (shape: Shape) => outcomeOfSearch(invoice(), answered(shape), facts)
const codeOf = (outcome: ReturnType<typeof submission>) =>
  outcome._tag === "NotSent"
    ? `${outcome._tag} ${outcome.failureCode} ${outcome.elementRefused ? "refused" : ""}`.trim()
    : outcome._tag === "NoAnswer"
    ? `${outcome._tag} ${outcome.failureCode}`
    : outcome._tag
const modelState = (...entries: ReadonlyArray<readonly [string, ...Array<string>]>) =>
  JSON.stringify({ message: "The request is invalid.", modelState: entries.map(([property, ...errors]) => ({ property, errors })) })

const refused = "NotSent PFR_SECURITY_ELEMENT_UNAVAILABLE refused"
const unknown = "NoAnswer OUTCOME_UNKNOWN"

describe("What an answer to a submission proves (Decisions §4)", () => {
  const cases: ReadonlyArray<readonly [string, Shape, string]> = [
    ["200 signed", { body: signedText }, "Signed"],
    ["201 signed", { status: 201, body: signedText }, "Signed"],
    ["200 signed, content type of a web page", { body: signedText, headers: { "content-type": "text/html" } }, "Signed"],
    ["200 signed, no content type", { body: signedText, headers: {} }, "Signed"],
    ["200 signed, end known by closing only", { body: signedText, whole: false }, "Signed"],
    ["200 signed, gzip", { body: gzipSync(signedText), headers: { "content-encoding": "gzip" } }, "Signed"],
    ["200 signed, gzip by its old name", { body: gzipSync(signedText), headers: { "content-encoding": "x-gzip" } }, "Signed"],
    ["200 signed, deflate", { body: deflateSync(signedText), headers: { "content-encoding": "deflate" } }, "Signed"],
    ["200 signed, deflate without the zlib format around it", { body: deflateRawSync(signedText), headers: { "content-encoding": "deflate" } }, "Signed"],
    ["200 signed, brotli", { body: brotliCompressSync(signedText), headers: { "content-encoding": "br" } }, "Signed"],
    ["200 signed, UTF-16 with a mark", { body: Buffer.from(`\uFEFF${signedText}`, "utf16le") }, "Signed"],
    ["200 signed, UTF-8 with a mark", { body: `\uFEFF${signedText}` }, "Signed"],
    ["200 signed, unknown encoding", { body: signedText, headers: { "content-encoding": "zstd" } }, unknown],
    ["200 signed, damaged gzip", { body: gzipSync(signedText).subarray(0, 100), headers: { "content-encoding": "gzip" } }, unknown],
    ["200, a gzip bomb", { body: gzipSync(Buffer.alloc(5_000_000)), headers: { "content-encoding": "gzip" } }, unknown],
    ["200 signed, bytes that are no UTF-8", { body: Buffer.concat([Buffer.from(signedText), Buffer.of(0xff)]) }, unknown],
    ["200 empty", { body: "" }, unknown],
    ["200 null", { body: "null" }, unknown],
    ["200 cut off", { body: signedText.slice(0, -1) }, unknown],
    ["200 HTML", { body: "<!DOCTYPE html><h3>Runtime Error</h3>" }, unknown],
    ["200 a rejection", { body: modelState(["invoiceType", "2805"]) }, unknown],
    ["204", { status: 204 }, unknown],
    ["301", { status: 301 }, unknown],
    ["400 with 2310", { status: 400, body: modelState(["items[0].labels[0]", "2310"]) }, "Rejected"],
    ["400 with 28xx", { status: 400, body: modelState(["items[0].gtin", "2803"], ["invoiceType", "2805", "2800"]) }, "Rejected"],
    ["400 with codes as numbers", { status: 400, body: '{"modelState":[{"property":"items","errors":[2807]}]}' }, "Rejected"],
    ["400 in PascalCase", { status: 400, body: '{"Message":"x","ModelState":[{"Property":"items","Errors":["2807"]}]}' }, "Rejected"],
    ["400 as an object of lists", { status: 400, body: '{"modelState":{"items[0].name":["2800"]}}' }, "Rejected"],
    ["400 as text of one code", { status: 400, body: '"2800"', headers: { "content-type": "text/plain" } }, "Rejected"],
    ["400 not read whole", { status: 400, body: modelState(["items", "2807"]), whole: false }, unknown],
    ["400 with another code beside", { status: 400, body: modelState(["items", "2807", "9999"]) }, unknown],
    ["400 with words for a code", { status: 400, body: modelState(["items", "required"]) }, unknown],
    ["400 with an empty code", { status: 400, body: modelState(["items", ""]) }, unknown],
    ["400 with no codes", { status: 400, body: modelState(["items"]) }, unknown],
    ["400 with an empty modelState", { status: 400, body: modelState() }, unknown],
    ["400 with a message only", { status: 400, body: '{"Message":"An error has occurred."}' }, unknown],
    ["400 empty", { status: 400, body: "" }, unknown],
    ["400 cut off", { status: 400, body: modelState(["items", "2807"]).slice(0, -3) }, unknown],
    ["400 with 1300 as text", { status: 400, body: "1300" }, unknown],
    ["400 with 2400", { status: 400, body: modelState(["", "2400"]) }, refused],
    ["400 with 2210", { status: 400, body: modelState(["", "2210"]) }, refused],
    ["400 with 2220", { status: 400, body: modelState(["", "2220"]) }, refused],
    ["400 with 2230", { status: 400, body: modelState(["", "2230"]) }, refused],
    ["400 with 2809 among others", { status: 400, body: modelState(["items", "2807"], ["", "2809"]) }, refused],
    ["400 with 2400 as text", { status: 400, body: "2400" }, refused],
    ["400 naming the PAC in a message", { status: 400, body: '{"Message":"PAC header is missing."}' }, refused],
    ["400 naming the PAC on a page", { status: 400, body: "<!DOCTYPE html><h3>Invalid PAC</h3>" }, refused],
    ["400 naming the PAC as a property", { status: 400, body: modelState(["PAC", "2800"]) }, refused],
    ["400 with PAC inside another word", { status: 400, body: '{"Message":"CAPACITY exceeded"}' }, unknown],
    ["401", { status: 401, body: "<html>" }, refused],
    ["403", { status: 403 }, refused],
    ["403 with a page in an unknown encoding", { status: 403, body: Buffer.of(0xcf, 0xf0, 0xff) }, refused],
    ["406", { status: 406 }, refused],
    ["403 not read whole", { status: 403, whole: false }, unknown],
    ["404", { status: 404 }, unknown],
    ["408", { status: 408 }, unknown],
    ["409", { status: 409, body: modelState(["items", "2807"]) }, unknown],
    ["429", { status: 429 }, unknown],
    ["500", { status: 500, body: modelState(["items", "2807"]) }, unknown],
    ["502", { status: 502, body: "<html>Bad Gateway</html>" }, unknown],
    ["503", { status: 503, body: "2400" }, unknown]
  ]
  it.each(cases)("%s", (_, shape, expected) => {
    assert.strictEqual(codeOf(submission(shape)), expected)
  })

  it("UTF-8 is read as UTF-8, whatever charset a header claims; another charset is read by its header", () => {
    const journalIn = (charset: string, body: string | Buffer) => {
      const outcome = submission({ body, headers: { "content-type": `application/json; charset=${charset}` } })
      return outcome._tag === "Signed" ? outcome.answer.pfr.journal : assert.fail(outcome._tag)
    }
    const { journal } = JSON.parse(signedText) as { readonly journal: string }
    assert.match(journal, /ФИСКАЛНИ/)
    for (const charset of ["iso-8859-1", "windows-1251", "utf-16", "us-ascii"]) assert.strictEqual(journalIn(charset, signedText), journal, charset)
    assert.strictEqual(journalIn("utf-16le", Buffer.from(signedText, "utf16le")), journal)
    const latin = signedText.replace("ФИСКАЛНИ", "F\u00eeSKALNI").replaceAll(/[^ -\u00ff]/g, "x")
    assert.include(journalIn("iso-8859-1", Buffer.from(latin, "latin1")), "F\u00eeSKALNI")
  })

  it("a body that is no receipt is kept, an empty one and an error page are not", () => {
    const evidence = (shape: Shape) => {
      const outcome = submission(shape)
      return outcome._tag === "NoAnswer" ? outcome.foreignAnswer : assert.fail(outcome._tag)
    }
    assert.strictEqual(evidence({ body: "{}" }), "{}")
    assert.isNull(evidence({ body: "" }))
    assert.isNull(evidence({ status: 500, body: "<html>" }))
  })
})

describe("A rejection in the caller's own words (Spec, FiscalDocument, pfrRejection)", () => {
  const itemsOf = (body: string) => {
    const outcome = submission({ status: 400, body })
    return outcome._tag === "Rejected" ? outcome.rejection.items : assert.fail(outcome._tag)
  }
  it.each([
    ["items[0].labels[0]", "items[0].taxLabels[0]"],
    ["Items[3].UnitPrice", "items[3].unitPrice"],
    ["items[12].gtin", "items[12].gtin"],
    ["items[0].totalAmount", "items[0].totalAmount"],
    ["items", "items"],
    ["payment[0].amount", "payments[0].amount"],
    ["payment[1].paymentType", "payments[1].type"],
    ["payment", "payments"],
    ["buyerId", "buyer.id"],
    ["buyerCostCenterId", "buyer.optionalField"],
    ["cashier", "cashier.id"],
    ["referentDocumentNumber", "reference.pfrNumber"],
    ["referentDocumentDT", "reference.pfrTime"],
    ["invoiceNumber", "invoiceNumber"],
    ["invoiceType", "invoiceType"],
    ["options.omitQRCodeGen", "options.omitQRCodeGen"],
    ["items[0].labels[0].x", "items[0].labels[0].x"],
    ["", ""],
    ["a\u0000b\nc", "a\uFFFDb\uFFFDc"],
    ["constructor", "constructor"],
    ["items[0].constructor", "items[0].constructor"]
  ])("%s is %s", (property, expected) => {
    assert.deepStrictEqual(itemsOf(modelState([property, "2800"])), [{ property: expected, codes: ["2800"] }])
  })

  it("keeps order, at most 10 fields of 5 codes, paths of 120 characters", () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      [`${index}${"ш".repeat(200)}`, "2800", "2801", "2802", "2803", "2804", "2805"] as const)
    const items = itemsOf(modelState(...many))
    assert.strictEqual(items.length, 10)
    assert.deepStrictEqual(items[0]?.codes, ["2800", "2801", "2802", "2803", "2804"])
    assert.strictEqual([...(items[9]?.property ?? "")].length, 120)
  })
})

describe("What an answer to a search shows (V-PFR §1.6): nothing found is never 'not issued'", () => {
  it.each<readonly [string, Shape, string]>([
    ["200 with the receipt", { body: signedText }, "Found"],
    ["200 null", { body: "null" }, "NothingFound"],
    ["200 empty", { body: "" }, "NothingFound"],
    ["204", { status: 204 }, "NothingFound"],
    ["404", { status: 404, body: "<html>" }, "NothingFound"],
    ["404 with a page in an unknown encoding", { status: 404, body: Buffer.of(0xcf, 0xf0, 0xff) }, "NothingFound"],
    ["200 empty, end unknown", { body: "", whole: false }, "NoAnswer"],
    ["404, end unknown", { status: 404, whole: false }, "NoAnswer"],
    ["200 of another shape", { body: "[]" }, "NoAnswer"],
    ["200 with another's receipt", { body: signedText.replaceAll(jid, "OTHERJID") }, "FoundForeign"],
    ["401", { status: 401 }, "NoAnswer"],
    ["500", { status: 500 }, "NoAnswer"],
    ["200 damaged", { body: Buffer.of(0xff, 0xff, 0x80) }, "NoAnswer"]
  ])("%s", (_, shape, expected) => {
    assert.strictEqual(search(shape)._tag, expected)
  })
})
