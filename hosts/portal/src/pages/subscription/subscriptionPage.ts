import {
  AccessOversight,
  belgradeDay,
  BillingTerms,
  DocumentCounts,
  includedDocumentsPerMonth,
  invoiceDays,
  type InvoiceEntry,
  Invoices,
  type License,
  monthOf,
  monthRange,
  monthsLater,
  type PriceList,
  priceListOf,
  printedNumber,
  productionFiscalization
} from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, reportedTime } from "../../language/formats.ts"
import { paidBadge } from "../billing/invoiceParts.ts"
import { licenceFacts } from "../billing/licenceFacts.ts"
import { priceTable } from "../billing/priceTable.ts"

/** How many months are shown, this one included. */
const monthsShown = 6

type Used = ReadonlyArray<readonly [month: string, documents: number]>

/** Documents of the last months, latest first; months without any are not shown. */
const months = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const counts = yield* DocumentCounts
  const shown = Array.from({ length: monthsShown }, (_, index) => monthsLater(monthOf(now), -index))
  const used: Used = yield* Effect.forEach(shown, (month) =>
    Effect.map(counts.fiscalized({ organizationId: visit.organizationId, environment: "production" }, monthRange(month)), (documents) => [month, documents] as const))
  return used
})

const licenceCard = ({ say }: MemberVisit, license: License | null, used: Used, now: DateTime.Utc): Html => {
  const allowed = productionFiscalization(license, now)
  return card(
    say("Лиценца за продукцију", "Production licence"),
    facts([
      [say("Нови рачуни", "New receipts"), allowed.productionFiscalizationAllowed ? badge("good", say("Дозвољени", "Allowed")) : badge("bad", say("Нису дозвољени", "Not allowed"))],
      ...(license === null ? [] : licenceFacts(say, license)),
      [say("Рачуна овог месеца", "Receipts this month"), `${used[0]?.[1] ?? 0} / ${includedDocumentsPerMonth}`]
    ]),
    table(
      [say("Месец", "Month"), say("Рачуна у продукцији", "Production receipts"), say("Преко укључених", "Beyond the included")],
      used.filter(([, documents], index) => index === 0 || documents > 0).map(([month, documents]) => [reportedTime(month), String(documents), String(Math.max(0, documents - includedDocumentsPerMonth))]),
      { caption: say("По месецима", "By month"), empty: "–", numbers: [1, 2] }
    ),
    el("p", {}, say("Преко укљученог броја рачуни се и даље издају.", "Receipts go on beyond the included number."))
  )
}

/** The prices of this month, and those announced for later ones. */
const pricesCard = (visit: MemberVisit, lists: ReadonlyArray<PriceList>, now: DateTime.Utc): Html => {
  const { say } = visit
  const running = monthOf(now)
  const later = [...new Set(lists.map(({ validFrom }) => validFrom))].filter((month) => month > running).toSorted()
  const shown = [running, ...later].map((month) => priceListOf(lists, month)).filter((list) => list !== null)
  return card(
    say("Ценовник", "Price list"),
    priceTable(visit, shown),
    shown.length === 0 ? null : el("p", {}, say(
      `Износи су у динарима, без ПДВ-а. Лиценца и модули се наплаћују по дану важења; ${includedDocumentsPerMonth} рачуна месечно је укључено.`,
      `Amounts are in dinars, without VAT. Licence and modules are charged by the day; ${includedDocumentsPerMonth} documents a month are included.`
    ))
  )
}

const invoicesCard = (visit: MemberVisit, found: ReadonlyArray<InvoiceEntry>, now: DateTime.Utc): Html => {
  const { say } = visit
  return card(
    say("Фактуре", "Invoices"),
    table(
      [say("Број", "Number"), say("За месец", "For the month"), say("Издата", "Issued"), say("Рок", "Due"), say("За уплату", "To be paid"), say("Стање", "State")],
      found.map((entry) => {
        const { content, id } = entry.invoice
        const { dueOn, issuedOn } = invoiceDays(entry.invoice)
        const number = printedNumber(id)
        return [
          el("a", { href: `/subscription/invoices/${number}` }, `${number} (PDF)`),
          reportedTime(content.month),
          reportedTime(issuedOn),
          reportedTime(dueOn),
          amount(content.total),
          paidBadge(visit, entry, belgradeDay(now))
        ]
      }),
      { caption: say("Фактуре", "Invoices"), empty: say("Још нема фактура.", "There are no invoices yet."), numbers: [4] }
    ),
    el("p", {}, say("Месец се фактурише пошто се заврши. Издата фактура се не мења.", "A month is invoiced after its end. An issued invoice is never changed."))
  )
}

/** The page of the subscription. */
export const showSubscription = Effect.fnUntraced(function*(visit: MemberVisit) {
  const now = yield* DateTime.now
  const license = yield* (yield* AccessOversight).license(visit.organizationId)
  const used = yield* months(visit, now)
  const lists = yield* (yield* BillingTerms).priceLists
  const invoices = yield* (yield* Invoices).ofOrganization(visit.organizationId)
  const title = visit.say("Претплата", "Subscription")
  return page(title, all(
    el("h1", {}, title),
    licenceCard(visit, license, used, now),
    pricesCard(visit, lists, now),
    invoicesCard(visit, invoices, now)
  ))
})
