import { AccessOversight, belgradeMonth, belgradeMonthRange, DocumentCounts, includedDocumentsPerMonth, productionFiscalization } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { moment, reportedTime } from "../../language/formats.ts"
import type { PageFolder } from "../PageFolder.ts"

/** How many months are shown, this one included. */
const monthsShown = 6

/** Documents of the last months, latest first. */
const months = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const counts = yield* DocumentCounts
  const rows: Array<readonly [month: string, documents: number]> = []
  let range = belgradeMonthRange(now)
  for (let month = 0; month < monthsShown; month += 1) {
    rows.push([belgradeMonth(range.from), yield* counts.fiscalized({ organizationId: visit.organizationId, environment: "production" }, range)])
    range = belgradeMonthRange(DateTime.subtract(range.from, { hours: 12 }))
  }
  return rows
})

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const now = yield* DateTime.now
  const license = yield* (yield* AccessOversight).license(visit.organizationId)
  const used = yield* months(visit, now)
  const allowed = productionFiscalization(license, now)
  const title = say("Претплата", "Subscription")
  const content = all(
    el("h1", {}, title),
    card(
      say("Лиценца за продукцију", "Production licence"),
      facts([
        [say("Нови рачуни", "New receipts"), allowed.productionFiscalizationAllowed ? badge("good", say("Дозвољени", "Allowed")) : badge("bad", say("Нису дозвољени", "Not allowed"))],
        ...(license === null ? [] : [
          [say("Од", "From"), moment(license.startsAt)] as const,
          [say("До", "Until"), license.expiresAt === null ? say("без краја", "without end") : moment(license.expiresAt)] as const,
          [say("Модули", "Modules"), license.modules.join(", ") || "–"] as const
        ]),
        [say("Рачуна овог месеца", "Receipts this month"), `${used[0]?.[1] ?? 0} / ${includedDocumentsPerMonth}`]
      ]),
      table(
        [say("Месец", "Month"), say("Рачуна у продукцији", "Production receipts"), say("Преко укључених", "Beyond the included")],
        used.map(([month, documents]) => [reportedTime(month), String(documents), String(Math.max(0, documents - includedDocumentsPerMonth))]),
        { caption: say("По месецима", "By month"), empty: "–", numbers: [1, 2] }
      ),
      el("p", {}, say("Преко укљученог броја рачуни се и даље издају.", "Receipts go on beyond the included number."))
    )
  )
  return page(title, content)
})

/** The licence and its use. */
export const subscription: PageFolder = {
  navigation: [{ path: "/subscription", words: ["Претплата", "Subscription"], shownTo: "subscription:read" }],
  routes: [memberRoute("GET", "/subscription", "subscription:read", show)]
}
