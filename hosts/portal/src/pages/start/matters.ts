import { AccessOversight, anyTime, AttentionOversight, certificateWarningDays, daysUntil, DeliveryStore, ElementOversight, type License, JournalStore, noFilter, type OpenAttention, type Operation, OperationStore, productionFiscalization } from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { el, type Html } from "../../html/el.ts"
import { card, notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { day } from "../../language/formats.ts"
import { endingLabels } from "./endingLabels.ts"
import type { Matter } from "./Matter.ts"

/** How many documents of one kind are listed: the first page stays short in every case. */
const mostOfAKind = 5
/** How many open items are looked through for those of this environment. */
const mostItems = 200

const unknownDocuments = Effect.fnUntraced(function*(visit: MemberVisit) {
  const journal = yield* JournalStore
  return (yield* journal.page(visit.tenant, { ...noFilter, status: ["OUTCOME_UNKNOWN", "RECONCILING"] }, { cursor: null, pageSize: mostOfAKind })).items
})

const unknowns = ({ say }: MemberVisit, documents: ReadonlyArray<Operation>): ReadonlyArray<Matter> =>
  documents.map((it) => ({
    sentence: say("За један документ се не зна да ли је рачун издат. Ништа ново не шаљите за ту продају.", "For one document it is not known whether the receipt was issued. Send nothing new for this sale."),
    href: `/receipts/${it.id}`,
    step: say("Погледај", "Look at it")
  }))

const elements = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const { say } = visit
  const longest = Math.max(...certificateWarningDays)
  const entries = (yield* (yield* ElementOversight).elements(visit.organizationId)).filter(({ element }) => element.environment === visit.environment)
  return entries.flatMap(({ element }): ReadonlyArray<Matter> => {
    const left = daysUntil(element.validTo, now)
    if (element.status !== "EXPIRED" && (element.status !== "ACTIVE" || left > longest)) return []
    return [{
      sentence: [say("Безбедносни елемент ", "The security element "), element.jid, say(" важи до ", " is valid until "), day(element.validTo), say(" Затражите нови од Пореске управе и учитајте га.", " Ask the tax authority for a new one and upload it.")],
      href: visit.may("setup:write") ? `/setup/element/${element.businessPremiseId}` : "/setup",
      step: visit.may("setup:write") ? say("Учитај нови", "Upload a new one") : say("Погледај", "Look at it")
    }]
  })
})

/** The kind of item that a gap in the counters raises (Decisions §14). */
const counterGap = "COUNTER_GAP"

/** Whether an item is about this environment: a document or an element of the other one is shown there. */
const isOfPlace = Effect.fnUntraced(function*({ organizationId, tenant, environment }: MemberVisit, { elementId, operationId }: OpenAttention) {
  if (operationId !== null) return Option.isSome(yield* (yield* OperationStore).get(tenant, operationId))
  const elements = yield* (yield* ElementOversight).elements(organizationId)
  return elements.some(({ element }) => element.id === elementId && element.environment === environment)
})

const attentionSentence = ({ say }: MemberVisit, { kind }: OpenAttention): Html =>
  kind === counterGap
    ? say(
      "Бројачи једног безбедносног елемента имају прекид: можда постоји рачун за који не знамо. Не користите исти елемент у другом програму; оператер то проверава.",
      "The counters of a security element have a gap: there may be a receipt that we do not know. Do not use this element in another program; the operator is looking into it."
    )
    : say("Оператер гледа један документ; не морате ништа док вам се не јави.", "The operator is looking at a document; nothing is needed from you until you hear.")

/** One line for each document or element that the operator looks at; `told` are the documents that have a line already. */
const attention = Effect.fnUntraced(function*(visit: MemberVisit, told: ReadonlySet<string>) {
  const open = yield* (yield* AttentionOversight).openAttention(visit.organizationId, mostItems)
  const subjects = new Map(open.flatMap((it) => {
    const subject = it.operationId ?? (it.kind === counterGap ? it.elementId : null)
    return subject === null || told.has(subject) ? [] : [[subject as string, it] as const]
  }))
  const items = yield* Effect.filter([...subjects.values()], (it) => isOfPlace(visit, it), { concurrency: 8 })
  return items.slice(0, mostOfAKind).map((it): Matter => ({
    sentence: attentionSentence(visit, it),
    href: it.operationId === null ? "/setup" : `/receipts/${it.operationId}`,
    step: visit.say("Погледај", "Look at it")
  }))
})

/** How long a delivery that failed is shown. */
const failedDays = 7
const mostDeliveries = 5

const deliveries = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const { say } = visit
  const filter = { status: "FAILED", fiscalDocumentId: null, recipient: null, pfr: anyTime, created: { from: DateTime.subtract(now, { days: failedDays }), to: null } } as const
  const failed = yield* (yield* DeliveryStore).list(visit.tenant, filter, { after: null, limit: mostDeliveries })
  return failed.map((it): Matter => ({
    sentence: [say("Рачун није стигао на ", "A receipt did not reach "), it.recipient ?? "–", say(". Проверите адресу и пошаљите поново.", ". Check the address and send it again.")],
    href: `/receipts/${it.fiscalDocumentId}/send`,
    step: visit.may("receipts:send") ? say("Пошаљи поново", "Send it again") : say("Погледај", "Look at it")
  })).map((matter, at) => visit.may("receipts:send") ? matter : { ...matter, href: `/receipts/${failed[at]?.fiscalDocumentId ?? ""}` })
})

const licence = (visit: MemberVisit, found: License | null, now: DateTime.Utc): ReadonlyArray<Matter> => {
  if (visit.environment !== "production" || productionFiscalization(found, now).productionFiscalizationAllowed) return []
  return [{
    sentence: visit.say("Лиценца не дозвољава нове рачуне у продукцији. Обратите се оператеру; рефундације раде.", "The licence allows no new production receipts. Contact the operator; refunds still work."),
    href: visit.may("subscription:read") ? "/subscription" : "/setup",
    step: visit.say("Погледај", "Look at it")
  }]
}

/** Everything in the organization that needs a person, the most urgent first. */
export const matters = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const license = Effect.flatMap(Effect.service(AccessOversight), (access) => Effect.map(access.license(visit.organizationId), (found) => licence(visit, found, now)))
  // Independent reads, side by side: the first page waits for the slowest of them, not for all one after another.
  const told = Effect.fnUntraced(function*() {
    const documents = yield* unknownDocuments(visit)
    return [...unknowns(visit, documents), ...yield* attention(visit, new Set(documents.map(({ id }) => id)))]
  })
  const found = yield* Effect.all([license, told(), elements(visit, now), endingLabels(visit, now), deliveries(visit, now)], { concurrency: "unbounded" })
  return found.flat()
})

export const mattersCard = (visit: MemberVisit, found: ReadonlyArray<Matter>): Html =>
  found.length === 0
    ? notice("good", el("p", {}, visit.say("Ништа не чека на вас.", "Nothing waits for you.")))
    : card(
      visit.say("Чека на вас", "Waits for you"),
      el("ul", { class: "plain" }, found.map(({ href, sentence, step }) => el("li", {}, sentence, " ", el("a", { href }, step))))
    )
