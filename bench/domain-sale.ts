/**
 * The domain's cost of a sale: decode and validate ten lines, check their labels, and compute totals and taxes. The body is already a tree with
 * decimals, as the host passes it. Prints the median in microseconds of CPU; the limit is 100.
 *
 *     node --conditions=@overa/source bench/domain-sale.ts
 */
import {
  checkLabels,
  decodeFiscalDocumentRequest,
  fingerprint,
  readBodyTree,
  taxByLabel,
  type TaxRateGroup,
  totalAmount,
  totalTax
} from "@overa/domain"
import { BigDecimal, DateTime, Result } from "effect"
import { tellFigure } from "./support/figures.ts"

const limitMicros = 100
const rounds = 300
const salesPerRound = 20

const rate = (label: string, category: string, percent: number) => ({
  label,
  category,
  categoryType: 0 as const,
  rate: BigDecimal.fromBigInt(BigInt(percent))
})

const group: TaxRateGroup = {
  groupId: 1,
  validFrom: DateTime.makeUnsafe("2022-01-01T00:00:00Z"),
  rates: [rate("Ђ", "О-ПДВ", 20), rate("Е", "П-ПДВ", 10), rate("Г", "Без ПДВ", 0), rate("А", "Није у ПДВ", 0)]
}

const lines = Array.from({ length: 10 }, (_, index) => ({
  name: `Артикал ${index + 1} са нешто дужим називом`,
  unitOfMeasure: "kom",
  quantity: index + 0.125,
  unitPrice: 199.99 + index,
  gtin: "8600000000000",
  taxLabels: [index % 3 === 0 ? "Е" : "Ђ"]
}))

const body = JSON.stringify({
  taxpayerId: "0198f2a0-0000-7000-8000-000000000001",
  businessPremiseId: "0198f2a0-0000-7000-8000-000000000002",
  clientReference: "order-2026-000123",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "web-shop", displayName: "Web shop" },
  buyer: { id: "10:101670560" },
  items: lines,
  payments: [{ type: "CARD", amount: 0 }],
  commercialFooter: "Хвала на куповини!",
  metadata: { channel: "web", campaign: "autumn", priority: 3, gift: false }
})

const paid = (tree: unknown): unknown => {
  const sale = tree as { items: ReadonlyArray<Parameters<typeof totalAmount>[0][number]>; payments: Array<object> }
  return { ...sale, payments: [{ type: "CARD", amount: totalAmount(sale.items) }] }
}

const tree = paid(Result.getOrThrow(readBodyTree(body)))

const check = () => {
  const sale = Result.getOrThrow(decodeFiscalDocumentRequest(tree, { environment: "production" }))
  Result.getOrThrow(checkLabels(sale.items, { group, vatStatus: "IN_VAT", vatCategories: new Set(["О-ПДВ", "П-ПДВ"]) }))
  return { total: totalAmount(sale.items), tax: totalTax(taxByLabel(sale.items, group)) }
}

/** Median CPU time of one call, in microseconds. */
const median = (work: () => unknown): number => {
  for (let warmUp = 0; warmUp < 2_000; warmUp++) work()
  const samples = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    for (let sale = 0; sale < salesPerRound; sale++) work()
    const used = process.cpuUsage(before)
    return (used.user + used.system) / salesPerRound
  }).sort((one, other) => one - other)
  return samples[rounds / 2] ?? 0
}

const rounded = (micros: number): string => micros.toFixed(1)

const decoded = decodeFiscalDocumentRequest(tree, { environment: "production" })
const sale = median(check)
const decoding = median(() => decodeFiscalDocumentRequest(tree, { environment: "production" }))
const taxes = median(() => taxByLabel(Result.getOrThrow(decoded).items, group))
const binding = median(() => fingerprint("POST /v1/fiscal-documents", tree))

process.stdout.write(
  `ten-line sale: ${rounded(sale)} µs CPU (limit ${limitMicros})\n` +
    `  decode and validate ${rounded(decoding)} µs, taxes ${rounded(taxes)} µs\n` +
    `  fingerprint of the key, apart from that: ${rounded(binding)} µs\n`
)
// The engine's own JSON reader of the same text is the reference, so that the speed of the machine cancels out.
const yardstick = median(() => JSON.parse(body))
tellFigure({ name: "domain: a ten-line sale / JSON.parse of its body", value: sale / yardstick, better: "lower" })
tellFigure({ name: "domain: fingerprint of the key / JSON.parse of its body", value: binding / yardstick, better: "lower" })
process.exitCode = sale < limitMicros ? 0 : 1
