import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result } from "effect"
import { formatDecimal, parseExactJson, readCategoryType, readSdcTime, readSignedAnswer, textField } from "@overa/domain"
import { saleAnswerText, saleLink } from "./verificationVectors.ts"

type Members = Readonly<Record<string, unknown>>
const whole = JSON.parse(saleAnswerText) as Members
/** The real answer with members changed; `undefined` leaves one out. */
const answerWith = (change: Members): string => JSON.stringify({ ...whole, ...change })
const read = (change: Members) => Result.getOrThrow(readSignedAnswer(answerWith(change)))
const reason = (text: string): string => {
  const result = readSignedAnswer(text)
  return Result.isFailure(result) ? result.failure.reason : "read"
}
const noLink = { verificationUrl: "https://example.test/" }

describe("What no receipt can do without (Decisions §4: a well-formed signed answer)", () => {
  it.each([
    ["a number", { invoiceNumber: "" }, "no usable invoiceNumber"],
    ["a number of at most 60 characters", { invoiceNumber: "7".repeat(61) }, "no usable invoiceNumber"],
    ["a number that is a text", { invoiceNumber: 11389 }, "no usable invoiceNumber"],
    ["a time", { sdcDateTime: null }, "no usable sdcDateTime"],
    ["an element", { ...noLink, requestedBy: null, invoiceNumber: "-YJLQTEQR-1" }, "no usable requestedBy or signedBy"],
    ["a signer", { ...noLink, signedBy: null }, "no usable requestedBy or signedBy"],
    ["an amount", { ...noLink, totalAmount: null }, "no usable totalAmount"],
    ["a link", { verificationUrl: null }, "no usable verificationUrl"],
    ["a journal", { journal: "" }, "no usable journal"],
    ["a signature, in its member or in the link", { ...noLink, signature: null }, "no signature"],
    ["a signature of 256 bytes", { ...noLink, signature: btoa("x".repeat(255)) }, "a signature that is not 256 bytes in base64, and no readable link"],
    ["a signature in base64", { ...noLink, signature: "Mw+IB0vgnaMjYrwA7m7zhtRseRIZ..." }, "a signature that is not 256 bytes in base64, and no readable link"]
  ])("%s", (_, change, expected) => {
    assert.strictEqual(reason(answerWith(change)), expected)
  })

  it("nor with a NUL character, plain or escaped, nor without being an object", () => {
    assert.match(reason(`${saleAnswerText}\0`), /^a NUL character/)
    assert.match(reason(saleAnswerText.replaceAll("NAVIPARTNER", "NAVI\\u0000")), /^a NUL character in journal and businessName and locationName, /)
    for (const text of ["[]", "null", "5", "\"text\"", "12345678901234567890", ""]) assert.strictEqual(reason(text), "not a JSON object")
  })

  it("but with the letters of an escaped NUL as a shop printed them: a backslash in a name is escaped itself", () => {
    for (const name of ["Majica\\u0000", "\\\\u0000", "\\u0000"]) {
      const journal = `${String(whole["journal"])}${name}`
      assert.strictEqual(read({ journal }).answer.pfr.journal, journal)
      assert.match(reason(answerWith({ journal: `${journal}\0` })), /^a NUL character in journal/)
    }
  })

  it("but a number of 60 characters, and a signature in only one of its two places, are enough", () => {
    assert.strictEqual(read({ invoiceNumber: "7".repeat(60) }).answer.pfr.invoiceNumber, "7".repeat(60))
    assert.isNull(read({ signature: null }).answer.signature)
    assert.isTrue(Result.isFailure(read(noLink).link))
  })
})

