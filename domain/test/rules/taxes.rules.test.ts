import { BigDecimal, DateTime, Result } from "effect"
import * as fc from "fast-check"
import { lineAmount, totalAmount } from "../../src/money/rounding.ts"
import { checkLabels, checkLabelsExist, vatLabels } from "../../src/tax/checkLabels.ts"
import { groupAt } from "../../src/tax/TaxRateGroup.ts"
import { printedTax, printedTotalTax, taxByLabel, totalTax } from "../../src/tax/taxByLabel.ts"
import { decimal, lineOf, saleLine } from "../arbitraries/SaleLine.ts"
import { groupOf, productionRates, productionVatCategories, sandboxRates, sandboxVatCategories } from "../arbitraries/TaxRates.ts"
import { rule } from "./ruleBook.ts"

/** An item of a given total and quantity, as the vectors state them. */
const itemOf = (total: string, quantity: string, taxLabels: ReadonlyArray<string>) => ({
  quantity: decimal(quantity),
  unitPrice: BigDecimal.fromBigInt(0n),
  signedAmount: decimal(total),
  taxLabels
})

type Expected = Readonly<Record<string, string>>

const amountsAre = (taxes: ReturnType<typeof taxByLabel>, expected: Expected): boolean =>
  taxes.length === Object.keys(expected).length &&
  taxes.every((tax) => BigDecimal.equals(tax.amount, decimal(expected[tax.label] ?? "-1")))

rule("TAX-1", {
  says: "The tax of each label is computed as the V-PFR computes it, to four decimals.",
  source: "V-PFR §6.2, vectors"
}, ({ holdsForEvery }) => {
  const vectors: ReadonlyArray<{ readonly item: ReturnType<typeof itemOf>; readonly expected: Expected }> = [
    { item: itemOf("33909.08", "50.913", ["E", "T"]), expected: { T: "664.8839", E: "1881.7469" } },
    { item: itemOf("1", "1", ["P", "Ж"]), expected: { P: "0.5000", Ж: "0.0798" } },
    { item: itemOf("68.46", "2", ["A"]), expected: { A: "5.6527" } },
    { item: itemOf("730", "1", ["F"]), expected: { F: "72.3423" } }
  ]
  holdsForEvery("the sandbox vectors", vectors, ({ item, expected }) => amountsAre(taxByLabel([item], sandboxRates), expected))
  holdsForEvery("a tax per unit above the price leaves a negative rest, rounded away from zero as well",
    [{ item: itemOf("0.10", "1", ["P", "Ж"]), expected: { P: "0.5", Ж: "-0.0639" } }],
    ({ item, expected }) => amountsAre(taxByLabel([item], sandboxRates), expected))
  holdsForEvery("an unknown label has no tax; the V-PFR refuses it", [itemOf("10", "1", ["Q"])], (item) => taxByLabel([item], sandboxRates).length === 0)
  holdsForEvery("the technical instruction's examples at 20 %", [["12000000", "2000000"], ["7000", "1166.6667"]],
    ([total = "", tax = ""]) => amountsAre(taxByLabel([itemOf(total, "1", ["Ђ"])], productionRates), { Ђ: tax }))
  holdsForEvery("a receipt of a shop with two rates: 10 % and 20 %", [productionRates], (rates) => {
    const food = [["119.99", "1.066"], ["89.99", "2.010"], ["179.99", "1.172"], ["199.99", "1.482"]] as const
    const taxes = taxByLabel([...food.map(([price, kilos]) => lineOf(price, kilos, { taxLabels: ["Е"] })), lineOf("12.99", "1")], rates)
    return taxes.map((tax) => `${tax.label} ${BigDecimal.format(printedTax(tax))}`).join() === "Ђ 2.17,Е 74.19" &&
      BigDecimal.equals(printedTotalTax(taxes), decimal("76.36"))
  })
})

rule("TAX-2", {
  says: "Taxes are summed over the items per label, every label used has its entry, zero-rated ones too, sorted by label.",
  source: "V-PFR §3 (taxItems), §6.2 step 6"
}, ({ holds }) => {
  const items = fc.array(saleLine.map((line) => ({ ...line, taxLabels: line.taxLabels.filter((label) => label !== "Đ") })), { maxLength: 6 })
  const known = new Set([...productionRates.rates, ...sandboxRates.rates].map((each) => each.label))
  const both = groupOf([...productionRates.rates, ...sandboxRates.rates])
  holds("the labels of the answer are those of the items", { items }, ({ items: lines }) => {
    const labels = taxByLabel(lines, both).map((tax) => tax.label)
    const used = new Set(lines.flatMap((line) => line.taxLabels).filter((label) => known.has(label)))
    return labels.length === used.size && labels.every((label, at) => used.has(label) && (at === 0 || (labels[at - 1] ?? "") < label))
  })
  holds("the order of the items changes nothing", { items }, ({ items: lines }) => {
    const [forth, back] = [taxByLabel(lines, both), taxByLabel([...lines].reverse(), both)]
    return forth.every((tax, at) => BigDecimal.equals(tax.amount, back[at]?.amount ?? decimal("-1")))
  })
  holds("every amount has at most four decimals", { items },
    ({ items: lines }) => taxByLabel(lines, both).every((tax) => BigDecimal.normalize(tax.amount).scale <= 4))
})

