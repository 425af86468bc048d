import { describe, expect, it } from "vitest"
import { formatUnits, parseDecimal, unitsAt } from "../src/exactDecimal.ts"
import { initialTaxRates } from "../src/taxes/initialTaxRates.ts"
import { groupValidAt, ratesByLabel } from "../src/taxes/TaxRateGroup.ts"
import { taxItems } from "../src/taxes/taxItems.ts"

const now = Date.parse("2026-11-21T12:00:00Z")
const sandbox = initialTaxRates("sandbox", now)
const production = initialTaxRates("production", now)

const units = (text: string, scale: number): bigint => {
  const decimal = parseDecimal(text)
  if (decimal === null) throw new Error(text)
  return unitsAt(decimal, scale)
}

const taxesOf = (groups: typeof sandbox, items: ReadonlyArray<readonly [total: string, quantity: string, labels: ReadonlyArray<string>]>) => {
  const group = groupValidAt(groups, now)
  const rows = items.map(([total, quantity, labels]) => ({ totalAmount: units(total, 2), quantity: units(quantity, 3), labels }))
  return Object.fromEntries(taxItems(rows, group === undefined ? new Map() : ratesByLabel(group)).map((tax) => [tax.label, formatUnits(tax.amount, 4)]))
}

describe("Taxes agree with amounts the V-PFR computed (V-PFR §6.2)", () => {
  it.each([
    ["33909.08", "50.913", ["E", "T"], { T: "664.8839", E: "1881.7469" }],
    ["1", "1", ["P", "Ж"], { P: "0.5000", "Ж": "0.0798" }],
    ["68.46", "2", ["A"], { A: "5.6527" }],
    ["730", "1", ["F"], { F: "72.3423" }],
    ["100", "1", ["N"], { N: "0.0000" }]
  ])("%s × %s under %j", (total, quantity, labels, expected) => {
    expect(taxesOf(sandbox, [[total, quantity, labels]])).toEqual(expected)
  })

  it.each([
    ["12000000", "Ђ", "2000000.0000"],
    ["7000", "Ђ", "1166.6667"],
    ["360", "Ђ", "60.0000"]
  ])("national rate: %s under %s holds %s", (total, label, tax) => {
    expect(taxesOf(production, [[total, "1", [label]]])).toEqual({ [label]: tax })
  })

  it("adds up per label over the items of a real receipt (V-PFR §8.8 B)", () => {
    const taxes = taxesOf(production, [
      ["127.91", "1.066", ["Е"]],
      ["180.88", "2.010", ["Е"]],
      ["210.95", "1.172", ["Е"]],
      ["12.99", "1", ["Ђ"]],
      ["296.39", "1.482", ["Е"]]
    ])
    const printed = Object.entries(taxes).map(([label, amount]) => [label, formatUnits(units(amount, 2), 2)])
    // In the order of their items, which is how that receipt prints them.
    expect(printed).toEqual([["Е", "74.19"], ["Ђ", "2.17"]])
  })
})

describe("Tax rate groups", () => {
  it("takes the group in force at an instant", () => {
    const revisionAt = (time: string) => groupValidAt(sandbox, Date.parse(time))?.groupId
    expect(revisionAt("2021-07-15T23:08:08Z")).toBeUndefined()
    expect(revisionAt("2021-07-22T09:55:23Z")).toBe(1)
    expect(revisionAt("2021-07-22T09:55:24Z")).toBe(2)
    expect(revisionAt("2023-06-06T11:21:15Z")).toBe(5)
    expect(revisionAt("2024-02-29T16:07:27Z")).toBe(8)
    expect(revisionAt("2026-11-21T12:00:00Z")).toBe(8)
  })

  it("announces one change ahead in both environments", () => {
    for (const groups of [sandbox, production]) {
      expect(groups.filter((group) => Date.parse(group.validFrom) > now)).toHaveLength(1)
    }
  })

  it("has the four national labels in production, code point for code point", () => {
    const group = groupValidAt(production, now)
    const labels = group?.taxCategories.flatMap((category) => category.taxRates.map((rate) => [rate.label, category.name, rate.rate]))
    expect(labels).toEqual([
      ["\u0402", "О-ПДВ", 2000],
      ["\u0415", "П-ПДВ", 1000],
      ["\u0413", "Без ПДВ", 0],
      ["\u0410", "Није у ПДВ", 0]
    ])
  })
})

describe("Exact decimals", () => {
  it.each([
    ["0.1", 1n, 1],
    ["1e3", 1000n, 0],
    ["12.500", 125n, 1],
    ["-0.00", 0n, 0],
    ["1.5E-3", 15n, 4]
  ])("%s", (text, expected, scale) => {
    expect(parseDecimal(text)).toEqual({ units: expected, scale })
  })

  it.each(["", "1.", ".5", "1e9999", "0x10", "NaN", "1".repeat(65)])("refuses %j", (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  it("rounds half away from zero", () => {
    expect([units("2.165", 2), units("-2.165", 2), units("2.1649", 2)]).toEqual([217n, -217n, 216n])
  })
})
