import { DateTime, Option, Schema } from "effect"
import * as fc from "fast-check"
import { BuyerDetails } from "../../src/parties/Buyer.ts"
import { buyerIdFault, buyerIdPattern, buyerIdPrefixes, isCorporateCard, optionalFieldFault, optionalFieldPrefixes } from "../../src/parties/BuyerId.ts"
import { digitExpectedInBuyerId, digitExpectedInTaxIdentifier, hasRightCheckDigit } from "../../src/parties/digitExpectedInTaxIdentifier.ts"
import { registerTaxIdentifier } from "../../src/parties/registerTaxIdentifier.ts"
import { hasFaultAt, isAccepted, saleBody } from "../arbitraries/SaleBody.ts"
import { rule } from "./ruleBook.ts"

const isForm = (id: string): boolean => buyerIdFault(id) === undefined
const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
const otherForms = buyerIdPrefixes.filter((prefix) => !["10", "11", "12", "14", "15"].includes(prefix))

rule("BUYER-1", {
  says: "A buyer's id is prefix:value with a prefix of the tax authority's list and the value's own form.",
  source: "Spec, Buyer identification; Decisions §1, Buyer forms"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("the prefixes are these nineteen", [
    "10", "11", "12", "13", "14", "15", "16", "20", "21", "22", "23", "30", "31", "32", "33", "34", "35", "36", "40"
  ], (prefix) => buyerIdPrefixes.includes(prefix) && buyerIdPrefixes.length === 19)
  holds("10 and 14 take nine digits", { prefix: fc.constantFrom("10", "14"), length: fc.integer({ min: 1, max: 15 }) },
    ({ prefix, length }) => isForm(`${prefix}:${"1".repeat(length)}`) === (length === 9))
  holds("11 and 15 take thirteen", { prefix: fc.constantFrom("11", "15"), length: fc.integer({ min: 1, max: 16 }) },
    ({ prefix, length }) => isForm(`${prefix}:${"1".repeat(length)}`) === (length === 13))
  holds("12 takes nine digits, a colon and 1 to 10 digits", { pib: fc.integer({ min: 8, max: 10 }), unit: fc.integer({ min: 0, max: 11 }) },
    ({ pib, unit }) => isForm(`12:${"1".repeat(pib)}:${"5".repeat(unit)}`) === (pib === 9 && unit >= 1 && unit <= 10))
  holds("the others take 1 to 17 visible ASCII characters",
    { prefix: fc.constantFrom(...otherForms), value: fc.string({ unit: fc.constantFrom("A", "7", "/", "!", "~"), maxLength: 19 }) },
    ({ prefix, value }) => isForm(`${prefix}:${value}`) === (value.length >= 1 && value.length <= 17))
  holds("one character outside visible ASCII, wherever it stands, is refused: the verification link could not carry it", {
    prefix: fc.constantFrom(...otherForms),
    before: fc.stringMatching(/^[A-Z0-9]{0,8}$/),
    outside: fc.oneof(fc.constantFrom(" ", "\u007f", "\u00a0", "Ž", "č", "Ш", "𐐀"), fc.integer({ min: 0x7f, max: 0xd7ff }).map(String.fromCodePoint)),
    after: fc.stringMatching(/^[A-Z0-9]{0,8}$/)
  }, ({ after, before, outside, prefix }) => !isForm(`${prefix}:${before}${outside}${after}`))
  holds("the published pattern takes whatever the form takes", { id: fc.oneof(fc.string({ maxLength: 20 }), fc.stringMatching(/^[0-9]{2}:[!-~]{1,17}$/)) },
    ({ id }) => !isForm(id) || new RegExp(buyerIdPattern, "u").test(id))
  holdsForEvery("the refusal says what to write instead", ["30:Žika123", "20:ПА 123", "40:123 456"],
    (id) => hasFaultAt({ ...saleBody, buyer: { id } }, "/buyer/id") && /without spaces and diacritics/u.test(buyerIdFault(id) ?? ""))
  holdsForEvery("no other prefix, no other shape", ["", "10", "10-123456789", "1:123456789", "50:123456789", "99:1", "101670560", " 10:101670560", "10:10167056x", "10:101670560 ", "30:a\u0007b", "30:"],
    (id) => !isForm(id))
  holdsForEvery("a wrong form is refused at the buyer's id", ["10:123", "99:1", "12:101670560"],
    (id) => hasFaultAt({ ...saleBody, buyer: { id } }, "/buyer/id"))
})

