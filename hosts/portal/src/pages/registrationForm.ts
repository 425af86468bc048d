import { decodePremiseRegistration, decodeTaxpayerRegistration, digitExpectedInTaxIdentifier, type PremiseRegistration, type RequestFaults, type TaxpayerRegistration } from "@overa/domain"
import { Result } from "effect"
import { all, el, type Html } from "../html/el.ts"
import { choice, type Faults, field } from "../html/forms.ts"
import { notice } from "../html/parts.ts"
import type { Visit } from "../http/Visit.ts"
import { taxIdDigitWords } from "./checkDigitWords.ts"

const typed = ({ form }: Visit, name: string): string => form?.text(name) ?? ""
const orNull = (text: string): string | null => text === "" ? null : text

const premiseBody = (visit: Visit) => ({
  puIdentifier: typed(visit, "pu"),
  name: typed(visit, "premise"),
  address: orNull(typed(visit, "premiseAddress")),
  city: orNull(typed(visit, "premiseCity"))
})

/** The form as the body that the API takes. */
const taxpayerBody = (visit: Visit) => ({
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

type Words = readonly [serbian: string, english: string]

/** Said of an empty field: a list of faults above the form says them without their fields. */
const wanted: Readonly<Record<string, Words>> = {
  name: ["Унесите назив обвезника.", "Enter the taxpayer's name."],
  pu: ["Унесите ознаку пословног простора.", "Enter the premise's identifier."],
  premise: ["Унесите назив пословног простора.", "Enter the premise's name."]
}

const sentence = ({ say }: Visit, at: string, message: string): string => {
  if (at === "taxId") return say("ПИБ има тачно девет цифара.", "A tax id has exactly nine digits.")
  if (message.startsWith("must not be empty")) return say(...(wanted[at] ?? ["Обавезно поље.", "This is needed."]))
  const most = /at most (\d+) characters/.exec(message)?.[1]
  return most === undefined
    ? say("Без прелома реда и других посебних знакова.", "No line breaks and no other control characters.")
    : say(`Највише ${most} знакова.`, `At most ${most} characters.`)
}

const faultsOf = (visit: Visit, { faults }: RequestFaults, isPremise: boolean): Faults =>
  Object.fromEntries(faults.toReversed().map(({ message, pointer }) => {
    const at = fieldAt(pointer, isPremise)
    return [at, sentence(visit, at, message)] as const
  }))

/** The tax id's last digit is looked at wherever there are nine, so that its fault stands beside the others. */
const digitFaults = (visit: Visit): Faults => {
  const typedId = typed(visit, "taxId")
  const expected = /^\d{9}$/.test(typedId) ? digitExpectedInTaxIdentifier(typedId) : undefined
  return expected === undefined ? {} : { taxId: taxIdDigitWords(visit.say, expected) }
}

/** The taxpayer with its first premise, or every fault, by field. */
export const readTaxpayer = (visit: Visit): Result.Result<TaxpayerRegistration, Faults> => {
  const read = decodeTaxpayerRegistration(taxpayerBody(visit))
  const faults = { ...(Result.isFailure(read) ? faultsOf(visit, read.failure, false) : {}), ...digitFaults(visit) }
  return Result.isFailure(read) || Object.keys(faults).length > 0 ? Result.fail(faults) : Result.succeed(read.success)
}

/** One more premise, or every fault, by field. */
export const readPremise = (visit: Visit): Result.Result<PremiseRegistration, Faults> =>
  Result.mapError(decodePremiseRegistration(premiseBody(visit)), (faults) => faultsOf(visit, faults, true))

/** Said before what can never be taken back is saved. */
export const neverChanges = ({ say }: Visit, what: string): Html =>
  notice("wait", el("p", {}, el("strong", {}, say("Проверите пре чувања: ", "Check before you save: "), what, say(" се после никада не мења.", " can never be changed afterwards."))))

const textField = (visit: Visit, faults: Faults, name: string, label: string, more: { readonly hint?: string; readonly required?: boolean; readonly inputmode?: "numeric" } = {}): Html =>
  field({ name, label, value: typed(visit, name), fault: faults[name], autocomplete: "off", ...more })

/** The fields of a premise. */
export const premiseFields = (visit: Visit, faults: Faults): Html => {
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

/** The fields of a taxpayer; `register`: the company register fills in what is left empty. */
export const taxpayerFields = (visit: Visit, faults: Faults, register = false): Html => {
  const { say } = visit
  return all(
    textField(visit, faults, "taxId", say("ПИБ", "Tax id"), {
      required: true,
      inputmode: "numeric",
      hint: say("Девет цифара. Не мења се после чувања.", "Nine digits. It never changes after saving.")
    }),
    textField(visit, faults, "name", say("Назив", "Name"), register
      ? { hint: say("Оставите празно да га узмемо из регистра, са адресом; видећете га пре чувања.", "Leave it empty to take it from the register, with the address; you see it before it is saved.") }
      : { required: true }),
    textField(visit, faults, "address", say("Адреса", "Address")),
    textField(visit, faults, "city", say("Место", "City")),
    choice({
      name: "vat",
      label: say("ПДВ", "VAT"),
      value: typed(visit, "vat"),
      options: [["IN_VAT", say("У систему ПДВ-а", "In VAT")], ["OUTSIDE_VAT", say("Није у систему ПДВ-а", "Outside VAT")]],
      fault: faults["vat"]
    })
  )
}
