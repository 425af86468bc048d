import {
  BillingTerms,
  type CalendarMonth,
  type ClosedSome,
  closeMonth,
  formatDecimal,
  type InvoiceEntry,
  type InvoiceNumber,
  Invoices,
  type IssuerTexts,
  notePayment,
  type OrganizationId,
  paidOn,
  type PriceList,
  printedNumber,
  readInvoiceNumber,
  readIssuer,
  readMonth,
  readPrice,
  readVatRate,
  setPrices
} from "@overa/domain"
import { Command } from "commander"
import { type BigDecimal, Effect, Result } from "effect"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { rightTaxIdentifier } from "../input/rightTaxIdentifier.ts"
import { facts, isoOrNull, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"

const money = (value: BigDecimal.BigDecimal): string => formatDecimal(value, 2)

const monthFrom = (text: string): Effect.Effect<CalendarMonth, Refusal> => {
  const month = readMonth(text)
  return month === null ? Effect.fail(new Refusal({ sentence: `"${text}" is no month such as 2026-08.` })) : Effect.succeed(month)
}

const numberFrom = (text: string): Effect.Effect<InvoiceNumber, Refusal> => {
  const id = readInvoiceNumber(text)
  return id === null ? Effect.fail(new Refusal({ sentence: `"${text}" is no invoice number such as 2026-000017.` })) : Effect.succeed(id)
}

const decimalFrom = <Value>(input: Input, option: string, flag: string, read: (text: string) => Value | null): Effect.Effect<Value, Refusal> => {
  const found = read(input.text(option) ?? "")
  return found === null ? Effect.fail(new Refusal({ sentence: `${flag} must be a number such as 1990.00, without groups of thousands.` })) : Effect.succeed(found)
}

const pricesJson = ({ documentPrice, licenseFee, moduleFees, validFrom, vatRate, version }: PriceList) => ({
  version,
  validFrom,
  licence: money(licenseFee),
  advance: money(moduleFees.advance),
  email: money(moduleFees.email),
  document: money(documentPrice),
  vatRate: money(vatRate)
})

const prices = (desk: Desk) =>
  new Command("prices").description("all price lists, the newest first; amounts in dinars without VAT").action(desk.does(() =>
    Effect.gen(function*() {
      const lists = (yield* (yield* BillingTerms).priceLists).map(pricesJson)
      const rows = lists.map((it) => [String(it.version), it.validFrom, it.licence, it.advance, it.email, it.document, `${it.vatRate} %`])
      return { text: table(["VERSION", "FROM", "LICENCE", "ADVANCE", "EMAIL", "DOCUMENT", "VAT"], rows, "No prices yet: nothing is billed."), json: { items: lists } }
    })
  ))

const setPricesCommand = (desk: Desk) =>
  asAct(
    new Command("set-prices").description("prices from a month on, in dinars without VAT; earlier months keep theirs")
      .requiredOption("--from <month>", "such as 2027-01: a month to come; the first list may begin with the running one")
      .requiredOption("--licence <amount>", "a month of the licence").requiredOption("--advance <amount>", "a month of the module advance")
      .requiredOption("--email <amount>", "a month of the module email").requiredOption("--document <amount>", "a document beyond the included 600")
      .requiredOption("--vat <percent>", "rate of VAT, 0 outside of VAT")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const given = {
        validFrom: yield* monthFrom(input.text("from") ?? ""),
        licenseFee: yield* decimalFrom(input, "licence", "--licence", readPrice),
        moduleFees: { advance: yield* decimalFrom(input, "advance", "--advance", readPrice), email: yield* decimalFrom(input, "email", "--email", readPrice) },
        documentPrice: yield* decimalFrom(input, "document", "--document", readPrice),
        vatRate: yield* decimalFrom(input, "vat", "--vat", readVatRate)
      }
      const version = yield* setPrices(act, given, null)
      return { text: `Prices of version ${version} hold from ${given.validFrom} on.`, json: { version, validFrom: given.validFrom } }
    })
  ))

const issuer = (desk: Desk) =>
  new Command("issuer").description("who issues the invoices").action(desk.does(() =>
    Effect.gen(function*() {
      const found = yield* (yield* BillingTerms).issuer
      if (found === null) return { text: "Nobody is named yet: nothing is billed.", json: null }
      return { text: facts(Object.entries(found.issuer)), json: found }
    })
  ))

const issuerFlags: Readonly<Record<keyof IssuerTexts, string>> = {
  name: "--name",
  address: "--address",
  city: "--city",
  taxIdentifier: "--tax-identifier",
  registrationNumber: "--registration-number",
  bankAccount: "--bank-account",
  email: "--email",
  paymentDays: "--payment-days",
  note: "--note"
}