rule("BUYER-2", {
  says: "A wrong check digit is not refused; it only keeps the company register from being asked.",
  source: "Spec, Resources, BuyerDetails; Decisions §1"
}, ({ holds, holdsForEvery }) => {
  holds("nine digits are accepted whatever their last", { value: digits(9) }, ({ value }) => isAccepted({ ...saleBody, buyer: { id: `10:${value}` } }))
  holds("exactly one of the ten last digits is the right one", { first: digits(8) },
    ({ first }) => Array.from({ length: 10 }, (_, last) => `${first}${last}`).filter(hasRightCheckDigit).length === 1)
  holds("the register is asked for 10:, 12: and 14: with the right digit, and for nothing else", { value: digits(9), prefix: fc.constantFrom(...buyerIdPrefixes) },
    ({ value, prefix }) => {
      const id = prefix === "12" ? `12:${value}:1` : `${prefix}:${value}`
      const due = ["10", "12", "14"].includes(prefix) && hasRightCheckDigit(value)
      return Option.getOrNull(registerTaxIdentifier(id)) === (due ? value : null)
    })
  holdsForEvery("identifiers of known receipts have the right digit", ["101670560", "112392483", "110976122"],
    (identifier) => hasRightCheckDigit(identifier) && Option.isSome(registerTaxIdentifier(`10:${identifier}`)))
  holdsForEvery("what is not nine digits has no right digit", ["1101670560", "1016705600", "10167056", "10167056O", ""], (text) => !hasRightCheckDigit(text))
  holds("the digit that is told is the one that is right; of a right identifier none is told", { first: digits(8), last: fc.integer({ min: 0, max: 9 }) },
    ({ first, last }) => {
      const expected = digitExpectedInTaxIdentifier(`${first}${last}`)
      return expected === undefined ? hasRightCheckDigit(`${first}${last}`) : !hasRightCheckDigit(`${first}${last}`) && hasRightCheckDigit(first + expected)
    })
  holds("one wrong digit is always noticed", { first: digits(8), at: fc.integer({ min: 0, max: 7 }), other: fc.integer({ min: 1, max: 9 }) },
    ({ at, first, other }) => {
      const right = first + (digitExpectedInTaxIdentifier(`${first}0`) ?? "0")
      const wrong = right.slice(0, at) + String((Number(right[at]) + other) % 10) + right.slice(at + 1)
      return digitExpectedInTaxIdentifier(wrong) !== undefined
    })
  holds("it is told of the buyers that a tax identifier identifies, and of no others", { value: digits(9), prefix: fc.constantFrom(...buyerIdPrefixes) },
    ({ prefix, value }) => {
      const id = prefix === "12" ? `12:${value}:1` : `${prefix}:${value}`
      return digitExpectedInBuyerId(id) === (["10", "12", "14"].includes(prefix) ? digitExpectedInTaxIdentifier(value) : undefined)
    })
  holdsForEvery("without a buyer nothing is asked", [null, "", "10:", "20:101670560"], (id) => Option.isNone(registerTaxIdentifier(id)))
})

const isOptionalForm = (field: string): boolean => optionalFieldFault(field) === undefined
const written = (day: number, month: number, year: number): string =>
  `${String(day).padStart(2, "0")}${String(month).padStart(2, "0")}${year}`

rule("BUYER-3", {
  says: "A buyer's optional field is prefix:value; 60: is a period of two dates that exist, in order.",
  source: "Spec, Buyer identification; Decisions §1"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("the prefixes are these eight", ["20", "21", "30", "31", "32", "33", "50", "60"],
    (prefix) => optionalFieldPrefixes.includes(prefix) && optionalFieldPrefixes.length === 8)
  holds("any other prefix is refused", { prefix: fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, "0")) },
    ({ prefix }) => prefix === "60" || isOptionalForm(`${prefix}:abc`) === optionalFieldPrefixes.includes(prefix))
  holds("a period in order is accepted, the other way round only when both days are one",
    { from: fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 })), to: fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 })) },
    ({ from, to }) => {
      const inOrder = from[1] < to[1] || (from[1] === to[1] && from[0] <= to[0])
      return isOptionalForm(`60:${written(from[0], from[1], 2026)}_${written(to[0], to[1], 2026)}`) === inOrder
    })
  holdsForEvery("real dates only, whole forms only", [
    "60:30022026_01032026",
    "60:29022025_01032025",
    "60:01012026_31042026",
    "60:00012026_01022026",
    "60:01132026_01142026",
    "60:1012026_31012026",
    "60:01012026-31012026",
    "60:01012026",
    "60:01012026_31012026_",
    "60:",
    "20:",
    "20",
    "20-1"
  ], (field) => !isOptionalForm(field))
  holdsForEvery("leap days exist in leap years, and a period may be one day or cross a year",
    ["60:29022024_29022024", "60:31122025_01012026", "60:01012026_02012026", "20:1"], isOptionalForm)
  holdsForEvery("a period that ends a day, a month or a year before it begins is refused",
    ["60:02012026_01012026", "60:01022026_28012026", "60:01012026_31122025"], (field) => !isOptionalForm(field))
  holdsForEvery("only 50: is a corporate card", [...optionalFieldPrefixes], (prefix) => isCorporateCard(`${prefix}:50:`) === (prefix === "50"))
})

rule("BUYER-4", {
  says: "What the company register answers is kept within its bounds.",
  source: "Spec, Resources, BuyerDetails"
}, ({ holdsForEvery }) => {
  const details = {
    legalName: "Друштво",
    taxIdentifier: "101670560",
    registrationNumber: "12345678",
    address: "Улица 1",
    city: "Ниш",
    source: "NBS",
    resolvedAt: DateTime.makeUnsafe("2026-08-29T10:00:00Z")
  }
  const isDetails = Schema.is(BuyerDetails)
  holdsForEvery("within them", [
    {},
    { registrationNumber: null, address: null, city: null },
    { legalName: "𐐀".repeat(350), address: "𐐀".repeat(300), city: "𐐀".repeat(100) }
  ], (fields) => isDetails({ ...details, ...fields }))
  holdsForEvery("beyond them", [
    { legalName: "x".repeat(351) },
    { address: "x".repeat(301) },
    { city: "x".repeat(101) },
    { taxIdentifier: "12345678" },
    { taxIdentifier: "1234567890" },
    { taxIdentifier: "12345678x" },
    { registrationNumber: "1234567" },
    { registrationNumber: "123456789" },
    { source: "APR" }
  ], (fields) => !isDetails({ ...details, ...fields }))
})
