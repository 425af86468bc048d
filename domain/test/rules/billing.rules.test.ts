import { BigDecimal, DateTime, Result } from "effect"
import * as fc from "fast-check"
import { composeInvoice, invoiceDays, printedNumber, readInvoiceNumber, shareOf } from "../../src/billing/composeInvoice.ts"
import { type Invoice, type InvoiceContent, paidOn } from "../../src/billing/Invoice.ts"
import { closingMarginHours, type LicenseChange, licensedDays, mayClose, monthsLookedBack, monthsToClose } from "../../src/billing/licensedDays.ts"
import { mayBeginWith, type PriceList, priceListOf } from "../../src/billing/PriceList.ts"
import { licenseInForce, type LicenseModule } from "../../src/licensing/licenseGate.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { OrganizationId } from "../../src/tenancy/identifiers.ts"
import { belgradeDay } from "../../src/time/belgradeTime.ts"
import { type CalendarMonth, daysOfMonth, monthOf, monthRange, monthsLater, readMonth } from "../../src/time/CalendarMonth.ts"
import { around, buyer, changes, issuer, month, paras, parasOf, price, priceList } from "../arbitraries/Billing.ts"
import { rule } from "./ruleBook.ts"

const millis = DateTime.toEpochMillis
const at = (text: string): DateTime.Utc => DateTime.makeUnsafe(text)
const hours = (range: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }): number => (millis(range.to) - millis(range.from)) / 3_600_000
const monthly = <A>(of: (month: CalendarMonth) => fc.Arbitrary<A>) => month.chain((one) => of(one).map((value) => [one, value] as const))

rule("BILLING-1", {
  says: "A billed month is the Belgrade calendar month, and its days are Belgrade days, the two on which the clocks change included.",
  source: "Decisions §1, DateTime; Decisions §5, GET /v1/license"
}, ({ holds, holdsForEvery }) => {
  holds("its days follow each other without gap from its first midnight to the next month's", { month }, ({ month: one }) => {
    const days = daysOfMonth(one)
    const range = monthRange(one)
    return days.every((day, index) => millis(day.to) === millis(days[index + 1]?.from ?? range.to) && belgradeDay(day.from) === `${one}-${String(index + 1).padStart(2, "0")}`) &&
      millis(days[0]?.from ?? range.to) === millis(range.from) && days.length >= 28 && days.length <= 31
  })
  holds("every instant lies in the month that it is said to lie in, and that month follows on the one before", { month, later: fc.integer({ min: -30, max: 30 }) }, ({ later, month: one }) => {
    const other = monthsLater(one, later)
    const { from, to } = monthRange(other)
    return monthOf(from) === other && monthOf(DateTime.makeUnsafe(millis(to) - 1)) === other && monthOf(to) === monthsLater(other, 1) &&
      monthsLater(other, -later) === one && (later > 0 ? other > one : later === 0 || other < one)
  })
  holdsForEvery("the days on which the clocks change have 23 and 25 hours, every other one 24", [
    ["2026-03", 28, 23], ["2026-10", 24, 25], ["2027-03", 27, 23], ["2027-10", 30, 25]
  ] as const, ([name, odd, length]) => {
    const days = daysOfMonth(name as CalendarMonth).map(hours)
    return days[odd] === length && days.filter((it) => it !== 24).length === 1
  })
  holdsForEvery("what is no month is none", ["2026-13", "2026-00", "2026-1", "26-01", "2026-01-01", "", "2026-01 ", "1999-12"], (text) => readMonth(text) === null)
  holds("a month reads as itself", { month }, ({ month: one }) => readMonth(one) === one)
})

/** Whether the licence was in force at an instant, by the last change before it. */
const inForce = (history: ReadonlyArray<LicenseChange>, instant: number, module: LicenseModule | null): boolean => {
  const last = history.findLast(({ changedAt }) => millis(changedAt) <= instant) ?? null
  return Result.isSuccess(licenseInForce(last, DateTime.makeUnsafe(instant))) && (module === null || last?.modules.includes(module) === true)
}

