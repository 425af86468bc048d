import {
  type CalendarMonth,
  composeInvoice,
  type InvoiceBuyer,
  type InvoiceContent,
  type InvoiceIssuer,
  type LicenseChange,
  type PriceList,
  readPrice,
  readVatRate
} from "@overa/domain"
import { DateTime } from "effect"

/** An issuer with every letter that can cause problems. */
export const sampleIssuer: InvoiceIssuer = {
  name: "Овера „Чамац“ <b>d.o.o.</b> & Šćepan",
  address: "Немањина 4",
  city: "Београд",
  taxIdentifier: "100000057",
  registrationNumber: "20000001",
  bankAccount: "160-0000000000001-49",
  email: "fakture@primer.example",
  paymentDays: 15,
  note: "Хвала"
}

/** A month like 2026-11. */
export const month = (text: string): CalendarMonth => text as CalendarMonth

/** A licence without end from an instant on. */
export const sampleChange = (changedAt: string, changes: Partial<LicenseChange> = {}): LicenseChange => ({
  changedAt: DateTime.makeUnsafe(changedAt),
  startsAt: DateTime.makeUnsafe(changedAt),
  expiresAt: null,
  suspended: false,
  modules: [],
  ...changes
})

/** Amounts as given in the texts. */
export const samplePrices = (licence = "1990", document = "2.50") => ({
  licenseFee: known(readPrice(licence)),
  moduleFees: { advance: known(readPrice("500")), email: known(readPrice("300,10")) },
  documentPrice: known(readPrice(document)),
  vatRate: known(readVatRate("20"))
})

const known = <Value>(read: Value | null): Value => {
  if (read === null) throw new Error("a sample amount that cannot be read")
  return read
}

export const sampleBuyer = (changes: Partial<InvoiceBuyer> = {}): InvoiceBuyer => ({
  organizationName: "Књижара",
  name: "Зора д.о.о.",
  taxIdentifier: "100000073",
  address: "Балканска 1",
  city: null,
  ...changes
})

/** The content of an invoice of a month. */
export const sampleInvoice = (of: string, buyer: InvoiceBuyer = sampleBuyer(), documents = 700): InvoiceContent => {
  const prices: PriceList = { ...samplePrices(), version: 1, validFrom: month("2026-01"), decidedAt: DateTime.makeUnsafe(0) }
  const licenseChanges = [sampleChange("2024-01-01T00:00:00Z", { modules: ["advance", "email"] })]
  const content = composeInvoice({ month: month(of), prices, issuer: sampleIssuer, buyer, licenseChanges, documents })
  if (content === null) throw new Error("nothing to pay")
  return content
}
