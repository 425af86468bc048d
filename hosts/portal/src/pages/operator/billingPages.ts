import { belgradeDay, BillingTerms, type InvoiceEntry, Invoices, type IssuerVersion, paidOn, printedNumber, readInvoiceNumber } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { card, facts, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { operatorRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { amount, reportedTime } from "../../language/formats.ts"
import { invoiceFile, invoiceOf, paidBadge } from "../billing/invoiceParts.ts"
import { priceTable } from "../billing/priceTable.ts"
import { doneNotice } from "../doneNotice.ts"

const invoicesOnPage = 50

const button = (href: string, text: string): Html => el("a", { class: "button", href }, text)

const issuerCard = ({ say }: PersonVisit, found: IssuerVersion | null): Html =>
  card(
    say("Издавалац фактура", "Issuer of invoices"),
    found === null ? el("p", {}, say("Још није унет; ништа се не фактурише.", "Not entered yet; nothing is invoiced.")) : facts([
      [say("Назив", "Name"), found.issuer.name],
      [say("Адреса", "Address"), `${found.issuer.address}, ${found.issuer.city}`],
      [say("ПИБ", "Tax id"), found.issuer.taxIdentifier],
      [say("Матични број", "Registration number"), found.issuer.registrationNumber],
      [say("Рачун у банци", "Bank account"), found.issuer.bankAccount],
      [say("Дана за плаћање", "Days to pay"), String(found.issuer.paymentDays)]
    ]),
    el("p", {}, button("/operator/billing/issuer", say("Измени издаваоца", "Change the issuer")))
  )

const invoiceRow = (visit: PersonVisit, entry: InvoiceEntry, today: string): ReadonlyArray<Html> => {
  const { say } = visit
  const number = printedNumber(entry.invoice.id)
  const { content, organizationId } = entry.invoice
  const base = `/operator/billing/invoices/${number}`
  return [
    el("a", { href: base }, `${number} (PDF)`),
    reportedTime(content.month),
    el("a", { href: `/operator/organizations/${organizationId}` }, content.buyer.name),
    amount(content.total),
    paidBadge(visit, entry, today),
    paidOn(entry) === null ? el("a", { href: `${base}/paid` }, say("Плаћена", "Paid")) : el("a", { href: `${base}/not-paid` }, say("Није плаћена", "Not paid"))
  ]
}

const invoicesCard = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { query, say } = visit
  const unpaid = query.get("show") === "unpaid"
  const found = yield* (yield* Invoices).list({ paid: unpaid ? false : null, before: readInvoiceNumber(query.get("before") ?? ""), limit: invoicesOnPage + 1 })
  const shown = found.slice(0, invoicesOnPage)
  const last = shown.at(-1)
  const today = belgradeDay(yield* DateTime.now)
  return card(
    say("Фактуре", "Invoices"),
    el("div", { class: "actions" },
      unpaid ? button("/operator/billing", say("Прикажи све", "Show all")) : button("/operator/billing?show=unpaid", say("Само неплаћене", "Only unpaid ones")),
      button("/operator/billing/close", say("Закључи месец", "Close a month"))),
    table(
      [say("Број", "Number"), say("За месец", "For the month"), say("Купац", "Buyer"), say("За уплату", "To be paid"), say("Стање", "State"), say("Уплата", "Payment")],
      shown.map((entry) => invoiceRow(visit, entry, today)),
      { caption: say("Фактуре", "Invoices"), empty: say("Нема таквих фактура.", "There are no such invoices."), numbers: [3] }
    ),
    found.length <= invoicesOnPage || last === undefined ? null : el("p", {}, el("a", { href: `/operator/billing?${unpaid ? "show=unpaid&" : ""}before=${printedNumber(last.invoice.id)}` }, say("Старије", "Older")))
  )
})

const show = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { say } = visit
  const terms = yield* BillingTerms
  const title = say("Наплата", "Billing")
  return page(title, all(
    el("h1", {}, title),
    doneNotice(visit),
    card(say("Ценовници", "Price lists"), priceTable(visit, yield* terms.priceLists), el("p", {}, button("/operator/billing/prices", say("Нови ценовник", "New price list")))),
    issuerCard(visit, yield* terms.issuer),
    yield* invoicesCard(visit)
  ))
})

/** An invoice is the operator's own document: no reason is asked for reading it. */
const download = (visit: PersonVisit) => Effect.flatMap(invoiceOf(visit), (found) => invoiceFile(visit, found))

/** Prices, the issuer, and every invoice. */
export const billingRoutes = [
  operatorRoute("GET", "/operator/billing", show),
  operatorRoute("GET", "/operator/billing/invoices/:number", download)
]