/** The charged days, counted by testing every moment at which something can begin. */
const daysCounted = (history: ReadonlyArray<LicenseChange>, of: CalendarMonth, module: LicenseModule | null): number => {
  const moments = history.flatMap(({ changedAt, startsAt }) => [millis(changedAt), millis(startsAt)])
  return daysOfMonth(of).filter(({ from, to }) =>
    [millis(from), ...moments.filter((it) => it >= millis(from) && it < millis(to))].some((it) => inForce(history, it, module))).length
}

const license = (changed: string, given: Partial<LicenseChange> = {}): LicenseChange => ({
  changedAt: at(changed),
  startsAt: at(changed),
  expiresAt: null,
  suspended: false,
  modules: [],
  ...given
})

rule("BILLING-2", {
  says: "A fee is charged for the days on which the licence was in force, or the module licensed, at any moment; no other day costs anything.",
  source: "Spec, Authentication 8; docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  holds("whatever was granted, replaced, ended and suspended, and whenever", { given: monthly(changes) }, ({ given: [of, history] }) => {
    const days = licensedDays(history, of)
    return days.license === daysCounted(history, of, null) && days.modules.advance === daysCounted(history, of, "advance") &&
      days.modules.email === daysCounted(history, of, "email") && days.ofMonth === daysOfMonth(of).length
  })
  holds("the order in which changes are read makes no difference while none coincide", { given: monthly(changes) }, ({ given: [of, history] }) => {
    const apart = history.filter((change, index) => history.findIndex(({ changedAt }) => millis(changedAt) === millis(change.changedAt)) === index)
    return fc.stringify(licensedDays(apart.toReversed(), of)) === fc.stringify(licensedDays(apart, of))
  })
  holdsForEvery("begun, ended, suspended, replaced in the middle of a month", [
    ["begun on the 16th at noon", [license("2026-11-16T11:00:00Z")], "2026-11", 15],
    ["begun in the last second of October in Belgrade", [license("2026-10-31T22:59:59Z")], "2026-10", 1],
    ["begun in the first moment of November in Belgrade", [license("2026-10-31T23:00:00Z")], "2026-10", 0],
    ["until the first moment of the 16th", [license("2026-01-01T00:00:00Z", { expiresAt: at("2026-11-15T23:00:00Z") })], "2026-11", 15],
    ["granted ahead for the 20th", [license("2026-11-02T10:00:00Z", { startsAt: at("2026-11-19T23:00:00Z") })], "2026-11", 11],
    ["suspended from the 11th to the 20th", [license("2026-01-01T00:00:00Z"), license("2026-11-10T23:00:00Z", { suspended: true }), license("2026-11-20T23:00:00Z")], "2026-11", 20],
    ["replaced twice, never out of force", [license("2026-01-01T00:00:00Z"), license("2026-11-05T10:00:00Z"), license("2026-11-05T11:00:00Z")], "2026-11", 30],
    ["over both changes of the clocks: March", [license("2026-01-01T00:00:00Z")], "2026-03", 31],
    ["over both changes of the clocks: October", [license("2026-01-01T00:00:00Z")], "2026-10", 31],
    ["taken back on its first day, before it began", [license("2026-11-10T08:00:00Z", { startsAt: at("2026-11-10T12:00:00Z") }), license("2026-11-10T10:00:00Z", { suspended: true })], "2026-11", 0],
    ["ended in the moment it began", [license("2026-11-10T08:00:00Z", { expiresAt: at("2026-11-10T08:00:00Z") })], "2026-11", 0],
    ["none", [], "2026-11", 0]
  ] as const, ([, history, of, days]) => licensedDays(history, of as CalendarMonth).license === days)
  holdsForEvery("of two changes at one instant the later one holds", [[false, 0], [true, 30]] as const, ([last, days]) =>
    licensedDays([license("2026-01-01T00:00:00Z", { suspended: last }), license("2026-01-01T00:00:00Z", { suspended: !last })], "2026-11" as CalendarMonth).license === days)
})

