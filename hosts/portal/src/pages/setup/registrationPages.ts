import { TaxpayerActs, TaxpayerId } from "@overa/domain"
import { Effect, Result } from "effect"
import { el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, form } from "../../html/forms.ts"
import { facts } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { PortalSettings } from "../../layers.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { neverChanges, premiseFields, readPremise, readTaxpayer, taxpayerFields } from "../registrationForm.ts"
import { ownTaxpayer } from "./setupPage.ts"

const environmentNote = ({ environment, say }: MemberVisit): Html =>
  el("p", {}, environment === "production"
    ? say("Додаје се у продукцију. ПИБ потврђује безбедносни елемент који затим учитате.", "It is added to production. The security element that you upload next confirms the tax id.")
    : say("Додаје се у тестно окружење; простор одмах добија тестни елемент, ако га има у резерви.", "It is added to the sandbox; the premise gets a sandbox element at once where one is spare."))

const cardPage = (visit: MemberVisit, title: string, faults: Faults, ...content: ReadonlyArray<Html>) =>
  page(title, el(
    "div",
    { class: "card" },
    el("h1", {}, title),
    faultSummary(visit, faults),
    ...content,
    el("p", {}, el("a", { href: "/setup" }, visit.say("Назад на подешавања", "Back to the setup")))
  ), faultStatus(faults))

const taxpayerPage = (visit: MemberVisit, faults: Faults = {}) => {
  const { say } = visit
  return cardPage(
    visit,
    say("Нови обвезник", "New taxpayer"),
    faults,
    environmentNote(visit),
    form(
      visit,
      { action: "/setup/taxpayers/new", submit: say("Сачувај обвезника", "Save the taxpayer") },
      taxpayerFields(visit, faults),
      el("h2", {}, say("Његов први пословни простор", "Its first premise")),
      premiseFields(visit, faults),
      neverChanges(visit, say("ПИБ и ознака пословног простора", "tax id and premise identifier"))
    )
  )
}

const quotaSentence = ({ say }: MemberVisit): string =>
  say("Организација је сама додала највише што може. Затражите од оператера да дода још.", "The organization has added as many as it may by itself. Ask the operator to add more.")
const puTaken = ({ say }: MemberVisit): string => say("Обвезник већ има пословни простор са овом ознаком.", "The taxpayer already has a premise with this identifier.")

const refusalFaults = (visit: MemberVisit, reason: string): Faults =>
  reason === "QUOTA_REACHED" ? { pu: quotaSentence(visit) } : { pu: puTaken(visit) }

const addTaxpayer = Effect.fnUntraced(function*(visit: MemberVisit) {
  const read = readTaxpayer(visit)
  if (Result.isFailure(read)) return taxpayerPage(visit, read.failure)
  if (!(yield* isFirstSending(visit))) return redirect("/setup?done=already")
  const { registrations } = yield* PortalSettings
  yield* (yield* TaxpayerActs).createTaxpayer(actOf(visit), visit.organizationId, visit.environment, read.success, registrations)
  return redirect("/setup?done=taxpayer-added")
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("TaxpayerAlreadyExists", () =>
      Effect.succeed(taxpayerPage(visit, { taxId: visit.say("Обвезник са овим ПИБ-ом већ постоји у овом окружењу. Ако је ваш, обратите се оператеру.", "A taxpayer with this tax id exists in this environment already. If it is yours, contact the operator.") }))),
    Effect.catchTag("RegistrationsPaused", () =>
      Effect.succeed(taxpayerPage(visit, { taxId: visit.say("Пробали сте превише ПИБ-ова који су заузети. Проверите га и покушајте сутра, или се обратите оператеру.", "You tried too many tax ids that are taken. Check it and try again tomorrow, or contact the operator.") }))),
    Effect.catchTag("ActRefused", ({ reason }) => Effect.succeed(taxpayerPage(visit, refusalFaults(visit, reason))))
  ))

const premisePage = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const { taxpayer } = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  return cardPage(
    visit,
    say("Нови пословни простор", "New premise"),
    faults,
    facts([[say("Обвезник", "Taxpayer"), taxpayer.name], [say("ПИБ", "Tax id"), taxpayer.taxIdentifier]]),
    environmentNote(visit),
    form(
      visit,
      { action: visit.path, submit: say("Сачувај пословни простор", "Save the premise") },
      premiseFields(visit, faults),
      neverChanges(visit, say("ознака пословног простора", "the premise identifier"))
    )
  )
})

const addPremise = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { taxpayer } = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  const read = readPremise(visit)
  if (Result.isFailure(read)) return yield* premisePage(visit, read.failure)
  if (!(yield* isFirstSending(visit))) return redirect("/setup?done=already")
  const { registrations } = yield* PortalSettings
  yield* (yield* TaxpayerActs).addPremise(actOf(visit), visit.organizationId, TaxpayerId.make(taxpayer.id), read.success, registrations)
  return redirect("/setup?done=premise-added")
}, (effect, visit) => Effect.catchTag(effect, "ActRefused", ({ reason }) => premisePage(visit, refusalFaults(visit, reason))))

/** Adding taxpayers and premises, in the selected environment. */
export const registrationRoutes = [
  memberRoute("GET", "/setup/taxpayers/new", "setup:write", (visit) => Effect.succeed(taxpayerPage(visit))),
  memberRoute("POST", "/setup/taxpayers/new", "setup:write", addTaxpayer),
  memberRoute("GET", "/setup/taxpayers/:taxpayer/premises/new", "setup:write", (visit) => premisePage(visit)),
  memberRoute("POST", "/setup/taxpayers/:taxpayer/premises/new", "setup:write", addPremise)
]
