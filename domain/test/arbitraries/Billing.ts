import { BigDecimal, DateTime } from "effect"
import * as fc from "fast-check"
import type { InvoiceBuyer, InvoiceIssuer } from "../../src/billing/Invoice.ts"
import type { LicenseChange } from "../../src/billing/licensedDays.ts"
import type { Price, PriceList, Prices, VatRate } from "../../src/billing/PriceList.ts"
import type { LicenseModule } from "../../src/licensing/licenseGate.ts"
import type { CalendarMonth } from "../../src/time/CalendarMonth.ts"

/** Amounts are made from whole paras, without floating point. */
export const paras = (value: number): BigDecimal.BigDecimal => BigDecimal.make(BigInt(value), 2)

/** An amount in whole paras. */
export const parasOf = (amount: BigDecimal.BigDecimal): bigint => BigDecimal.scale(amount, 2).value

export const price: fc.Arbitrary<Price> = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 99_999_999_999 }), fc.integer({ min: 0, max: 200 }))
  .map((value) => paras(value) as Price)
export const vatRate: fc.Arbitrary<VatRate> = fc.oneof(fc.constantFrom(0, 1000, 2000), fc.integer({ min: 0, max: 9_999 })).map((value) => paras(value) as VatRate)

/** Months around those with a clock change, also leap years and the end of the year. */
export const month: fc.Arbitrary<CalendarMonth> = fc.tuple(fc.integer({ min: 2024, max: 2032 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, ofYear]) => `${year}-${String(ofYear).padStart(2, "0")}` as CalendarMonth)

export const prices: fc.Arbitrary<Prices> = fc.record({
  licenseFee: price,
  moduleFees: fc.record({ advance: price, email: price }),
  documentPrice: price,
  vatRate
})

export const priceList: fc.Arbitrary<PriceList> = fc.tuple(prices, month, fc.integer({ min: 1, max: 9 }))
  .map(([given, validFrom, version]) => ({ ...given, validFrom, version, decidedAt: DateTime.makeUnsafe(0) }))

/** Instants from the middle of the month before to the middle of the month after, at midnight and at other times. */
export const around = (of: CalendarMonth): fc.Arbitrary<DateTime.Utc> => {
  const middle = DateTime.toEpochMillis(DateTime.makeUnsafe(`${of}-15T22:00:00Z`))
  const hours = fc.integer({ min: -31 * 24, max: 31 * 24 }).map((hour) => hour * 3_600_000)
  return fc.tuple(hours, fc.constantFrom(-1, 0, 1, 1_234_567)).map(([hour, odd]) => DateTime.makeUnsafe(middle + hour + odd))
}

/** Possible changes of a licence around a month, oldest first. */
export const changes = (of: CalendarMonth): fc.Arbitrary<ReadonlyArray<LicenseChange>> =>
  fc.array(
    fc.record({
      changedAt: around(of),
      startsAt: around(of),
      expiresAt: fc.option(around(of)),
      suspended: fc.integer({ min: 0, max: 3 }).map((it) => it === 0),
      modules: fc.subarray<LicenseModule>(["advance", "email"])
    }),
    { maxLength: 5 }
  ).map((all) => all.toSorted((one, other) => DateTime.toEpochMillis(one.changedAt) - DateTime.toEpochMillis(other.changedAt)))

export const issuer: InvoiceIssuer = {
  name: "Овера д.о.о.",
  address: "Немањина 4",
  city: "Београд",
  taxIdentifier: "100000057",
  registrationNumber: "20000001",
  bankAccount: "160-0000000000001-49",
  email: "fakture@primer.example",
  paymentDays: 15,
  note: null
}

export const buyer: InvoiceBuyer = { organizationName: "Књижара Зора", name: "Зора д.о.о.", taxIdentifier: "100000073", address: "Балканска 1", city: "Ниш" }