rule("BILLING-3", {
  says: "A part of a month's fee is its exact share, rounded once to the para, half away from zero.",
  source: "Decisions §1, Totals; docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  holds("no other amount of whole paras is nearer", { fee: price, whole: fc.integer({ min: 1, max: 31 }), part: fc.integer({ min: 0, max: 31 }) }, ({ fee, part, whole }) => {
    const twice = 2n * (parasOf(shareOf(fee, part, whole)) * BigInt(whole) - parasOf(fee) * BigInt(part))
    return twice <= BigInt(whole) && twice > -BigInt(whole)
  })
  holds("the whole is the whole, and no day costs more than one more day", { fee: price, whole: fc.integer({ min: 28, max: 31 }), part: fc.integer({ min: 0, max: 27 }) }, ({ fee, part, whole }) =>
    parasOf(shareOf(fee, whole, whole)) === parasOf(fee) && parasOf(shareOf(fee, part, whole)) <= parasOf(shareOf(fee, part + 1, whole)))
  holdsForEvery("halves go up", [["0.01", 1, 2, "0.01"], ["100.00", 1, 3, "33.33"], ["100.00", 2, 3, "66.67"], ["0.03", 1, 2, "0.02"], ["1990.00", 15, 30, "995.00"], ["5", 1, 31, "0.16"]] as const,
    ([fee, part, whole, share]) => formatDecimal(shareOf(BigDecimal.fromStringUnsafe(fee), part, whole), 2) === share)
})

const documents = fc.oneof(fc.integer({ min: 0, max: 1_300 }), fc.constantFrom(599, 600, 601), fc.integer({ min: 0, max: 2_000_000 }))
const monthToBill = month.chain((of) => fc.record({
  month: fc.constant(of),
  prices: priceList,
  issuer: fc.constant(issuer),
  buyer: fc.constant(buyer),
  licenseChanges: changes(of),
  documents
}))
const lineOf = (content: InvoiceContent, kind: string) => content.lines.find((line) => line.kind === kind)
const whole = (given: Partial<PriceList>, used: number, modules: ReadonlyArray<LicenseModule> = []) =>
  composeInvoice({
    month: "2026-11" as CalendarMonth,
    prices: {
      version: 3,
      validFrom: "2026-01" as CalendarMonth,
      decidedAt: at("2025-12-01T00:00:00Z"),
      licenseFee: paras(199_000) as never,
      moduleFees: { advance: paras(50_000) as never, email: paras(0) as never },
      documentPrice: paras(250) as never,
      vatRate: paras(2_000) as never,
      ...given
    },
    issuer,
    buyer,
    licenseChanges: [license("2026-01-01T00:00:00Z", { modules })],
    documents: used
  })
const told = (content: InvoiceContent | null) =>
  content === null ? null : [content.lines.map(({ amount, kind, quantity }) => `${kind} ${quantity} ${formatDecimal(amount, 2)}`).join(", "), formatDecimal(content.net, 2), formatDecimal(content.vat, 2), formatDecimal(content.total, 2)]

