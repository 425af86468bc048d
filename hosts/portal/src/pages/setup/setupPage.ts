import { type BusinessPremise, daysUntil, type ElementEntry, ElementOversight, PaperFormat, TaxpayerActs, type TaxpayerEntry, TaxpayerId, TenancyOversight } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, form } from "../../html/forms.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { day } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import { paperName } from "../paperWords.ts"
import { actOf } from "../personAct.ts"

const soonDays = 60

/** The status of an element, and until when it is valid. */
const elementWords = (visit: MemberVisit, { element }: ElementEntry, now: DateTime.Utc): Html => {
  const { say } = visit
  const left = daysUntil(element.validTo, now)
  const until = ` ${element.jid} · ${say("до", "until")} ${day(element.validTo)} · ${say("дана", "days left")}: ${left}`
  switch (element.status) {
    case "ACTIVE":
      return [badge(left < soonDays ? "wait" : "good", say("Активан", "Active")), until]
    case "UPLOADED":
      return [badge("wait", say("Чека активирање", "Waits for activation")), until]
    case "EXPIRED":
      return [badge("bad", say("Истекао", "Expired")), until]
    case "REPLACED":
      return [badge("plain", say("Замењен", "Replaced")), until]
  }
}

const modeWords = (visit: MemberVisit, premise: BusinessPremise): string =>
  premise.paymentMode === "restricted"
    ? visit.say("само безготовинско и друга дозвољена плаћања", "restricted payments only")
    : visit.say("сва плаћања", "all payments")

const premiseStatus = (visit: MemberVisit, { status }: BusinessPremise): Html =>
  status === "active" ? badge("good", visit.say("Отворен", "Open")) : badge("bad", status === "closed" ? visit.say("Затворен", "Closed") : visit.say("Обустављен", "Suspended"))

const premises = (visit: MemberVisit, { premises: found }: TaxpayerEntry, elements: ReadonlyArray<ElementEntry>, now: DateTime.Utc): Html => {
  const { say } = visit
  const of = (premise: BusinessPremise) => elements.filter(({ element }) => element.businessPremiseId === premise.id && element.status !== "REPLACED")
  return table(
    [say("Ознака (ПУ)", "Identifier (PU)"), say("Назив", "Name"), say("Стање", "State"), say("Плаћања", "Payments"), say("Безбедносни елемент", "Security element"), ...(visit.may("setup:write") ? [say("Измене", "Changes")] : [])],
    found.map((premise) => [
      premise.puIdentifier,
      premise.name,
      premiseStatus(visit, premise),
      modeWords(visit, premise),
      of(premise).length === 0 ? badge("bad", say("Нема га", "None")) : el("ul", { class: "plain" }, of(premise).map((entry) => el("li", {}, elementWords(visit, entry, now)))),
      ...(visit.may("setup:write") ? [el("ul", { class: "plain" }, el("li", {}, el("a", { href: `/setup/element/${premise.id}` }, say("Учитај елемент", "Upload an element"))), el("li", {}, el("a", { href: `/setup/rehearsal/${premise.id}` }, say("Проба пре првог рачуна", "Rehearse going live"))))] : [])
    ]),
    { caption: say("Пословни простори", "Premises"), empty: say("Нема пословних простора.", "There are no premises.") }
  )
}

const paperForm = (visit: MemberVisit, { preferredPaperFormat, taxpayer }: TaxpayerEntry): Html =>
  visit.may("setup:write")
    ? form(
      visit,
      { action: "/setup/paper", submit: visit.say("Сачувај", "Save"), label: taxpayer.name },
      el("input", { type: "hidden", name: "taxpayer", value: taxpayer.id }),
      choice({ name: "format", scope: taxpayer.id, label: visit.say("Папир за штампу", "Paper to print on"), value: preferredPaperFormat, options: PaperFormat.literals.map((it) => [it, paperName(it)] as const) })
    )
    : null

const taxpayerCard = (visit: MemberVisit, entry: TaxpayerEntry, elements: ReadonlyArray<ElementEntry>, now: DateTime.Utc): Html => {
  const { say } = visit
  const { taxpayer } = entry
  return card(
    taxpayer.name,
    facts([
      [say("ПИБ (не мења се)", "Tax id (never changes)"), taxpayer.taxIdentifier],
      [say("Адреса", "Address"), [taxpayer.address, taxpayer.city].filter((it) => it !== null).join(", ") || "–"],
      [say("ПДВ", "VAT"), taxpayer.vatStatus === "IN_VAT" ? say("У систему ПДВ-а", "In VAT") : say("Није у систему ПДВ-а", "Outside VAT")],
      [say("Стање", "State"), taxpayer.status === "active" ? badge("good", say("Активан", "Active")) : badge("bad", say("Неактиван", "Inactive"))]
    ]),
    el("h3", {}, say("Пословни простори", "Premises")),
    premises(visit, entry, elements, now),
    paperForm(visit, entry),
    visit.may("setup:write")
      ? el(
        "div",
        { class: "actions" },
        el("a", { class: "button", href: `/setup/taxpayers/${taxpayer.id}/premises/new` }, say("Додај пословни простор", "Add a premise")),
        el("a", { class: "button", href: `/setup/branding/${taxpayer.id}` }, say("Изглед рачуна", "Look of receipts")),
        el("a", { class: "button", href: `/setup/mail/${taxpayer.id}` }, say("Слање е-поштом", "Delivery by e-mail"))
      )
      : null
  )
}

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const tenancyOversight = yield* TenancyOversight
  const elementOversight = yield* ElementOversight
  const entries = (yield* tenancyOversight.taxpayers(visit.organizationId)).filter(({ taxpayer }) => taxpayer.environment === visit.environment)
  const elements = (yield* elementOversight.elements(visit.organizationId)).filter(({ element }) => element.environment === visit.environment)
  const now = yield* DateTime.now
  const title = say("Подешавања", "Setup")
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    el("p", {}, el("a", { href: "/setup/going-live" }, say("Пут до првог правог рачуна: докле сте стигли", "Going live: how far you are"))),
    entries.length === 0
      ? el("p", { class: "empty" }, say("У овом окружењу још нема обвезника.", "There is no taxpayer in this environment yet."))
      : entries.map((entry) => taxpayerCard(visit, entry, elements, now)),
    visit.may("setup:write") ? el("p", {}, el("a", { class: "button", href: "/setup/taxpayers/new" }, say("Додај обвезника", "Add a taxpayer"))) : null
  )
  return page(title, content)
})

/** The organization's taxpayer of this environment; another organization's is not found. */
export const ownTaxpayer = Effect.fnUntraced(function*(visit: MemberVisit, id: string) {
  const entries = yield* (yield* TenancyOversight).taxpayers(visit.organizationId)
  const found = entries.find(({ taxpayer }) => taxpayer.id === id && taxpayer.environment === visit.environment)
  return found === undefined ? yield* new NotFound({}) : found
})

const changePaper = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { taxpayer } = yield* ownTaxpayer(visit, visit.form?.text("taxpayer") ?? "")
  const preferredPaperFormat = PaperFormat.literals.find((it) => it === visit.form?.text("format"))
  if (preferredPaperFormat === undefined) return yield* new NotFound({})
  yield* (yield* TaxpayerActs).changeTaxpayer(actOf(visit), visit.organizationId, TaxpayerId.make(taxpayer.id), { preferredPaperFormat })
  return redirect("/setup?done=saved")
})

/** Taxpayers, premises and their elements. */
export const setupRoutes = [memberRoute("GET", "/setup", "setup:read", show), memberRoute("POST", "/setup/paper", "setup:write", changePaper)]
