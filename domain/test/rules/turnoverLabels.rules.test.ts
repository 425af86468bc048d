import { BigDecimal } from "effect"
import { apportion, turnoverReceipt } from "../../src/journal/turnoverParts.ts"
import { turnover } from "../../src/journal/turnover.ts"
import { unitsOf } from "../../src/money/rounding.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { taxByLabel } from "../../src/tax/taxByLabel.ts"
import { journalOperation } from "../arbitraries/JournalOperation.ts"
import { decimal, lineOf } from "../arbitraries/SaleLine.ts"
import { everyRate, receiptOf, taxedReceipt } from "../arbitraries/TaxedReceipt.ts"
import { rule } from "./ruleBook.ts"

const setOf = ({ taxLabels }: { readonly taxLabels: ReadonlyArray<string> }): string => [...taxLabels].sort().join(", ")
const setsOf = ({ content: { items } }: Operation): ReadonlyArray<string> => [...new Set(items.map(setOf))]
const partsOf = (operation: Operation) => turnoverReceipt(operation)?.parts ?? []
const positive = (amount: bigint): bigint => amount < 0n ? -amount : amount
const sumOf = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** A label's tax of the lines of one set, in ten-thousandths. */
const toldOf = (operation: Operation, set: string, label: string): bigint =>
  sumOf(partsOf(operation).filter(({ taxLabel }) => taxLabel === set).map(({ taxes }) => positive(taxes.get(label) ?? 0n)))

const isInOneSet = (operation: Operation, label: string): boolean => setsOf(operation).filter((set) => set.split(", ").includes(label)).length === 1

rule("TURNOVER-10", {
  says: "A label's signed tax is divided over its sets of labels as the V-PFR charges it on their lines, and no part of it is lost.",
  source: "Decisions §5, Reports; V-PFR §6.2"
}, ({ holds, holdsForEvery }) => {
  holds("each set has the tax of its own lines, but for the roundings of four decimals", { operation: taxedReceipt }, ({ operation }) => {
    const { items } = operation.content
    return setsOf(operation).every((set) =>
      taxByLabel(items.filter((item) => setOf(item) === set), everyRate).every(({ amount, label }) =>
        positive(toldOf(operation, set, label) - unitsOf(amount, 4)) <= BigInt(4 * items.length + 1)))
  })
  holds("the parts of a tax sum to what was signed", { operation: taxedReceipt }, ({ operation }) =>
    (operation.answer?.taxes ?? []).every(({ amount, label }) => sumOf(setsOf(operation).map((set) => toldOf(operation, set, label))) === unitsOf(amount, 4)))
  holds("a tax whose label is in one set alone is divided by money, to the ten-thousandth", { operation: journalOperation }, ({ operation }) => {
    const parts = partsOf(operation)
    return (operation.answer?.taxes ?? []).filter(({ label }) => isInOneSet(operation, label)).every(({ amount, label }) => {
      const bearers = parts.filter(({ taxLabel }) => taxLabel.split(", ").includes(label))
      const expected = apportion(unitsOf(amount, 4), bearers.map(({ paras }) => positive(paras)))
      return bearers.every(({ taxes }, at) => positive(taxes.get(label) ?? 0n) === expected[at])
    })
  })
  const examples = [
    { says: "two rates on the net", lines: [["120", "A"], ["130", "A,B"]], told: "A 120 A 20|A, B 130 A 20 B 10" },
    { says: "a rate on the total", lines: [["102", "T"], ["122.4", "A,T"]], told: "A, T 122.4 A 20 T 2.4|T 102 T 2" },
    { says: "an amount per unit", lines: [["120.5", "A,P"], ["120", "A"], ["0.5", "P"]], told: "A 120 A 20|A, P 120.5 A 20 P 0.5|P 0.5 P 0.5" },
    { says: "no tax at all", lines: [["100", "N"], ["120", "A,N"]], told: "A, N 120 A 20 N 0|N 100 N 0" }
  ] as const
  const told = (operation: Operation): string =>
    turnover([operation], ["taxLabel"]).map(({ group, gross, taxes }) =>
      `${group.taxLabel} ${BigDecimal.format(gross)} ${taxes.map(({ amount, label }) => `${label} ${BigDecimal.format(amount)}`).join(" ")}`).join("|")
  const itemsOf = (lines: ReadonlyArray<readonly [price: string, labels: string]>) => lines.map(([price, labels]) => lineOf(price, "1", { taxLabels: labels.split(",") }))
  holdsForEvery("examples of every kind of rate, exact", examples, ({ lines, told: expected }) => {
    const items = itemsOf(lines)
    return told(receiptOf(items, taxByLabel(items, everyRate))) === expected
  })
  const mixed = itemsOf([["120", "A"], ["130", "A,B"]])
  const signed = taxByLabel(mixed, everyRate)
  const unknown = [
    { taxes: signed.filter(({ label }) => label === "A"), told: "A 120 A 19.2|A, B 130 A 20.8" },
    { taxes: signed.map((tax) => ({ ...tax, categoryType: 3 })), told: "A 120 A 19.2|A, B 130 A 20.8 B 10" },
    { taxes: signed.map((tax) => tax.label === "A" ? { ...tax, rate: decimal("-100") } : tax), told: "A 120 A 19.2|A, B 130 A 20.8 B 10" },
    { taxes: signed.map((tax) => tax.label === "B" ? { ...tax, categoryType: 2, rate: decimal("131") } : tax), told: "A 120 A 19.2|A, B 130 A 20.8 B 10" }
  ]
  holdsForEvery("where a rate is not signed, or is none that is charged, by money", unknown, ({ taxes, told: expected }) => told(receiptOf(mixed, taxes)) === expected)
  holdsForEvery("lines that cost nothing have no tax, and change nothing", ["0"], (price) => {
    const items = itemsOf([[price, "A"], ["120", "A,N"], ["130", "A,B"]])
    return told(receiptOf(items, taxByLabel(items, everyRate))) === "A 0 A 0|A, B 130 A 20 B 10|A, N 120 A 20 N 0"
  })
  holdsForEvery("a tax that is signed although nothing of the money is left for it: by money", ["10"], (amount) => {
    const items = itemsOf([["0.5", "A,P"], ["0.5", "A,B,P"]])
    const taxes = taxByLabel(items, everyRate).map((tax) => tax.label === "A" ? { ...tax, amount: decimal(amount) } : tax)
    return told(receiptOf(items, taxes)) === "A, B, P 0.5 A 5 B 0 P 0.5|A, P 0.5 A 5 P 0.5"
  })
})
