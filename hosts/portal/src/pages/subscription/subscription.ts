import { AccessOversight, belgradeMonthRange, DocumentCounts, includedDocumentsPerMonth, productionFiscalization } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { badge, card, facts } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import type { PageFolder } from "../PageFolder.ts"

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const now = yield* DateTime.now
  const license = yield* (yield* AccessOversight).license(visit.organizationId)
  const used = yield* (yield* DocumentCounts).fiscalized({ organizationId: visit.organizationId, environment: "production" }, belgradeMonthRange(now))
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
        [say("Рачуна овог месеца", "Receipts this month"), `${used} / ${includedDocumentsPerMonth}`]
      ]),
      el("p", {}, say("Преко укљученог броја рачуни се и даље издају.", "Receipts go on beyond the included number."))
    )
  )
  return page(title, content)
})

/** The licence and what is used of it. */
export const subscription: PageFolder = {
  navigation: [{ path: "/subscription", words: ["Претплата", "Subscription"], shownTo: "subscription:read" }],
  routes: [memberRoute("GET", "/subscription", "subscription:read", show)]
}
