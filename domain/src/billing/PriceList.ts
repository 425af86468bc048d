import { BigDecimal, type DateTime, Schema } from "effect"
import type { LicenseModule } from "../licensing/licenseGate.ts"
import { atMostDecimals } from "../money/Dinars.ts"
import { type CalendarMonth, monthOf } from "../time/CalendarMonth.ts"

/** A price without VAT, in dinars: 0 to 999 999 999.99, at most two decimals. */
export const Price = Schema.BigDecimal.check(
  Schema.isBetweenBigDecimal({ minimum: BigDecimal.fromBigInt(0n), maximum: BigDecimal.fromStringUnsafe("999999999.99") }),
  atMostDecimals(2)
).pipe(Schema.brand("Price"))
export type Price = typeof Price.Type

/** A rate of VAT in percent: 0 to 99.99, at most two decimals. */
export const VatRate = Schema.BigDecimal.check(
  Schema.isBetweenBigDecimal({ minimum: BigDecimal.fromBigInt(0n), maximum: BigDecimal.fromStringUnsafe("99.99") }),
  atMostDecimals(2)
).pipe(Schema.brand("VatRate"))
export type VatRate = typeof VatRate.Type

/** The operator's prices, without VAT. Source: Spec, Authentication 8 (further pricing follows a price list). */
export interface Prices {
  /** For a whole month of a licence in force. */
  readonly licenseFee: Price
  /** For a whole month of each module. */
  readonly moduleFees: Readonly<Record<LicenseModule, Price>>
  /** For each document beyond the included ones. */
  readonly documentPrice: Price
  readonly vatRate: VatRate
}

/** Prices from a month on. A version is never changed; the operator adds a new one. */
export interface PriceList extends Prices {
  /** 1 for the first; each next version is one more. */
  readonly version: number
  readonly validFrom: CalendarMonth
  readonly decidedAt: DateTime.Utc
}

/**
 * The prices of a month: of the lists that begin in that month or before, those with the latest beginning; among them the one decided last. Null
 * before the first list.
 */
export const priceListOf = (lists: ReadonlyArray<PriceList>, month: CalendarMonth): PriceList | null => {
  const later = (one: PriceList | null, other: PriceList): PriceList =>
    one === null || other.validFrom > one.validFrom || (other.validFrom === one.validFrom && other.version > one.version) ? other : one
  return lists.filter(({ validFrom }) => validFrom <= month).reduce<PriceList | null>(later, null)
}

/**
 * Whether prices may begin with a month. Prices of a month that has begun do not change: only the very first list may begin with the month in which
 * it is decided, and none with an earlier one.
 */
export const mayBeginWith = (lists: ReadonlyArray<PriceList>, month: CalendarMonth, now: DateTime.DateTime): boolean => {
  const running = monthOf(now)
  return lists.length === 0 ? month >= running : month > running
}

const decimal = (text: string): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe(text.replace(",", "."))

/**
 * A price as a person enters it, with a point or a comma before at most two decimals; null for anything else. Thousands separators are refused:
 * `1.990` could be either.
 *
 * @example readPrice("1990,50") // 1990.50
 */
export const readPrice = (text: string): Price | null => /^\d{1,9}(?:[.,]\d{1,2})?$/.test(text) ? decimal(text) as Price : null

/** A rate of VAT in percent as a person enters it: `20`, `9,5`; null for anything else. */
export const readVatRate = (text: string): VatRate | null => /^\d{1,2}(?:[.,]\d{1,2})?$/.test(text) ? decimal(text) as VatRate : null