rule("TAX-3", {
  says: "With taxes on net alone, net and tax make up the gross, to the fourth decimal of each line.",
  source: "V-PFR §6.1, §6.2"
}, ({ holds }) => {
  holds("for one rate of 20 or 10 per cent", { line: saleLine, label: fc.constantFrom("Ђ", "Е") }, ({ line, label }) => {
    const [tax] = taxByLabel([{ ...line, taxLabels: [label] }], productionRates)
    const gross = lineAmount(line)
    const share = label === "Ђ" ? decimal("6") : decimal("11")
    const exact = BigDecimal.divideUnsafe(gross, share)
    const difference = BigDecimal.abs(BigDecimal.subtract(tax?.amount ?? gross, exact))
    return BigDecimal.isLessThanOrEqualTo(difference, decimal("0.0001"))
  })
  holds("a zero rate takes nothing", { lines: fc.array(saleLine, { minLength: 1, maxLength: 3 }), label: fc.constantFrom("Г", "А") },
    ({ lines, label }) => BigDecimal.isZero(totalTax(taxByLabel(lines.map((line) => ({ ...line, taxLabels: [label] })), productionRates))))
  holds("no tax exceeds the total", { lines: fc.array(saleLine, { minLength: 1, maxLength: 3 }) }, ({ lines }) => {
    const taxed = lines.map((line) => ({ ...line, taxLabels: ["Ђ"] }))
    return BigDecimal.isLessThanOrEqualTo(totalTax(taxByLabel(taxed, productionRates)), totalAmount(taxed))
  })
})

rule("TAX-4", {
  says: "On paper each label's tax is rounded to the para, and the total tax is the sum of those rounded amounts.",
  source: "V-PFR §6.3"
}, ({ holds, holdsForEvery }) => {
  const taxes = (...amounts: ReadonlyArray<string>) => amounts.map((amount) => ({ amount: decimal(amount) }))
  holdsForEvery("the measured receipt: 10.3082 and 107.3266 print 117.64, not 117.63", [taxes("10.3082", "107.3266")],
    (both) => BigDecimal.equals(printedTotalTax(both), decimal("117.64")) && BigDecimal.equals(totalTax(both), decimal("117.6348")))
  holdsForEvery("half a para is rounded up", ["2.1650"], (amount) => BigDecimal.equals(printedTotalTax(taxes(amount)), decimal("2.17")))
  holds("the printed total is the sum of the printed amounts", { parts: fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 6 }) },
    ({ parts }) => {
      const amounts = parts.map((part) => ({ amount: BigDecimal.make(BigInt(part), 4) }))
      return BigDecimal.equals(printedTotalTax(amounts), BigDecimal.sumAll(amounts.map(printedTax)))
    })
})

const hours = fc.integer({ min: 0, max: 100 })
const hour = (number: number): DateTime.Utc => DateTime.makeUnsafe(1_700_000_000_000 + number * 3_600_000)

rule("TAX-5", {
  says: "The rates of an instant are those of the group with the greatest beginning not after it, so that a scheduled change needs no " +
    "fetch.",
  source: "Decisions §2, Fresh tax configuration; V-PFR §2 (rates of a refund)"
}, ({ holds, holdsForEvery }) => {
  holds("of any groups in any order", { begins: fc.uniqueArray(hours, { maxLength: 6 }), at: hours }, ({ begins, at }) => {
    const groups = begins.map((begin) => ({ groupId: begin, validFrom: hour(begin), rates: [] }))
    const expected = begins.filter((begin) => begin <= at).reduce((latest, begin) => Math.max(latest, begin), -1)
    return (groupAt(groups, hour(at))?.groupId ?? -1) === expected
  })
  holdsForEvery("at its very beginning a group is in force; before the first there is none", [7], (begin) => {
    const groups = [{ groupId: 1, validFrom: hour(begin), rates: [] }]
    return groupAt(groups, hour(begin)) !== null && groupAt(groups, hour(begin - 1)) === null && groupAt([], hour(begin)) === null
  })
  holdsForEvery("of two that begin together the later numbered", [[1, 2], [2, 1]], (order) =>
    groupAt(order.map((groupId) => ({ groupId, validFrom: hour(1), rates: [] })), hour(2))?.groupId === 2)
})

const labelled = (...labels: ReadonlyArray<string>) => [{ taxLabels: labels }]
const inVat = { group: productionRates, vatStatus: "IN_VAT", vatCategories: productionVatCategories } as const
const outsideVat = { ...inVat, vatStatus: "OUTSIDE_VAT" } as const

const refusalOf = (result: Result.Result<void, { readonly code: string; readonly invalidLabels: ReadonlyArray<string> }>): string =>
  Result.isSuccess(result) ? "" : `${result.failure.code} ${result.failure.invalidLabels.join()}`