describe("What the answer leaves out is taken from where else it stands (V-PFR §3, §7.1)", () => {
  const without = (...names: ReadonlyArray<string>): Members => Object.fromEntries(names.map((name) => [name, undefined]))

  it("element, signer and amount from the link", () => {
    const { pfr } = read(without("requestedBy", "signedBy", "totalAmount")).answer
    assert.deepStrictEqual([pfr.requestedBy, pfr.signedBy, formatDecimal(pfr.totalAmount)], ["YJLQTEQR", "YJLQTEQR", "68.46"])
  })

  it("the element from the number, where the link cannot be read", () => {
    const { pfr } = read({ ...noLink, requestedBy: null, invoiceNumber: "ABCD1234-YJLQTEQR-7" }).answer
    assert.strictEqual(pfr.requestedBy, "ABCD1234")
  })

  const counters = (change: Members) => {
    const { pfr } = read({ ...without("totalCounter", "transactionTypeCounter", "invoiceCounterExtension"), ...change }).answer
    return [pfr.transactionTypeCounter, pfr.totalCounter, pfr.invoiceCounterExtension]
  }
  it.each([
    ["their own members first", { totalCounter: 3, transactionTypeCounter: 2, invoiceCounterExtension: "NS", invoiceCounter: "8/9ПП" }, [2, 3, "NS"]],
    ["the printed counter", { invoiceCounter: "123/4567ПП" }, [123, 4567, "ПП"]],
    ["a printed counter with a blank before its mark", { invoiceCounter: "123/4567 NS" }, [123, 4567, "NS"]],
    ["a printed counter without a mark", { invoiceCounter: "123/4567" }, [123, 4567, null]],
    ["the link, where nothing is printed", { invoiceCounter: undefined }, [8652, 11389, null]],
    ["the link, where the print is none", { invoiceCounter: "№123/4567ПП" }, [8652, 11389, null]],
    ["the link, where digits follow the mark", { invoiceCounter: "123/4567ПП8" }, [8652, 11389, null]],
    ["the link, where half of it is missing", { invoiceCounter: "123/ПП" }, [8652, 11389, null]],
    ["nowhere, without a link", { ...noLink, invoiceCounter: undefined }, [null, null, null]]
  ])("counters and mark: %s", (_, change, expected) => {
    assert.deepStrictEqual(counters(change), expected)
  })

  it("a counter is an unsigned 32-bit number; what is not is left out", () => {
    const total = (totalCounter: unknown) => read({ ...noLink, invoiceCounter: undefined, totalCounter }).answer.pfr.totalCounter
    assert.deepStrictEqual([0, 2 ** 32 - 1, "7", 2 ** 32, -1, 1.5, "x", null].map(total), [0, 2 ** 32 - 1, 7, null, null, null, null, null])
    assert.strictEqual(read({ totalCounter: null, invoiceCounter: `1/${2 ** 32}ПП` }).answer.pfr.totalCounter, 11389)
  })
})

describe("Tax items (V-PFR §3)", () => {
  const item = { label: "F", amount: 72.3423, rate: 11, categoryName: "ECAL", categoryType: 0 }
  const taxes = (taxItems: unknown) => {
    const { answer, taxesComplete } = read({ taxItems })
    return {
      complete: taxesComplete,
      total: answer.pfr.totalTax === null ? null : formatDecimal(answer.pfr.totalTax),
      taxes: answer.taxes.map((tax) => `${tax.label} ${formatDecimal(tax.amount)} ${formatDecimal(tax.rate)} ${tax.category} ${tax.categoryType}`)
    }
  }

  it("are read with their exact amounts, which sum to the total tax", () => {
    const other = { label: "P", amount: "0.5000", rate: 0.5, categoryName: "PBL", categoryType: 2 }
    assert.deepStrictEqual(taxes([item, other]), { complete: true, total: "72.8423", taxes: ["F 72.3423 11 ECAL 0", "P 0.5 0.5 PBL 2"] })
    assert.deepStrictEqual(taxes([]), { complete: true, total: "0", taxes: [] })
  })

  it("are at most five hundred; of more none is read", () => {
    const of = (count: number) => read({ taxItems: Array.from({ length: count }, () => item) })
    assert.deepStrictEqual([of(500), of(501)].map(({ answer, taxesComplete }) => [answer.taxes.length, taxesComplete]), [[500, true], [0, false]])
  })

  it("a category may lack its name; a type that is none counts as a tax on the net", () => {
    assert.deepStrictEqual(taxes([{ ...item, categoryName: undefined, categoryType: 7 }]).taxes, ["F 72.3423 11  0"])
  })

  it.each([
    ["none at all", undefined, []],
    ["no list", { 0: item }, []],
    ["no label", [item, { ...item, label: "" }], ["F 72.3423 11 ECAL 0"]],
    ["no amount", [{ ...item, amount: "much" }, item], ["F 72.3423 11 ECAL 0"]],
    ["no rate", [{ ...item, rate: null }], []],
    ["a number instead of an item", [5, item], ["F 72.3423 11 ECAL 0"]],
    ["nothing instead of an item", [null], []],
    ["a list instead of an item", [[item]], []]
  ])("with %s there is no total tax", (_, items, readable) => {
    assert.deepStrictEqual(taxes(items), { complete: false, total: null, taxes: readable })
  })

  it.each([
    [0, 0], [1, 1], [2, 2], ["1", 1], ["TaxOnNet", 0], ["taxontotal", 1], ["AmountPerQuantity", 2],
    [3, null], [-1, null], ["", null], ["Tax", null], [null, null], [true, null]
  ] as const)("category type %s is %s", (written, type) => {
    assert.strictEqual(readCategoryType({ categoryType: written }), type)
    assert.strictEqual(readCategoryType({ CategoryType: written }), type)
  })
})

