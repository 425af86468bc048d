/** Amounts, taxes and times: exact decimals, one rounding, the rates of an instant, Belgrade days. */
export { atMostDecimals, Dinars, maximumDinars, Quantity } from "../money/Dinars.ts"
export { formatDecimal, hasAtMostDecimals, inThousands } from "../money/decimals.ts"
export { lineAmount, type PricedLine, roundHalfAwayFromZero, roundToPara, totalAmount } from "../money/rounding.ts"
export { CategoryType, groupAt, TaxRate, TaxRateGroup, type TaxRateHistory } from "../tax/TaxRateGroup.ts"
export { CurrentTaxConfigurationUnavailable, TaxLabelNotAllowedOutsideVat, TaxLabelNotCurrent } from "../tax/errors.ts"
export { pfrInstant, PfrTime } from "../time/PfrTime.ts"
export {
  belgradeDay, belgradeDayRange, belgradeLocalTime, belgradeMonth, belgradeMonthRange, belgradeTime, belgradeTimeOf, isCalendarDate
} from "../time/belgradeTime.ts"
export { checkLabels, checkLabelsExist, vatLabels } from "../tax/checkLabels.ts"
export { lookAlike, spelledOut } from "../tax/lookAlike.ts"
export { type LabelTax, printedTax, printedTotalTax, taxByLabel, totalTax } from "../tax/taxByLabel.ts"
