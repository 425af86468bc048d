import { BigDecimal, DateTime } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { formatDecimal } from "../../src/money/decimals.ts"
import { lineAmount, roundHalfAwayFromZero, totalAmount } from "../../src/money/rounding.ts"
import { taxByLabel } from "../../src/tax/taxByLabel.ts"

// The library is the oracle: our own functions are written for speed.
const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: -6, max: 12 }))
  .map(([value, scale]) => BigDecimal.make(value, scale))

it("rounds as the library does", () => {
  fc.assert(fc.property(decimals, fc.integer({ min: 0, max: 6 }), (value, scale) => {
    const expected = BigDecimal.round(value, { scale, mode: "half-from-zero" })
    expect(BigDecimal.equals(roundHalfAwayFromZero(value, scale), expected)).toBe(true)
  }), { numRuns: 2_000 })
})

it("writes every decimal plainly, and what it writes is the same decimal", () => {
  fc.assert(fc.property(decimals, fc.integer({ min: 0, max: 6 }), (value, least) => {
    const text = formatDecimal(value, least)
    expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
    expect(BigDecimal.equals(BigDecimal.fromStringUnsafe(text), value)).toBe(true)
    const fraction = text.split(".")[1] ?? ""
    expect(fraction.length >= least && (fraction.length === least || !fraction.endsWith("0"))).toBe(true)
  }), { numRuns: 2_000 })
})

const rounded = (value: BigDecimal.BigDecimal, scale: number) => BigDecimal.round(value, { scale, mode: "half-from-zero" })
const decimal = (most: bigint, scales: { readonly min: number; readonly max: number }) =>
  fc.tuple(fc.bigInt({ min: 0n, max: most }), fc.integer(scales)).map(([value, scale]) => BigDecimal.make(value, scale))
const line = fc.record({ quantity: decimal(10n ** 6n, { min: -3, max: 5 }), unitPrice: decimal(10n ** 8n, { min: -3, max: 4 }) })

it("multiplies and adds lines as the library does", () => {
  fc.assert(fc.property(fc.array(line), (lines) => {
    const amounts = lines.map(({ quantity, unitPrice }) => rounded(BigDecimal.multiply(quantity, unitPrice), 2))
    expect(lines.map((one, at) => BigDecimal.equals(lineAmount(one), amounts[at] ?? one.quantity))).toEqual(lines.map(() => true))
    expect(BigDecimal.equals(totalAmount(lines), BigDecimal.sumAll(amounts))).toBe(true)
  }), { numRuns: 500 })
})

// V-PFR §6.2, steps 1 to 5, in the library's words; a quotient has a hundred digits before it is rounded.
it("computes the taxes of a line as the library does, whatever decimals rates have", () => {
  const rate = fc.record({ type: fc.constantFrom(0, 1, 2), rate: decimal(10n ** 5n, { min: -3, max: 6 }) })
  fc.assert(fc.property(line, fc.array(rate, { maxLength: 4 }), (item, asked) => {
    const rates = asked.map(({ rate, type }, at) => ({ label: String.fromCharCode(65 + at), category: "", categoryType: type, rate }))
    const group = { groupId: 1, validFrom: DateTime.makeUnsafe(0), rates }
    const ours = new Map(taxByLabel([{ ...item, taxLabels: rates.map(({ label }) => label) }], group).map(({ amount, label }) => [label, amount]))
    const expected = new Map<string, BigDecimal.BigDecimal>()
    const percent = (of: BigDecimal.BigDecimal): BigDecimal.BigDecimal => BigDecimal.make(of.value, of.scale + 2)
    const charge = (type: number, of: (rate: BigDecimal.BigDecimal) => BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
      BigDecimal.sumAll(rates.filter(({ categoryType }) => categoryType === type).map(({ label, rate }) => {
        const amount = rounded(of(rate), 4)
        expected.set(label, amount)
        return amount
      }))
    const factor = (type: number): BigDecimal.BigDecimal =>
      BigDecimal.sumAll([BigDecimal.fromBigInt(1n), ...rates.filter(({ categoryType }) => categoryType === type).map(({ rate }) => percent(rate))])
    const rest = BigDecimal.subtract(rounded(BigDecimal.multiply(item.quantity, item.unitPrice), 2), charge(2, (rate) => BigDecimal.multiply(rate, item.quantity)))
    const net = rounded(BigDecimal.divideUnsafe(rest, BigDecimal.multiply(factor(0), factor(1))), 4)
    const withNet = BigDecimal.sum(net, charge(0, (rate) => BigDecimal.multiply(net, percent(rate))))
    charge(1, (rate) => BigDecimal.multiply(withNet, percent(rate)))
    expect([...ours.keys()].toSorted()).toEqual([...expected.keys()].toSorted())
    for (const [label, amount] of expected) expect(BigDecimal.equals(ours.get(label) ?? BigDecimal.make(-1n, 0), amount), label).toBe(true)
  }), { numRuns: 1_000 })
})
