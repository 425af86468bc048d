import { BigDecimal, DateTime, Option, Result, Schema } from "effect"
import {
  decimalField,
  field,
  integerField,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  readCategoryType,
  type TaxRate,
  type TaxRateGroup,
  textField
} from "@overa/domain"

/** A status answer without a usable tax configuration. */
export class TaxRatesUnreadable extends Schema.TaggedError<TaxRatesUnreadable>()("TaxRatesUnreadable", {
  reason: Schema.String
}) {}

const listField = (object: JsonObject, name: string): ReadonlyArray<unknown> => {
  const value = field(object, name)
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

const readCategory = (value: unknown): ReadonlyArray<TaxRate> | null => {
  if (!isJsonObject(value)) return null
  const category = textField(value, "name")
  const categoryType = readCategoryType(value)
  if (category === null || categoryType === null) return null
  const rates = listField(value, "taxRates").map((entry): TaxRate | null => {
    const label = isJsonObject(entry) ? textField(entry, "label") : null
    const rate = isJsonObject(entry) ? decimalField(entry, "rate") : null
    return label === null || rate === null || BigDecimal.isNegative(rate) ? null : { label, category, categoryType, rate }
  })
  return rates.includes(null) ? null : rates.filter((rate) => rate !== null)
}

/** A time without offset is UTC here: every published one is (V-PFR §5). */
const readValidFrom = (text: string): DateTime.Utc | null => {
  const iso = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`
  return Option.getOrNull(Option.map(DateTime.make(iso), DateTime.toUtc))
}

const readGroup = (value: unknown): TaxRateGroup | null => {
  if (!isJsonObject(value)) return null
  const groupId = integerField(value, "groupId")
  const validFrom = readValidFrom(textField(value, "validFrom") ?? "")
  const categories = listField(value, "taxCategories").map(readCategory)
  if (groupId === null || validFrom === null || categories.length === 0 || categories.includes(null)) return null
  const rates = categories.flatMap((category) => category ?? [])
  return new Set(rates.map((rate) => rate.label)).size === rates.length ? { groupId, validFrom, rates } : null
}

/**
 * The tax-rate groups of a status answer, newest first. The current group must be readable; an unreadable older one makes the whole answer fail,
 * because a refund would otherwise be checked against an incomplete history.
 */
export const readTaxRates = (text: string): Result.Result<ReadonlyArray<TaxRateGroup>, TaxRatesUnreadable> => {
  const body = parseExactJson(text)
  if (!isJsonObject(body)) return Result.fail(new TaxRatesUnreadable({ reason: "the status is not a JSON object" }))
  const current = listField(body, "currentTaxRates")
  if (current.length === 0) return Result.fail(new TaxRatesUnreadable({ reason: "the status names no current tax rates" }))
  const byId = new Map<number, TaxRateGroup>()
  for (const entry of [...listField(body, "allTaxRates"), ...current]) {
    const group = readGroup(entry)
    if (group === null) return Result.fail(new TaxRatesUnreadable({ reason: "a tax-rate group is malformed" }))
    byId.set(group.groupId, group)
  }
  return Result.succeed([...byId.values()].sort((a, b) => DateTime.Order(b.validFrom, a.validFrom)))
}
