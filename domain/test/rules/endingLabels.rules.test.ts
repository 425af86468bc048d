import { DateTime } from "effect"
import * as fc from "fast-check"
import { endingLabels, labelWarningDays } from "../../src/catalogue/endingLabels.ts"
import { checkLabelsExist } from "../../src/tax/checkLabels.ts"
import { groupAt } from "../../src/tax/TaxRateGroup.ts"
import { catalogue } from "../arbitraries/Product.ts"
import { groupOf, rate } from "../arbitraries/TaxRates.ts"
import { rule } from "./ruleBook.ts"

const now = DateTime.makeUnsafe("2026-03-01T12:00:00Z")
const labels = ["Ђ", "Е", "E", "Г", "А", "A", "F", " P", "a,b", "\"x\""] as const

/** Groups that begin some hours around now, each with labels of its own. */
const groups = fc.array(
  fc.record({ hours: fc.integer({ min: -400, max: 400 }), has: fc.subarray([...labels], { minLength: 1 }) }),
  { maxLength: 5 }
).map((given) => [
  groupOf(labels.map((label) => rate(label, "VAT", "20")), "2021-12-19T23:00:00Z", 1),
  ...given.map(({ has, hours }, place) =>
    groupOf(has.map((label) => rate(label, "VAT", "20")), DateTime.formatIso(DateTime.add(now, { hours })), place + 2))
])

const isSellable = (taxLabels: ReadonlyArray<string>, given: Parameters<typeof groupAt>[0], at: DateTime.Utc): boolean => {
  const group = groupAt(given, at)
  return group !== null && checkLabelsExist([{ taxLabels }], group)._tag === "Success"
}

rule("CATALOGUE-12", {
  says: "A shop is told of each label of its active products that cannot be sold now or ends within a week, and of no other.",
  source: "Decisions §2, fresh tax configuration"
}, ({ holds, holdsForEvery }) => {
  holds("an active product is named exactly where a sale of it would be refused for its label at some moment of that week",
    { products: catalogue(4), given: groups }, ({ given, products }) => {
      const told = new Set(endingLabels(products, given, now).flatMap(({ skus }) => skus))
      // Rates change at the beginnings of groups only.
      const moments = [now, ...given.map(({ validFrom }) => validFrom)].filter((at) =>
        DateTime.isGreaterThanOrEqualTo(at, now) && DateTime.isLessThanOrEqualTo(at, DateTime.add(now, { days: labelWarningDays })))
      return products.every((product) =>
        told.has(product.sku) === (product.isActive && moments.some((at) => !isSellable(product.taxLabels, given, at))))
    })
  holds("a label is named once, with the first moment from which it cannot be sold", { products: catalogue(4), given: groups }, ({ given, products }) => {
    const ending = endingLabels(products, given, now)
    return new Set(ending.map(({ label }) => label)).size === ending.length &&
      ending.every(({ endsAt, label }) =>
        endsAt === null ? !isSellable([label], given, now) : isSellable([label], given, now) && !isSellable([label], given, endsAt))
  })
  const without = groupOf([rate("А", "VAT", "0")], DateTime.formatIso(DateTime.add(now, { days: labelWarningDays })), 9)
  holdsForEvery("the week's last instant counts, and one that is later does not", [
    { group: without, told: 1 },
    { group: { ...without, validFrom: DateTime.add(without.validFrom, { milliseconds: 1 }) }, told: 0 }
  ], ({ group, told }) =>
    endingLabels([{ sku: "KNJ-1" as never, taxLabels: ["Ђ"], isActive: true }], [groupOf([rate("Ђ", "VAT", "20")]), group], now).length === told)
})
