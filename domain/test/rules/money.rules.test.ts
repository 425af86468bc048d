import { BigDecimal, Schema } from "effect"
import * as fc from "fast-check"
import { formatDecimal, hasAtMostDecimals, inThousands } from "../../src/money/decimals.ts"
import { Dinars, maximumDinars, Quantity } from "../../src/money/Dinars.ts"
import { lineAmount, roundHalfAwayFromZero, roundToPara, totalAmount } from "../../src/money/rounding.ts"
import { decimalFromJsonNumber, UnrepresentableNumber } from "../../src/requests/bodyTree.ts"
import { decimal, lineOf, saleLine } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const parts = fc.record({ unscaled: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), scale: fc.integer({ min: 0, max: 12 }) })
const equals = (value: BigDecimal.BigDecimal, text: string): boolean => BigDecimal.equals(value, decimal(text))

rule("MONEY-1", {
  says: "Money is rounded half away from zero.",
  source: "Decisions §1, Totals; V-PFR §6.2, §6.5"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("ties and near ties", [
    ["0.005", "0.01"],
    ["-0.005", "-0.01"],
    ["0.015", "0.02"],
    ["2.675", "2.68"],
    ["1.005", "1.01"],
    ["0.0049999", "0"],
    ["20.1434", "20.14"],
    ["10.267", "10.27"]
  ], ([exact = "", rounded = ""]) => equals(roundToPara(decimal(exact)), rounded))
  holds("the rounded amount is the nearest, and of two nearest the one farther from zero", { parts }, ({ parts: { unscaled, scale } }) => {
    const exact = BigDecimal.make(unscaled, scale)
    const rounded = roundToPara(exact)
    const away = BigDecimal.subtract(BigDecimal.abs(rounded), BigDecimal.abs(exact))
    return BigDecimal.normalize(rounded).scale <= 2 && BigDecimal.isGreaterThan(away, decimal("-0.005")) &&
      BigDecimal.isLessThanOrEqualTo(away, decimal("0.005"))
  })
  holds("what is already rounded stays", { paras: fc.bigInt({ min: 0n, max: 10n ** 15n }) },
    ({ paras }) => BigDecimal.equals(roundHalfAwayFromZero(BigDecimal.make(paras, 2), 2), BigDecimal.make(paras, 2)))
})

rule("MONEY-2", {
  says: "A line is quantity × unit price, rounded; a total is the sum of its rounded lines.",
  source: "Decisions §1, Totals; V-PFR §6.5 (approval tests)"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("the approval tests' lines and others at the edges", [
    ["9.90", "0.123", "1.22"],
    ["9.95", "0.123", "1.22"],
    ["119.99", "1.066", "127.91"],
    ["89.99", "2.010", "180.88"],
    ["0.01", "0.5", "0.01"],
    ["0.01", "0.499", "0"],
    ["9.99", "0.5", "5"],
    ["0.01", "99999999999.999", "1000000000"],
    ["0", "99999999999.999", "0"]
  ], ([price = "", quantity = "", amount = ""]) => equals(lineAmount(lineOf(price, quantity)), amount))
  holds("rounding each line is not rounding the sum, and it is the lines that count", { lines: fc.array(saleLine, { minLength: 1, maxLength: 6 }) },
    ({ lines }) => BigDecimal.equals(totalAmount(lines), BigDecimal.sumAll(lines.map((line) => roundToPara(BigDecimal.multiply(line.quantity, line.unitPrice))))))
  holdsForEvery("three lines of half a para make three paras", [3], (count) =>
    equals(totalAmount(Array.from({ length: count }, () => lineOf("0.01", "0.5"))), "0.03"))
})

rule("MONEY-3", {
  says: "A decimal is written plainly, never in exponent form, and read back as the same number.",
  source: "Decisions §1, Numbers"
}, ({ holds, holdsForEvery }) => {
  holds("at any size", { unscaled: parts, exponent: fc.integer({ min: 0, max: 20 }) }, ({ unscaled: { unscaled, scale }, exponent }) => {
    const value = BigDecimal.make(unscaled, scale - exponent)
    const text = formatDecimal(value)
    return /^-?\d+(\.\d*[1-9])?$/.test(text) && BigDecimal.equals(decimal(text), value)
  })
  holdsForEvery("zero has no sign, a fraction its leading zero, a large number no exponent",
    [["0", "0"], ["-0", "0"], ["0.05", "0.05"], ["-0.50", "-0.5"], ["1e21", "1000000000000000000000"], ["100", "100"]],
    ([written = "", text]) => formatDecimal(decimal(written)) === text)
  holds("padded to two decimals, money always shows its paras", { paras: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }) },
    ({ paras }) => /^-?\d+\.\d{2}$/.test(formatDecimal(BigDecimal.make(paras, 2), 2)))
})