const setIssuer = (desk: Desk) =>
  asAct(
    new Command("set-issuer").description("names who issues the invoices from now on; issued ones stay as they are")
      .requiredOption("--name <name>").requiredOption("--address <street>").requiredOption("--city <city>").requiredOption("--tax-identifier <PIB>")
      .requiredOption("--registration-number <MB>").requiredOption("--bank-account <account>").option("--email <address>")
      .option("--payment-days <days>", "until an invoice is due", "15").option("--note <text>", "printed at the end, such as why no VAT is charged")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const act = yield* input.act
      const given = (field: keyof IssuerTexts) => (input.text(field) ?? "").trim()
      const texts = Object.fromEntries(Object.keys(issuerFlags).map((field) => [field, given(field as keyof IssuerTexts)])) as IssuerTexts
      const read = readIssuer(texts)
      if (Result.isFailure(read)) {
        const flags = read.failure.map((field) => issuerFlags[field]).join(", ")
        return yield* new Refusal({ sentence: `Not usable: ${flags}. A tax identifier has nine digits, --payment-days goes to 365; texts have no line breaks.` })
      }
      yield* rightTaxIdentifier(read.success.taxIdentifier)
      const terms = yield* BillingTerms
      const version = yield* terms.changeIssuer(act, read.success, (yield* terms.issuer)?.version ?? 0)
      return { text: `${read.success.name} issues invoices from now on.`, json: { version } }
    })
  ))

const organizationsAtOnce = 100

const close = (desk: Desk) =>
  asFinalAct(new Command("close").description("issues the invoices of a month that is over; the worker does so by itself").argument("<month>"))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const month = yield* monthFrom(input.argument(0))
        const act = yield* input.act
        yield* input.confirm(`Invoices of ${month} will be issued; they cannot be changed or taken back.`)
        let issued = 0
        for (let after: OrganizationId | null = null;;) {
          const some: ClosedSome = yield* closeMonth(act, month, after, organizationsAtOnce)
          issued += some.issued
          if (some.next === null) break
          after = some.next
        }
        return { text: `${issued} invoices issued for ${month}.`, json: { month, issued } }
      })
    ))

const invoiceJson = (entry: InvoiceEntry) => {
  const { content, id, issuedAt, organizationId } = entry.invoice
  return {
    number: printedNumber(id),
    organizationId,
    buyer: content.buyer.name,
    month: content.month,
    issuedAt: isoOrNull(issuedAt),
    total: money(content.total),
    paidOn: paidOn(entry)
  }
}

const invoices = (desk: Desk) =>
  new Command("invoices").description("issued invoices, the newest first").option("--organization <id>", "only of one organization")
    .option("--unpaid", "only those not paid").option("--limit <number>", "at most so many", "100").action(desk.does((input) =>
      Effect.gen(function*() {
        const organizationId = yield* input.optionalId("organization", "organization")
        const limit = yield* input.wholeNumber("limit", 100, 1_000)
        const unpaid = input.flag("unpaid") === true
        const port = yield* Invoices
        const found = organizationId === null
          ? yield* port.list({ paid: unpaid ? false : null, before: null, limit })
          : (yield* port.ofOrganization(organizationId)).filter((entry) => !unpaid || paidOn(entry) === null).slice(0, limit)
        const items = found.map(invoiceJson)
        const rows = items.map((it) => [it.number, it.month, it.buyer, it.total, it.paidOn ?? "not paid"])
        return { text: table(["NUMBER", "MONTH", "BUYER", "TOTAL", "PAID"], rows, "No invoices."), json: { items } }
      })
    ))

const paid = (desk: Desk) =>
  asAct(new Command("paid").description("notes the day an invoice was paid on").argument("<number>").requiredOption("--on <day>", "such as 2026-08-29"))
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const id = yield* numberFrom(input.argument(0))
        const day = input.text("on") ?? ""
        yield* notePayment(yield* input.act, id, day)
        return { text: `Invoice ${printedNumber(id)} was paid on ${day}.`, json: { number: printedNumber(id), paidOn: day } }
      })
    ))

const notPaid = (desk: Desk) =>
  asAct(new Command("not-paid").description("takes back that an invoice was paid; both notes are kept").argument("<number>")).action(desk.does((input) =>
    Effect.gen(function*() {
      const id = yield* numberFrom(input.argument(0))
      yield* notePayment(yield* input.act, id, null)
      return { text: `Invoice ${printedNumber(id)} is not paid.`, json: { number: printedNumber(id), paidOn: null } }
    })
  ))

/** `billing`: what organizations pay for the service. */
export const billing = (desk: Desk): Command =>
  withExamples(
    new Command("billing").description("prices, the issuer of invoices, months and their invoices")
      .addCommand(prices(desk)).addCommand(setPricesCommand(desk)).addCommand(issuer(desk)).addCommand(setIssuer(desk)).addCommand(close(desk))
      .addCommand(invoices(desk)).addCommand(paid(desk)).addCommand(notPaid(desk)),
    [
      `billing set-prices --from 2027-01 --licence 1990 --advance 500 --email 300 --document 2.50 --vat 20 --reason "price list of 2027"`,
      `billing set-issuer --name "Overa d.o.o." --address "Nemanjina 4" --city Beograd --tax-identifier 100000057 --registration-number 20000001 --bank-account 160-0000000000001-49 --reason "our company"`,
      `billing close 2027-01 --reason "the worker was off" --yes`,
      `billing invoices --unpaid`,
      `billing paid 2027-000017 --on 2027-02-12 --reason "bank statement 31"`
    ]
  )