rule("BILLING-4", {
  says: "An invoice is the sum of its lines and the VAT of that sum, rounded once; 600 documents are included, each further one costs its price.",
  source: "Spec, Authentication 8; Spec, Limits; docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  holds("its net is the sum of its lines, its total net and VAT, and no amount of paras is nearer to the VAT", { given: monthToBill }, ({ given }) => {
    const content = composeInvoice(given)
    if (content === null) return true
    const net = content.lines.reduce((sum, { amount }) => sum + parasOf(amount), 0n)
    const exact = net * parasOf(given.prices.vatRate)
    const twice = 2n * (parasOf(content.vat) * 10_000n - exact)
    return parasOf(content.net) === net && parasOf(content.total) === net + parasOf(content.vat) && twice <= 10_000n && twice > -10_000n
  })
  holds("every line is its price for its days or documents, and none is nothing", { given: monthToBill }, ({ given }) => {
    const content = composeInvoice(given)
    return content === null || content.lines.every(({ amount, daysOfMonth: of, price: one, quantity }) =>
      parasOf(amount) > 0n && parasOf(amount) === (of === null ? parasOf(one) * BigInt(quantity) : parasOf(shareOf(one, quantity, of))))
  })
  holds("up to 600 documents cost nothing; of more, those beyond are a line", { given: monthToBill }, ({ given }) => {
    const content = composeInvoice(given)
    if (content === null) return true
    const beyond = Math.max(0, given.documents - 600)
    return content.documents === given.documents && content.includedDocuments === 600 &&
      (lineOf(content, "DOCUMENTS")?.quantity ?? 0) === (BigDecimal.isZero(given.prices.documentPrice) ? 0 : beyond)
  })
  holds("an organization whose licence was in force on no day gets none, whatever it used", { given: monthToBill }, ({ given }) => {
    const days = licensedDays(given.licenseChanges, given.month)
    return composeInvoice({ ...given, licenseChanges: [] }) === null && (days.license > 0 || composeInvoice(given) === null)
  })
  holds("it holds the terms it was made from", { given: monthToBill }, ({ given }) => {
    const content = composeInvoice(given)
    return content === null || (content.month === given.month && content.priceListVersion === given.prices.version && content.issuer === given.issuer &&
      content.buyer === given.buyer && content.vatRate === given.prices.vatRate)
  })
  holdsForEvery("examples", [
    [[{}, 600], ["LICENSE 30 1990.00", "1990.00", "398.00", "2388.00"]],
    [[{}, 601], ["LICENSE 30 1990.00, DOCUMENTS 1 2.50", "1992.50", "398.50", "2391.00"]],
    [[{}, 1_000, ["advance", "email"]], ["LICENSE 30 1990.00, ADVANCE_MODULE 30 500.00, DOCUMENTS 400 1000.00", "3490.00", "698.00", "4188.00"]],
    [[{ vatRate: paras(0) as never }, 0], ["LICENSE 30 1990.00", "1990.00", "0.00", "1990.00"]],
    [[{ licenseFee: paras(0) as never }, 600, ["email"]], null]
  ] as const, ([[prices, used, modules = []], wanted]) => fc.stringify(told(whole(prices, used, modules))) === fc.stringify(wanted))
  holdsForEvery("it is to be paid so many days after the Belgrade day of its issue", [
    ["2026-12-02T08:00:00Z", 15, "2026-12-02", "2026-12-17"],
    ["2026-12-31T23:30:00Z", 8, "2027-01-01", "2027-01-09"],
    ["2026-10-20T10:00:00Z", 10, "2026-10-20", "2026-10-30"],
    ["2026-03-20T23:30:00Z", 0, "2026-03-21", "2026-03-21"]
  ] as const, ([issuedAt, paymentDays, issuedOn, dueOn]) => {
    const content = { ...(whole({}, 0) as InvoiceContent), issuer: { ...issuer, paymentDays } }
    const invoice: Invoice = { id: { year: 2026, number: 1 }, organizationId: OrganizationId.make("0190a1b2-0000-7000-8000-000000000001"), issuedAt: at(issuedAt), content }
    return fc.stringify(invoiceDays(invoice)) === fc.stringify({ issuedOn, dueOn })
  })
})

rule("BILLING-5", {
  says: "A month has the prices that began last up to it, the later decision where two began together; prices of a month that has begun do not change.",
  source: "Spec, Authentication 8; docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  const versions = fc.array(priceList, { maxLength: 6 }).map((all) => all.map((list, index) => ({ ...list, version: index + 1 })))
  const lists = versions.chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
  holds("no list that has begun is later than the one chosen", { lists, month }, ({ lists: all, month: of }) => {
    const chosen = priceListOf(all, of)
    const begun = all.filter(({ validFrom }) => validFrom <= of)
    return chosen === null ? begun.length === 0 : begun.includes(chosen) &&
      begun.every((one) => one.validFrom < chosen.validFrom || (one.validFrom === chosen.validFrom && one.version <= chosen.version))
  })
  holdsForEvery("of two that begin together, in whatever order they are read", [[1, 2], [2, 1]], (order) =>
    priceListOf(order.map((version) => ({ version, validFrom: "2026-01" }) as PriceList), "2026-02" as CalendarMonth)?.version === 2)
  holds("whatever is decided later, a month that has begun keeps its prices", { lists, next: priceList, given: monthly(around), ahead: fc.integer({ min: -2, max: 2 }), back: fc.integer({ min: 0, max: 3 }) }, ({ ahead, back, given: [, now], lists: all, next }) => {
    const running = monthOf(now)
    const added = { ...next, validFrom: monthsLater(running, ahead), version: all.length + 1 }
    if (all.length === 0 || !mayBeginWith(all, added.validFrom, now)) return ahead <= 0 || all.length === 0
    const of = monthsLater(running, -back)
    return priceListOf([...all, added], of) === priceListOf(all, of)
  })
  holdsForEvery("only the first list may begin with the running month, which is Belgrade's", [
    [0, "2026-11", "2026-11-20T10:00:00Z", true],
    [0, "2026-10", "2026-11-20T10:00:00Z", false],
    [1, "2026-11", "2026-11-20T10:00:00Z", false],
    [1, "2026-12", "2026-11-20T10:00:00Z", true],
    [1, "2026-12", "2026-11-30T23:00:00Z", false],
    [0, "2026-11", "2026-11-30T23:00:00Z", false]
  ] as const, ([count, from, now, allowed]) =>
    mayBeginWith(Array.from({ length: count }, () => ({ version: 1, validFrom: "2026-01" }) as PriceList), from as CalendarMonth, at(now)) === allowed)
})