const significant = (digits: string): number => digits.replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length

rule("MONEY-4", {
  says: "A JSON number is read from its text, exactly; more than 15 significant digits are refused, never rounded.",
  source: "Decisions §1, Numbers"
}, ({ holds, holdsForEvery }) => {
  holds("any number of up to 15 significant digits is the number written",
    { whole: fc.bigInt({ min: 0n, max: 10n ** 16n }), fraction: fc.stringMatching(/^[0-9]{0,6}$/), negative: fc.boolean() },
    ({ whole, fraction, negative }) => {
      const text = `${negative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`
      const read = decimalFromJsonNumber(text)
      return read instanceof UnrepresentableNumber
        ? significant(`${whole}.${fraction}`) > 15 && read.text === text
        : significant(`${whole}.${fraction}`) <= 15 && BigDecimal.equals(read, decimal(text))
    })
  holdsForEvery("spellings of one number are one number", [
    ["1", "1.0"],
    ["1", "10e-1"],
    ["1500", "1.5E+3"],
    ["0", "-0.000"],
    ["0", "0e400"],
    ["99999999999.999", "99999999999.9990"],
    ["1000000000000000000000", "1e21"],
    ["0.000123456789012345", "123456789012345e-18"],
    ["1e199", "10e198"],
    ["1e-200", "10e-201"]
  ], ([one = "", other = ""]) => {
    const [left, right] = [decimalFromJsonNumber(one), decimalFromJsonNumber(other)]
    return !(left instanceof UnrepresentableNumber) && !(right instanceof UnrepresentableNumber) && BigDecimal.equals(left, right)
  })
  holdsForEvery("too many digits, or too far from the point", ["0.1234567890123456", "1234567890123456", "1e200", "1e-201", "1e400", "1e-400", "1e999999999999", "0x10", "", "1.", "NaN"],
    (text) => decimalFromJsonNumber(text) instanceof UnrepresentableNumber)
})

rule("MONEY-5", {
  says: "An amount is 0 to 999 999 999 999.99 dinars of at most two decimals; a quantity 0.001 to 99 999 999 999.999 of at most three.",
  source: "Spec, Limits; Decisions §1, Bounds"
}, ({ holds, holdsForEvery }) => {
  const isDinars = Schema.is(Dinars)
  const isQuantity = Schema.is(Quantity)
  holdsForEvery("amounts", [["0", true], ["0.01", true], ["1.500", true], ["999999999999.99", true], ["-0.01", false], ["0.001", false], ["1000000000000", false]] as const,
    ([text, accepted]) => isDinars(decimal(text)) === accepted && BigDecimal.equals(maximumDinars, decimal("999999999999.99")))
  holdsForEvery("quantities", [["0.001", true], ["1.5000", true], ["99999999999.999", true], ["0", false], ["0.0005", false], ["1.0001", false], ["100000000000", false], ["-1", false]] as const,
    ([text, accepted]) => isQuantity(decimal(text)) === accepted)
  holds("trailing zeros are no decimals", { unscaled: fc.bigInt({ min: 1n, max: 10n ** 12n }), scale: fc.integer({ min: 0, max: 6 }), zeros: fc.integer({ min: 0, max: 6 }), asked: fc.integer({ min: 0, max: 6 }) },
    ({ unscaled, scale, zeros, asked }) => {
      const plain = BigDecimal.normalize(BigDecimal.make(unscaled, scale))
      const padded = BigDecimal.make(unscaled * 10n ** BigInt(zeros), scale + zeros)
      return hasAtMostDecimals(padded, asked) === (plain.scale <= asked)
    })
})

rule("MONEY-6", {
  says: "Whole dinars are written in groups of three digits with points between them.",
  source: "V-PFR §8.1"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("from the right, a sign counting for nothing",
    [["0", "0"], ["999", "999"], ["1000", "1.000"], ["829123", "829.123"], ["1234567", "1.234.567"], ["-999", "-999"], ["-1000", "-1.000"], ["-123456", "-123.456"]],
    ([digits = "", written]) => inThousands(digits) === written)
  holds("without the points it is the number again, in groups of one to three digits and then of three", { whole: fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }) },
    ({ whole }) => inThousands(`${whole}`).replaceAll(".", "") === `${whole}` && /^-?\d{1,3}(?:\.\d{3})*$/.test(inThousands(`${whole}`)))
})