describe("The rest of the answer", () => {
  it("is kept as written, or null", () => {
    const { answer, sdcTimeMillis } = read({})
    assert.deepStrictEqual(
      [answer.taxGroupRevision, answer.businessName, answer.tin, answer.encryptedInternalData, answer.signature],
      [5, "NAVIPARTNER", "RS111911206", whole["encryptedInternalData"], whole["signature"]]
    )
    assert.strictEqual(answer.pfr.verificationUrl, saleLink)
    assert.strictEqual(sdcTimeMillis, Date.parse("2023-06-06T11:21:15.504Z"))
    const bare = read({ taxGroupRevision: null, businessName: 5, tin: "", encryptedInternalData: undefined }).answer
    assert.deepStrictEqual([bare.taxGroupRevision, bare.businessName, bare.tin, bare.encryptedInternalData], [null, null, null, null])
  })

  it("a text is a text that is not empty, under its camelCase name or else its PascalCase one", () => {
    assert.strictEqual(textField({ tin: "1", Tin: "2" }, "tin"), "1")
    assert.strictEqual(textField({ Tin: "2" }, "tin"), "2")
    assert.strictEqual(textField({ tin: null, Tin: "2" }, "tin"), "2")
    for (const value of ["", 5, true, [], {}, BigDecimal.fromBigInt(5n)]) assert.isNull(textField({ tin: value }, "tin"))
  })

  it("exact numbers stay numbers only among numbers: texts, lists, truth and nothing are kept beside a long one", () => {
    const body = parseExactJson(String.raw`{"long":1234567890.123456789,"t":"7","l":[true,null,0.5]}`) as { t: unknown; l: ReadonlyArray<unknown> }
    assert.strictEqual(body.t, "7")
    assert.deepStrictEqual(body.l.slice(0, 2), [true, null])
    assert.isTrue(BigDecimal.isBigDecimal(body.l[2]))
  })
})

describe("PFR times (V-PFR §3)", () => {
  it.each([
    ["2023-06-06T13:21:15.504282+02:00", "2023-06-06T13:21:15.504282+02:00", "2023-06-06T11:21:15.504Z"],
    [" 2023-06-06T13:21:15+02:00\n", "2023-06-06T13:21:15+02:00", "2023-06-06T11:21:15.000Z"],
    ["2023-06-06T13:21:15.123456789-0330", "2023-06-06T13:21:15.123456789-03:30", "2023-06-06T16:51:15.123Z"],
    ["2023-06-06T11:21:15z", "2023-06-06T11:21:15Z", "2023-06-06T11:21:15.000Z"],
    ["2023-03-26T01:30:00", "2023-03-26T01:30:00+01:00", "2023-03-26T00:30:00.000Z"],
    ["2023-03-26T03:30:00", "2023-03-26T03:30:00+02:00", "2023-03-26T01:30:00.000Z"],
    ["2024-02-29 17:07:27.4551405", "2024-02-29T17:07:27.4551405+01:00", "2024-02-29T16:07:27.455Z"]
  ])("%s", (written, time, instant) => {
    const read = readSdcTime(written)
    assert.strictEqual<string | undefined>(read?.time, time)
    assert.strictEqual(new Date(read?.millis ?? 0).toISOString(), instant)
  })

  it.each([
    ["the first of the two hours, where nothing else is known", null, "+02:00"],
    ["the hour that the link signs, here the second", "2026-10-25T01:30:15.504Z", "+01:00"],
    ["the hour that the link signs, here the first", "2026-10-25T00:30:15.504Z", "+02:00"],
    ["the first hour, where the link signs another time", "2026-10-25T05:30:15.504Z", "+02:00"]
  ])("half past two on the day summer time ends, without offset, is %s", (_, signed, offset) => {
    const millis = signed === null ? null : Date.parse(signed)
    const time = readSdcTime("2026-10-25T02:30:15.5042829", millis)
    assert.strictEqual<string | undefined>(time?.time, `2026-10-25T02:30:15.5042829${offset}`)
    assert.strictEqual(time?.offset, "ASSUMED")
    assert.strictEqual(readSdcTime("2026-10-25T02:30:15+01:00", millis)?.offset, "WRITTEN")
  })

  it.each([
    "", "soon", "2023-06-06", "2023-06-06T13:21+02:00", "2023-06-06T13:21:15.+02:00", "2023-06-06T13:21:15.1234567890Z",
    "2023-13-06T13:21:15Z", "2023-06-06T25:21:15Z", "2023-13-06T13:21:15", "2023-06-06T13:21:15+2:00", "2023-06-06T13:21:15+02:000",
    "x2023-06-06T13:21:15Z", "2023-06-06T13:21:15 Z"
  ])("%s is none", (written) => {
    assert.isNull(readSdcTime(written))
  })
})
