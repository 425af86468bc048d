import { daysUntil, ElementActs, ElementOversight } from "@overa/domain"
import { DateTime, Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, form } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { environmentWords } from "../../language/environmentWords.ts"
import { day } from "../../language/formats.ts"
import type { CheckedElement } from "../checkedElement.ts"
import { type ElementDraft, elementFields, readElement, sentDraft } from "../elementForm.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { shorterElementNotice } from "../shorterElement.ts"
import { keptDraft, sealedDraft } from "./elementDraft.ts"
import { type ElementPlace, placeOf } from "./elementPlace.ts"

const askPage = (visit: MemberVisit, { entry, premise }: ElementPlace, faults: Faults = {}) => {
  const { say } = visit
  const title = say("Безбедносни елемент", "Security element")
  const content = all(
    el("h1", {}, title),
    el("p", {}, entry.taxpayer.name, " – ", premise.name),
    faultSummary(visit, faults),
    el("p", {}, say(
      "Од Пореске управе добили сте датотеку, лозинку и ПАК. Прво ћете видети шта пише у сертификату; ништа се не чува док то не потврдите.",
      "From the tax authority you have a file, a password and a PAC. First you see what the certificate says; nothing is stored before you confirm it."
    )),
    form(
      visit,
      { action: `/setup/element/${premise.id}`, submit: say("Прочитај сертификат", "Read the certificate"), files: true },
      elementFields(visit, faults, true)
    )
  )
  return page(title, el("div", { class: "card narrow" }, content), faultStatus(faults))
}

/** The effect on the premise's present element. */
const former = Effect.fnUntraced(function*(visit: MemberVisit, { premise }: ElementPlace, read: CheckedElement) {
  const elements = yield* (yield* ElementOversight).elements(visit.organizationId)
  const active = elements.map(({ element }) => element).find((it) => it.businessPremiseId === premise.id && it.status === "ACTIVE")
  return active === undefined
    ? el("p", {}, visit.say("Простор још нема активан елемент.", "The premise has no active element yet."))
    : all(shorterElementNotice(visit.say, read.facts, active), el("p", {}, visit.say(
      "Садашњи елемент ради док оператер не провери и активира нови: ",
      "The present element goes on until the operator has checked and activated the new one: "
    ), `${active.jid} · ${visit.say("до", "until")} ${day(active.validTo)}`))
})

const certificateFacts = ({ environment, say }: MemberVisit, { entry: { taxpayer }, premise }: ElementPlace, read: CheckedElement, now: DateTime.Utc): Html =>
  facts([
    [say("За обвезника", "For the taxpayer"), `${taxpayer.name} · ${taxpayer.taxIdentifier}`],
    [say("За пословни простор", "For the premise"), `${premise.name} · ${premise.puIdentifier}`],
    ["JID", read.facts.jid],
    [say("Издат на", "Issued to"), read.facts.subject],
    [say("ПИБ у сертификату", "Tax id in the certificate"), read.namedTin ?? "–"],
    [say("Издао", "Issued by"), read.facts.issuer],
    [say("Ланац", "Chain"), say("Води до корена Пореске управе", "Leads to the tax authority's root")],
    [say("Окружење", "Environment"), environmentWords(say, environment)],
    [say("Важи", "Valid"), `${day(read.facts.validFrom)} – ${day(read.facts.validTo)}`],
    [say("Преостало дана", "Days left"), String(daysUntil(read.facts.validTo, now))],
    [say("Отисак SHA-256", "SHA-256 fingerprint"), el("span", { class: "secret" }, read.facts.fingerprintSha256)]
  ])

const certificatePage = Effect.fnUntraced(function*(visit: MemberVisit, place: ElementPlace, draft: ElementDraft, read: CheckedElement) {
  const { say } = visit
  const path = `/setup/element/${place.premise.id}`
  const title = say("Шта пише у сертификату", "What the certificate says")
  return page(title, el(
    "div",
    { class: "card" },
    el("h1", {}, title),
    notice("wait", el("p", {}, say("Још ништа није сачувано. Упоредите податке, па потврдите.", "Nothing is stored yet. Compare the details, then confirm."))),
    certificateFacts(visit, place, read, yield* DateTime.now),
    yield* former(visit, place, read),
    form(
      visit,
      { action: `${path}/store`, submit: say("Вежи за овај простор", "Bind to this premise") },
      el("input", { type: "hidden", name: "element", value: sealedDraft(visit, place.premise.id, draft) })
    ),
    el("p", {}, el("a", { href: path }, say("Друга датотека", "Another file")))
  ))
})

const readDraft = (visit: MemberVisit, { entry: { taxpayer } }: ElementPlace, draft: ElementDraft) =>
  readElement(visit, { environment: visit.environment, taxIdentifier: taxpayer.taxIdentifier }, draft, visit.organizationId)

const look = Effect.fnUntraced(function*(visit: MemberVisit) {
  const place = yield* placeOf(visit)
  const draft = sentDraft(visit)
  if (Result.isFailure(draft)) return askPage(visit, place, draft.failure)
  const read = yield* readDraft(visit, place, draft.success)
  return Result.isFailure(read) ? askPage(visit, place, read.failure) : yield* certificatePage(visit, place, draft.success, read.success)
})

const store = Effect.fnUntraced(function*(visit: MemberVisit) {
  const place = yield* placeOf(visit)
  const draft = keptDraft(visit, place.premise.id)
  if (Result.isFailure(draft)) return askPage(visit, place, draft.failure)
  // Read and checked again, because the page may have been open for a while.
  const read = yield* readDraft(visit, place, draft.success)
  if (Result.isFailure(read)) return askPage(visit, place, read.failure)
  if (!(yield* isFirstSending(visit))) return redirect("/setup?done=already")
  yield* (yield* ElementActs).upload(actOf(visit), visit.organizationId, place.premise.id, read.success.facts)
  return redirect("/setup?done=element-uploaded")
}, (effect, visit) => Effect.catchTag(effect, "ActRefused", (error) => refused(visit, error.reason)))

const refused = Effect.fnUntraced(function*(visit: MemberVisit, reason: string) {
  const { say } = visit
  const sentence = reason === "TAX_IDENTIFIER_DIFFERS"
    ? say("Овај ПИБ припада другој организацији. Обратите се оператеру.", "This tax id belongs to another organization. Contact the operator.")
    : say("Овај елемент је већ учитан, овде или код другога.", "This element is uploaded already, here or by somebody else.")
  return askPage(visit, yield* placeOf(visit), { file: sentence })
})

/** Binding an element to a premise: its certificate is shown first, then it is stored; it is used once the operator has activated it. */
export const elementRoutes = [
  memberRoute("GET", "/setup/element/:premise", "setup:write", (visit) => Effect.map(placeOf(visit), (place) => askPage(visit, place))),
  memberRoute("POST", "/setup/element/:premise", "setup:write", look),
  memberRoute("POST", "/setup/element/:premise/store", "setup:write", store)
]
