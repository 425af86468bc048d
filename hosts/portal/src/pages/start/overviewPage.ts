import { AccessOversight, AttentionOversight, belgradeMonthRange, certificateWarningDays, daysUntil, DocumentCounts, ElementOversight, includedDocumentsPerMonth, type License, OperationOversight, productionFiscalization } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { card, notice } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { day } from "../../language/formats.ts"

/** Something a person has to see to, with the next step. */
interface Matter {
  readonly sentence: Html
  readonly href: string
  readonly step: string
}

const unknowns = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const found = (yield* (yield* OperationOversight).unresolved(1_000)).filter((it) => it.organizationId === visit.organizationId && it.environment === visit.environment)
  return found.map((it): Matter => ({
    sentence: say("За један документ се не зна да ли је рачун издат. Ништа ново не шаљите за ту продају.", "Of one document nobody knows whether the receipt was issued. Send nothing new for this sale."),
    href: `/receipts/${it.id}`,
    step: say("Погледај", "Look at it")
  }))
})

const elements = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const now = yield* DateTime.now
  const longest = Math.max(...certificateWarningDays)
  const entries = (yield* (yield* ElementOversight).elements(visit.organizationId)).filter(({ element }) => element.environment === visit.environment)
  return entries.flatMap(({ element }): ReadonlyArray<Matter> => {
    const left = daysUntil(element.validTo, now)
    if (element.status !== "EXPIRED" && (element.status !== "ACTIVE" || left > longest)) return []
    return [{
      sentence: [say("Безбедносни елемент ", "The security element "), element.jid, say(" важи до ", " is valid until "), day(element.validTo), say(". Затражите нови од Пореске управе и учитајте га.", ". Ask the tax authority for a new one and upload it.")],
      href: `/setup/element/${element.businessPremiseId}`,
      step: say("Учитај нови", "Upload a new one")
    }]
  })
})

const attention = Effect.fnUntraced(function*(visit: MemberVisit) {
  const items = (yield* (yield* AttentionOversight).openAttention(1_000)).filter((it) => it.organizationId === visit.organizationId && it.operationId !== null)
  return items.map((it): Matter => ({
    sentence: visit.say("Оператер гледа један документ; не морате ништа док вам се не јави.", "The operator is looking at a document; nothing is needed from you until you hear."),
    href: `/receipts/${it.operationId ?? ""}`,
    step: visit.say("Погледај", "Look at it")
  }))
})

const licence = (visit: MemberVisit, found: License | null, now: DateTime.Utc): ReadonlyArray<Matter> => {
  if (visit.environment !== "production" || productionFiscalization(found, now).productionFiscalizationAllowed) return []
  return [{
    sentence: visit.say("Лиценца не дозвољава нове рачуне у продукцији. Обратите се оператеру; рефундације раде.", "The licence allows no new production receipts. Contact the operator; refunds still work."),
    href: visit.may("subscription:read") ? "/subscription" : "/setup",
    step: visit.say("Погледај", "Look at it")
  }]
}

const mattersCard = (visit: MemberVisit, matters: ReadonlyArray<Matter>): Html =>
  matters.length === 0
    ? notice("good", el("p", {}, visit.say("Ништа не чека на вас.", "Nothing waits for you.")))
    : card(
      visit.say("Чека на вас", "Waits for you"),
      el("ul", { class: "plain" }, matters.map(({ href, sentence, step }) => el("li", {}, sentence, " ", el("a", { href }, step))))
    )

/** Receipts of the Belgrade day, month, and the month before. */
const counts = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const { fiscalized } = yield* DocumentCounts
  const month = belgradeMonthRange(now)
  const before = belgradeMonthRange(DateTime.subtract(month.from, { hours: 12 }))
  const today = DateTime.toUtc(DateTime.startOf(DateTime.setZoneNamedUnsafe(now, "Europe/Belgrade"), "day"))
  return {
    today: yield* fiscalized(visit.tenant, { from: today, to: month.to }),
    month: yield* fiscalized(visit.tenant, month),
    before: yield* fiscalized(visit.tenant, before)
  }
})

const tile = (name: string, value: number): Html => el("div", { class: "tile" }, el("strong", {}, String(value)), name)

/** Figures of the organization, and what needs a person. */
export const overviewPage = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const now = yield* DateTime.now
  const found = yield* (yield* AccessOversight).license(visit.organizationId)
  const figures = yield* counts(visit, now)
  const matters = [...licence(visit, found, now), ...(yield* unknowns(visit)), ...(yield* attention(visit)), ...(yield* elements(visit))]
  const title = say("Преглед", "Overview")
  return page(title, all(
    el("h1", {}, title),
    mattersCard(visit, matters),
    el(
      "div",
      { class: "tiles" },
      tile(say("рачуна данас", "receipts today"), figures.today),
      tile(say("рачуна овог месеца", "receipts this month"), figures.month),
      tile(say("рачуна прошлог месеца", "receipts last month"), figures.before),
      visit.environment === "production" ? tile(say(`од ${includedDocumentsPerMonth} укључених овог месеца`, `of ${includedDocumentsPerMonth} included this month`), figures.month) : null
    )
  ))
})