rule("LABEL-1", {
  says: "A receipt carries labels of the current configuration only, compared code point for code point and never mapped.",
  source: "Spec, fiscal-documents rule 3; Decisions §1",
  proves: ["TAX_LABEL_NOT_CURRENT"]
}, ({ holds, holdsForEvery }) => {
  holds("every label outside the configuration is named once, in the order of the items", { items: fc.array(saleLine, { maxLength: 5 }) },
    ({ items }) => {
      const valid = productionRates.rates.map((each) => each.label)
      const wrong = [...new Set(items.flatMap((item) => item.taxLabels))].filter((label) => !valid.includes(label))
      const checked = checkLabels(items, inVat)
      const places = items.flatMap(({ taxLabels }, item) => taxLabels.flatMap((label, at) => wrong.includes(label) ? [`/items/${item}/taxLabels/${at}`] : []))
      return refusalOf(checked) === (wrong.length === 0 ? "" : `TAX_LABEL_NOT_CURRENT ${wrong.join()}`) &&
        (Result.isSuccess(checked) || checked.failure.details?.map(({ pointer }) => pointer).join() === places.join())
    })
  holdsForEvery("a look-alike is refused, and the message names the letter that was meant with its code point",
    [["E", "Е (U+0415)"], ["A", "А (U+0410)"], ["Đ", "Ђ (U+0402)"], ["е", "Е (U+0415)"], ["ђ", "Ђ (U+0402)"], ["Γ", "Г (U+0413)"]],
    ([wrong = "", meant = ""]) => {
      const checked = checkLabels(labelled(wrong), inVat)
      return Result.isFailure(checked) && checked.failure.code === "TAX_LABEL_NOT_CURRENT" && checked.failure.message.includes(meant)
    })
  holdsForEvery("in sandbox too: Cyrillic А for Latin A", ["А"], (wrong) => {
    const checked = checkLabelsExist(labelled(wrong), sandboxRates)
    return Result.isFailure(checked) && checked.failure.message.includes("A (U+0041)")
  })
  holdsForEvery("every label is spelled out in capital hexadecimal digits", ["Њ"], (wrong) => {
    const checked = checkLabelsExist(labelled(wrong), productionRates)
    return Result.isFailure(checked) && checked.failure.message.includes("Њ (U+040A)")
  })
  holdsForEvery("a label like no other is refused without a guess", ["X", "ЂЂ", " Ђ"], (wrong) => {
    const checked = checkLabelsExist(labelled(wrong), productionRates)
    return Result.isFailure(checked) && checked.failure.message.includes("perhaps Ђ (U+0402) is meant") === (wrong === " Ђ")
  })
})

rule("LABEL-2", {
  says: "A taxpayer outside the VAT system uses no VAT label; which labels are, the configured categories of the environment say.",
  source: "Spec, Errors, Catalogue; Decisions §1",
  proves: ["TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT"]
}, ({ holdsForEvery, holds }) => {
  holdsForEvery("the VAT labels of production and of sandbox",
    [[productionRates, productionVatCategories, "Ђ,Е,Г"], [sandboxRates, sandboxVatCategories, "A,B,Ж"]] as const,
    ([rates, categories, labels]) => vatLabels(rates, categories).join() === labels)
  holds("outside VAT every VAT label is named, inside none", { labels: fc.uniqueArray(fc.constantFrom("Ђ", "Е", "Г", "А"), { minLength: 1 }) },
    ({ labels }) => {
      const vat = labels.filter((label) => label !== "А")
      return refusalOf(checkLabels(labelled(...labels), inVat)) === "" &&
        refusalOf(checkLabels(labelled(...labels), outsideVat)) === (vat.length === 0 ? "" : `TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT ${vat.join()}`)
    })
  holdsForEvery("with no VAT label among them nothing is refused", [labelled("А"), []], (items) => refusalOf(checkLabels(items, outsideVat)) === "")
  holdsForEvery("a label that is not current is told first", [labelled("Ђ", "Q")],
    (items) => refusalOf(checkLabels(items, outsideVat)) === "TAX_LABEL_NOT_CURRENT Q")
})

rule("LABEL-3", {
  says: "Refunds, copies and Advance Refunds ask only whether a label existed at the referenced document's time; neither currency nor VAT " +
    "status stops them.",
  source: "Decisions §2"
}, ({ holds }) => {
  const old = groupOf(productionRates.rates, "2022-01-01T00:00:00Z", 1)
  const today = groupOf(productionRates.rates.filter((each) => each.label !== "Е"), "2026-01-01T00:00:00Z", 2)
  holds("a label abolished since is refunded by the rates of its time", { sold: fc.constantFrom("2022-01-01T00:00:00Z", "2025-12-31T23:59:59Z") },
    ({ sold }) => {
      const then = groupAt([today, old], DateTime.makeUnsafe(sold))
      return then !== null && refusalOf(checkLabelsExist(labelled("Е"), then)) === "" && refusalOf(checkLabelsExist(labelled("Е"), today)) !== ""
    })
})
