import { type CategoryType, lineAmount, printedTotalTax, taxByLabel, type TaxRateGroup } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { spread } from "../orders/src/spread.ts"

export interface LineVector {
  readonly quantity: string
  readonly unitPrice: string
  readonly amount: string
}
export interface TaxVector {
  readonly rates: ReadonlyArray<{ readonly label: string; readonly type: CategoryType; readonly rate: string }>
  readonly items: ReadonlyArray<{ readonly quantity: string; readonly unitPrice: string; readonly labels: ReadonlyArray<string> }>
  readonly taxes: Readonly<Record<string, string>>
  readonly printed: string
}
export interface DiscountVector {
  readonly amount: string
  readonly weights: ReadonlyArray<string>
  readonly parts: ReadonlyArray<string>
}
export interface RoundingVectors {
  readonly lines: ReadonlyArray<LineVector>
  readonly taxes: ReadonlyArray<TaxVector>
  readonly discounts: ReadonlyArray<DiscountVector>
}

/** Each list has this many vectors: first the ones chosen, then drawn ones. */
const size = 60

/** Draws that are the same in every run (mulberry32). */
const drawing = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296 * below)
  }
}

const decimal = BigDecimal.fromStringUnsafe

/** With exactly so many digits behind the point. */
const fixed = (value: BigDecimal.BigDecimal, places: number): string => {
  const digits = String(BigDecimal.scale(value, places).value).padStart(places + 1, "0")
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
const inDinars = (paras: bigint): string => fixed(BigDecimal.make(paras, 2), 2)
const inParas = (dinars: string): bigint => BigDecimal.scale(decimal(dinars), 2).value

/** A number with up to `places` digits behind the point, as a caller writes it. */
const drawn = (draw: (below: number) => number, places: number, whole: number): string => {
  const digits = draw(places + 1)
  const fraction = digits === 0 ? "" : `.${String(draw(10 ** digits)).padStart(digits, "0")}`
  return `${draw(whole)}${fraction}`
}

const chosenLines: ReadonlyArray<readonly [quantity: string, unitPrice: string]> = [
  ["1", "0"], ["0.001", "0.01"], ["0.001", "5"], ["0.001", "4.99"], ["1.005", "100"], ["0.5", "33.33"], ["0.5", "33.31"], ["3", "33.33"], ["1.115", "1"], ["2.675", "1"],
  ["0.005", "1"], ["0.015", "1"], ["0.045", "0.1"], ["999", "999.99"], ["1", "999999999999.99"], ["99999999999.999", "0.01"], ["8.333", "12"], ["0.333", "3"], ["12.345", "67.89"], ["0.125", "0.04"]
]

const lineVectors = (): ReadonlyArray<LineVector> => {
  const draw = drawing(1)
  const asked = new Map(chosenLines.map(([quantity, unitPrice]) => [`${quantity} ${unitPrice}`, { quantity, unitPrice }]))
  while (asked.size < size) {
    const one = { quantity: drawn(draw, 3, 500), unitPrice: drawn(draw, 2, 50_000) }
    if (Number(one.quantity) > 0) asked.set(`${one.quantity} ${one.unitPrice}`, one)
  }
  return [...asked.values()].map((one) => ({ ...one, amount: fixed(lineAmount({ quantity: decimal(one.quantity), unitPrice: decimal(one.unitPrice) }), 2) }))
}

const rates = {
  vat: [{ label: "Ђ", type: 0, rate: "20" }, { label: "Е", type: 0, rate: "10" }, { label: "Г", type: 0, rate: "0" }],
  sandbox: [
    { label: "A", type: 0, rate: "9" }, { label: "B", type: 0, rate: "0" }, { label: "E", type: 1, rate: "6" }, { label: "T", type: 0, rate: "2" }, { label: "P", type: 2, rate: "0.5" },
    { label: "F", type: 0, rate: "11" }
  ]
} as const

type Taxed = Pick<TaxVector, "items" | "rates">
const chosenTaxes: ReadonlyArray<Taxed> = [
  { rates: rates.vat, items: [{ quantity: "1", unitPrice: "120", labels: ["Ђ"] }] },
  { rates: rates.vat, items: [{ quantity: "2", unitPrice: "100", labels: ["Ђ"] }, { quantity: "1", unitPrice: "55.55", labels: ["Е"] }] },
  { rates: rates.vat, items: [{ quantity: "1", unitPrice: "0.03", labels: ["Ђ"] }, { quantity: "1", unitPrice: "10", labels: ["Г"] }] },
  { rates: rates.vat, items: [{ quantity: "1", unitPrice: "999999999999.99", labels: ["Ђ"] }] },
  { rates: rates.sandbox, items: [{ quantity: "2", unitPrice: "34.23", labels: ["A"] }] },
  { rates: rates.sandbox, items: [{ quantity: "1", unitPrice: "100", labels: ["A", "E"] }] },
  { rates: rates.sandbox, items: [{ quantity: "3", unitPrice: "100", labels: ["P"] }, { quantity: "0.333", unitPrice: "100", labels: ["A", "T", "P"] }] },
  { rates: rates.sandbox, items: [{ quantity: "7.001", unitPrice: "19.99", labels: ["A", "T", "E", "P", "F", "B"] }] }
]

const drawnReceipt = (draw: (below: number) => number): Taxed => {
  const own = draw(2) === 0 ? rates.vat : rates.sandbox
  const items = Array.from({ length: 1 + draw(4) }, () => {
    const labels = own === rates.vat ? [own[draw(3)]?.label ?? ""] : own.filter(() => draw(3) === 0).map(({ label }) => label)
    return { quantity: `${1 + draw(9)}${draw(2) === 0 ? "" : `.${1 + draw(999)}`}`, unitPrice: `${1 + draw(9_000)}.${String(draw(100)).padStart(2, "0")}`, labels: labels.length === 0 ? ["A"] : labels }
  })
  return { rates: own, items }
}

const answeredTaxes = ({ items, rates: own }: Taxed): TaxVector => {
  const group: TaxRateGroup = {
    groupId: 1, validFrom: DateTime.makeUnsafe("2026-01-01T00:00:00Z"), rates: own.map(({ label, rate, type }) => ({ label, category: label, categoryType: type, rate: decimal(rate) }))
  }
  const taxes = taxByLabel(items.map(({ labels, quantity, unitPrice }) => ({ quantity: decimal(quantity), unitPrice: decimal(unitPrice), taxLabels: labels })), group)
  return { rates: own, items, taxes: Object.fromEntries(taxes.map(({ amount, label }) => [label, fixed(amount, 4)])), printed: fixed(printedTotalTax(taxes), 2) }
}

const taxVectors = (): ReadonlyArray<TaxVector> => {
  const draw = drawing(2)
  const chosen = [...chosenTaxes, ...Array.from({ length: size - chosenTaxes.length }, () => drawnReceipt(draw))]
  return chosen.map(answeredTaxes)
}

const chosenDiscounts: ReadonlyArray<Pick<DiscountVector, "amount" | "weights">> = [
  { amount: "1.00", weights: ["10.00", "10.00", "10.00"] }, { amount: "0.01", weights: ["50.00", "50.00"] }, { amount: "10.00", weights: ["99.99"] }, { amount: "0.00", weights: ["5.00", "7.00"] },
  { amount: "5.00", weights: ["0.00", "5.00"] }, { amount: "3.00", weights: ["0.00", "0.00"] }, { amount: "0.02", weights: ["0.01", "0.01", "0.01"] }, { amount: "100.00", weights: ["33.33", "33.33", "33.34"] },
  { amount: "999999999.99", weights: ["999999999999.99", "0.01", "123456789.12"] }
]

const discountVectors = (): ReadonlyArray<DiscountVector> => {
  const draw = drawing(3)
  const amount = (below: number) => inDinars(BigInt(draw(below)))
  const more = Array.from({ length: size - chosenDiscounts.length }, () => ({ amount: amount(20_000), weights: Array.from({ length: 1 + draw(7) }, () => amount(900_000)) }))
  return [...chosenDiscounts, ...more].map((one) => ({ ...one, parts: spread(inParas(one.amount), one.weights.map(inParas)).map(inDinars) }))
}

/** What the domain and the orders' package compute. */
export const roundingVectors = (): RoundingVectors => ({ lines: lineVectors(), taxes: taxVectors(), discounts: discountVectors() })

/** One vector a line. */
export const roundingFile = (): string => {
  const lists = Object.entries(roundingVectors()).map(([name, list]) => `  "${name}": [\n${(list as ReadonlyArray<unknown>).map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]`)
  return `{\n${lists.join(",\n")}\n}\n`
}

if (import.meta.main) {
  const file = join(import.meta.dirname, "../docs/guides/rounding.json")
  if (!process.argv.includes("--check")) writeFileSync(file, roundingFile())
  else if (readFileSync(file, "utf8") !== roundingFile()) {
    process.stderr.write("docs/guides/rounding.json is not what the domain computes; run npm run generate\n")
    process.exitCode = 1
  }
}
