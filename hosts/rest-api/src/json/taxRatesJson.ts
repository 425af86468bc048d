import { belgradeLocalTime, type BusinessPremise, type TaxRate, type TaxRateGroup, type TaxRateHistory } from "@overa/domain"
import { BigDecimal, DateTime } from "effect"
import { jsonNumber, utcTime } from "@overa/host-kit"

/** Source: Spec, Resources, TaxRateConfiguration; Decisions §5, Values. */
export const taxRatesJson = (premise: BusinessPremise, history: TaxRateHistory, current: TaxRateGroup) => ({
  source: "V-PFR",
  environment: premise.environment,
  taxpayerId: premise.taxpayerId,
  businessPremiseId: premise.id,
  currentTaxGroupId: current.groupId,
  validFrom: belgradeLocalTime(current.validFrom),
  fetchedAt: utcTime(history.fetchedAt),
  labels: current.rates.map((rate) => ({
    label: rate.label,
    category: rate.category,
    categoryType: rate.categoryType,
    rate: jsonNumber(rate.rate),
    activeFrom: belgradeLocalTime(activeFrom(rate, history, current))
  }))
})

/** Since when the label has had its current meaning: the first of the unbroken groups, back from the current one, in which it is the same. */
const activeFrom = (rate: TaxRate, history: TaxRateHistory, current: TaxRateGroup): DateTime.Utc => {
  const earlier = history.groups
    .filter(({ validFrom }) => DateTime.isLessThan(validFrom, current.validFrom))
    .sort((a, b) => DateTime.Order(b.validFrom, a.validFrom))
  const firstOther = earlier.findIndex((group) => !group.rates.some((other) => sameRate(other, rate)))
  const unbroken = firstOther < 0 ? earlier : earlier.slice(0, firstOther)
  return unbroken.at(-1)?.validFrom ?? current.validFrom
}

const sameRate = (one: TaxRate, other: TaxRate): boolean =>
  one.label === other.label && one.category === other.category && one.categoryType === other.categoryType &&
  BigDecimal.Equivalence(one.rate, other.rate)
