import { decodePremiseRegistration, decodeTaxpayerRegistration, digitExpectedInTaxIdentifier, type RequestFaults, TaxpayerActs, TaxpayerId } from "@overa/domain"
import { Effect, Result } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, field, form } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { PortalSettings } from "../../layers.ts"
import { taxIdDigitWords } from "../checkDigitWords.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { ownTaxpayer } from "./setupPage.ts"

const typed = ({ form }: MemberVisit, name: string): string => form?.text(name) ?? ""
const orNull = (text: string): string | null => text === "" ? null : text

const premiseBody = (visit: MemberVisit) => ({
  puIdentifier: typed(visit, "pu"),
  name: typed(visit, "premise"),
  address: orNull(typed(visit, "premiseAddress")),
  city: orNull(typed(visit, "premiseCity"))
})

/** The form as the body that the API takes. */
const taxpayerBody = (visit: MemberVisit) => ({
  taxIdentifier: typed(visit, "taxId"),
  name: typed(visit, "name"),
  address: orNull(typed(visit, "address")),
  city: orNull(typed(visit, "city")),
  vatStatus: typed(visit, "vat"),
  businessPremises: [premiseBody(visit)]
})

const premiseFieldOf: Readonly<Record<string, string>> = { puIdentifier: "pu", name: "premise", address: "premiseAddress", city: "premiseCity" }
const fieldOf: Readonly<Record<string, string>> = { taxIdentifier: "taxId", name: "name", address: "address", city: "city", vatStatus: "vat" }

/** The field of a fault's place, `/name` or `/businessPremises/0/name`. */
const fieldAt = (pointer: string, isPremise: boolean): string => {
  const [first = "", , third = ""] = pointer.split("/").slice(1)
  return (isPremise ? premiseFieldOf[first] : first === "businessPremises" ? premiseFieldOf[third] : fieldOf[first]) ?? "form"
}

const sentence = ({ say }: MemberVisit, at: string, message: string): string => {
  if (at === "taxId") return say("ПИБ има тачно девет цифара.", "A tax id has exactly nine digits.")
  if (message.startsWith("must not be empty")) return say("Обавезно поље.", "This is needed.")
  const most = /at most (\d+) characters/.exec(message)?.[1]
  return most === undefined
    ? say("Без прелома реда и других посебних знакова.", "No line breaks and no other control characters.")
    : say(`Највише ${most} знакова.`, `At most ${most} characters.`)
}

const faultsOf = (visit: MemberVisit, { faults }: RequestFaults, isPremise: boolean): Faults =>
  Object.fromEntries(faults.toReversed().map(({ message, pointer }) => {
    const at = fieldAt(pointer, isPremise)
    return [at, sentence(visit, at, message)] as const
  }))

const neverChanges = ({ say }: MemberVisit, what: string): Html =>
  notice("wait", el("p", {}, el("strong", {}, say("Проверите пре чувања: ", "Check before you save: "), what, say(" се после никада не мења.", " can never be changed afterwards."))))

const textField = (visit: MemberVisit, faults: Faults, name: string, label: string, more: { readonly hint?: string; readonly required?: boolean; readonly inputmode?: "numeric" } = {}): Html =>
  field({ name, label, value: typed(visit, name), fault: faults[name], autocomplete: "off", ...more })

const premiseFields = (visit: MemberVisit, faults: Faults): Html => {
  const { say } = visit
  return all(
    textField(visit, faults, "pu", say("Ознака пословног простора (ПУ)", "Premise identifier (PU)"), {
      required: true,
      hint: say("Како га је доделила Пореска управа. Не мења се после чувања.", "As the tax authority assigned it. It never changes after saving.")
    }),
    textField(visit, faults, "premise", say("Назив пословног простора", "The premise's name"), { required: true }),
    textField(visit, faults, "premiseAddress", say("Адреса пословног простора", "The premise's address")),
    textField(visit, faults, "premiseCity", say("Место пословног простора", "The premise's city"))
  )
}

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
      textField(visit, faults, "taxId", say("ПИБ", "Tax id"), {
        required: true,
        inputmode: "numeric",
        hint: say("Девет цифара. Не мења се после чувања.", "Nine digits. It never changes after saving.")
      }),
      textField(visit, faults, "name", say("Назив", "Name"), { required: true }),
      textField(visit, faults, "address", say("Адреса", "Address")),
      textField(visit, faults, "city", say("Место", "City")),
      choice({
        name: "vat",
        label: say("ПДВ", "VAT"),
        value: typed(visit, "vat"),
        options: [["IN_VAT", say("У систему ПДВ-а", "In VAT")], ["OUTSIDE_VAT", say("Није у систему ПДВ-а", "Outside VAT")]],
        fault: faults["vat"]
      }),
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
  const read = decodeTaxpayerRegistration(taxpayerBody(visit))
  if (Result.isFailure(read)) return taxpayerPage(visit, faultsOf(visit, read.failure, false))
  const expected = digitExpectedInTaxIdentifier(read.success.taxIdentifier)
  if (expected !== undefined) return taxpayerPage(visit, { taxId: taxIdDigitWords(visit.say, expected) })
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
  const read = decodePremiseRegistration(premiseBody(visit))
  if (Result.isFailure(read)) return yield* premisePage(visit, faultsOf(visit, read.failure, true))
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