rule("BILLING-6", {
  says: "A month is closed once it ended in Belgrade and a day more is over; months left open are closed in their order.",
  source: "docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("at the end of the year, and where the clocks change", [
    ["2026-12", "2027-01-01T22:59:59.999Z", false],
    ["2026-12", "2027-01-01T23:00:00Z", true],
    ["2026-03", "2026-04-01T21:59:59.999Z", false],
    ["2026-03", "2026-04-01T22:00:00Z", true],
    ["2026-10", "2026-11-01T23:00:00Z", true],
    ["2026-10", "2026-11-01T22:59:59.999Z", false]
  ] as const, ([of, now, closable]) => mayClose(of as CalendarMonth, at(now)) === closable)
  holds("those that may be closed are all that have prices and are over, at most twelve, oldest first", { list: priceList, given: monthly(around) }, ({ given: [, now], list }) => {
    const found = monthsToClose([list], now)
    const running = monthOf(now)
    const wanted = Array.from({ length: monthsLookedBack }, (_, index) => monthsLater(running, index - monthsLookedBack))
      .filter((one) => one >= list.validFrom && millis(now) >= millis(monthRange(one).to) + closingMarginHours * 3_600_000)
    return fc.stringify(found) === fc.stringify(wanted)
  })
  holdsForEvery("without prices none is", [monthsToClose([], at("2026-11-20T10:00:00Z"))], (found) => found.length === 0)
})

rule("BILLING-7", {
  says: "An invoice is named by its year and its place in that year; any other text names none.",
  source: "docs/adr/0113"
}, ({ holds, holdsForEvery }) => {
  holds("a number is read back as it is printed", { year: fc.integer({ min: 2000, max: 2099 }), number: fc.integer({ min: 1, max: 999_999_999 }) }, (id) =>
    fc.stringify(readInvoiceNumber(printedNumber(id))) === fc.stringify({ year: id.year, number: id.number }))
  holds("two invoices are never printed alike", { one: fc.tuple(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 99_999_999 })), other: fc.tuple(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 99_999_999 })) }, ({ one, other }) =>
    (printedNumber({ year: one[0], number: one[1] }) === printedNumber({ year: other[0], number: other[1] })) === (fc.stringify(one) === fc.stringify(other)))
  holdsForEvery("what is no number", ["2026-1", "2026-000000", "2026-0000001", "1999-000001", "2026-000001 ", "2026000001", "2026-00000x", "", "2026-1234567890"], (text) => readInvoiceNumber(text) === null)
})

rule("BILLING-10", {
  says: "An invoice is paid on the day of the latest note about it; without a note, and after a note that takes the payment back, it is unpaid.",
  source: "docs/adr/0113"
}, ({ holdsForEvery }) => {
  const note = { sequence: 1, notedAt: at("2026-12-05T10:00:00Z"), actor: "operator:ana", reason: "izvod 12" }
  const invoice: Invoice = {
    id: { year: 2026, number: 1 },
    organizationId: OrganizationId.make("0190a1b2-0000-7000-8000-000000000001"),
    issuedAt: at("2026-12-02T08:00:00Z"),
    content: whole({}, 0) as InvoiceContent
  }
  holdsForEvery("paid, taken back, never noted", [
    [{ ...note, paidOn: "2026-12-04" }, "2026-12-04"],
    [{ ...note, paidOn: null }, null],
    [null, null]
  ] as const, ([payment, day]) => paidOn({ invoice, payment }) === day)
})
