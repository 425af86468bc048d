import { Result } from "effect"
import * as fc from "fast-check"
import { type IssuerTexts, readIssuer } from "../../src/billing/readIssuer.ts"
import { readPrice, readVatRate } from "../../src/billing/PriceList.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { issuer, paras, parasOf, price, vatRate } from "../arbitraries/Billing.ts"
import { rule } from "./ruleBook.ts"

rule("BILLING-8", {
  says: "A price or rate is read exactly as it was written, with a point or a comma; what could mean two amounts is refused.",
  source: "Decisions §1, Numbers; docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  holds("a price", { given: price, mark: fc.constantFrom(".", ",") }, ({ given, mark }) =>
    parasOf(readPrice(formatDecimal(given, 2).replace(".", mark)) ?? paras(-1)) === parasOf(given))
  holds("a rate", { given: vatRate, mark: fc.constantFrom(".", ",") }, ({ given, mark }) =>
    parasOf(readVatRate(formatDecimal(given, 2).replace(".", mark)) ?? paras(-1)) === parasOf(given))
  holdsForEvery("whole numbers and one decimal", [["7", 700n], ["19", 1_900n], ["9,5", 950n], ["20.0", 2_000n]] as const, ([text, value]) =>
    [readPrice(text), readVatRate(text)].every((read) => read !== null && parasOf(read) === value))
  holdsForEvery("what is neither", ["", "1.990", "1.990,00", "-1", "1e3", "0x1", "1,", ",5", "1.234", " 1", "1 ", "١", "10000000000", "NaN"], (text) => readPrice(text) === null && readVatRate(text) === null)
  holdsForEvery("a rate of a hundred percent and more", ["100", "100,00", "250"], (text) => readVatRate(text) === null)
})

rule("BILLING-9", {
  says: "The issuer is taken as a person entered it, or every field that cannot be printed is named; only its e-mail address and the note may be missing.",
  source: "docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  const texts: IssuerTexts = { ...issuer, email: "", note: "", paymentDays: "15" }
  const wrong = (given: Partial<IssuerTexts>): string => {
    const read = readIssuer({ ...texts, ...given })
    return Result.isFailure(read) ? read.failure.join() : ""
  }
  holds("an issuer is read as it was entered", { email: fc.constantFrom("", "a@b.example"), note: fc.constantFrom("", "Без ПДВ"), days: fc.integer({ min: 0, max: 365 }) },
    ({ days, email, note }) =>
      fc.stringify(Result.getOrNull(readIssuer({ ...texts, email, note, paymentDays: String(days) }))) ===
        fc.stringify({ ...issuer, email: email === "" ? null : email, note: note === "" ? null : note, paymentDays: days }))
  const longest = { name: 200, address: 200, city: 100, registrationNumber: 20, bankAccount: 40, email: 254, note: 500 } as const
  holdsForEvery("each text up to its length", Object.entries(longest), ([field, most]) =>
    wrong({ [field]: "ж".repeat(most) }) === "" && wrong({ [field]: "ж".repeat(most + 1) }) === field && wrong({ [field]: "a\u0007" }) === field)
  holdsForEvery("what is missing is named, but for the two that may be", Object.keys(texts) as ReadonlyArray<keyof IssuerTexts>, (field) =>
    wrong({ [field]: "" }) === (field === "email" || field === "note" ? "" : field))
  holdsForEvery("a tax identifier has nine digits, and an invoice is paid within a year", [
    ["taxIdentifier", "100000057", ""],
    ["taxIdentifier", "1000000571", "taxIdentifier"],
    ["taxIdentifier", "10000005", "taxIdentifier"],
    ["taxIdentifier", "RS100000057", "taxIdentifier"],
    ["taxIdentifier", "a00000057", "taxIdentifier"],
    ["paymentDays", "365", ""],
    ["paymentDays", "366", "paymentDays"],
    ["paymentDays", "1000", "paymentDays"],
    ["paymentDays", "15 ", "paymentDays"],
    ["paymentDays", " 15", "paymentDays"],
    ["paymentDays", "1,5", "paymentDays"],
    ["paymentDays", "x", "paymentDays"]
  ] as const, ([field, text, named]) => wrong({ [field]: text }) === named)
  holdsForEvery("all wrong fields are named at once", [{ name: "", city: "", paymentDays: "-1" }], (given) => wrong(given) === "name,city,paymentDays")
})
