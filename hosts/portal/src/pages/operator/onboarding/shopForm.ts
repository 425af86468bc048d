import { digitExpectedInTaxIdentifier, type ElementFacts, Environment, foldText, readEmail, type TaxpayerRegistration } from "@overa/domain"
import { Effect, Result } from "effect"
import { type Faults } from "../../../html/forms.ts"
import { Form } from "../../../http/Form.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { sentElement } from "../../elementForm.ts"
import { readTaxpayer } from "../../registrationForm.ts"
import { registeredCompany } from "../../registeredCompany.ts"
import { oneOf, required } from "../actInput.ts"
import { ActInvalid } from "../OperatorAct.ts"
import { isReason, reasonWanted } from "../reason.ts"

/** A shop as it was typed, without faults. */
export interface TypedShop {
  readonly name: string
  readonly email: string
  readonly environment: Environment
  readonly taxpayer: TaxpayerRegistration
  readonly element: ElementFacts | null
  readonly reason: string
}

/** Why a form is shown again: every fault in the order of the page, and the form with what the company register filled in. */
export interface Unaccepted {
  readonly faults: Faults
  readonly form: Form | null
  /** The register's name of the company that the page says; another name is accepted once the person has seen it. */
  readonly registered: string
}

const inOrder = [
  "organization", "email", "environment", "taxId", "name", "address", "city", "vat", "pu", "premise", "premiseAddress", "premiseCity", "file", "password", "pac", "reason"
]

const sorted = (faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).toSorted(([one], [other]) => inOrder.indexOf(one) - inOrder.indexOf(other)))

/** Whether any of the element's fields was filled in: without them the shop is opened without one. */
export const hasElement = ({ form }: PersonVisit): boolean => form !== null && (form.file("file") !== null || form.exact("password") !== "" || form.text("pac") !== "")

const longestName = 200

const organizationIn = (visit: PersonVisit) =>
  Effect.mapError(required(visit, "organization", longestName), ({ field }) =>
    new ActInvalid({ field, sentence: visit.say(`Унесите назив организације, највише ${longestName} знакова.`, `Enter the organization's name, at most ${longestName} characters.`) }))

const ownerIn = Effect.fnUntraced(function*(visit: PersonVisit) {
  const email = readEmail(visit.form?.text("email") ?? "")
  return email ?? (yield* new ActInvalid({ field: "email", sentence: visit.say("Унесите исправну адресу, нпр. ana@primer.rs.", "Enter an address, ana@primer.rs for example.") }))
})

const environmentIn = Effect.fnUntraced(function*(visit: PersonVisit) {
  const environment = yield* oneOf(visit, "environment", Environment.literals)
  if (environment === "sandbox" || visit.form?.text("real") === "yes") return environment
  return yield* new ActInvalid({ field: "environment", sentence: visit.say("Изабрали сте продукцију: потврдите то испод, или изаберите тестно окружење.", "You chose production: confirm it below, or choose the sandbox.") })
})

const reasonIn = ({ form, say }: PersonVisit): Effect.Effect<string, ActInvalid> => {
  const reason = form?.text("reason") ?? ""
  return isReason(reason) ? Effect.succeed(reason) : new ActInvalid({ field: "reason", sentence: reasonWanted(say) })
}

/** The reason of the sent form, or its fault. */
export const readReason = (visit: PersonVisit) => Effect.result(reasonIn(visit))

/** The faults of these readings, by field. */
export const faultsIn = (...read: ReadonlyArray<Result.Result<unknown, ActInvalid | Faults>>): Faults =>
  Object.assign({}, ...read.map((it) => Result.isSuccess(it) ? {} : it.failure instanceof ActInvalid ? { [it.failure.field]: it.failure.sentence } : it.failure))

/** Letters and digits alone: the register writes `ZORA DOO` for „Зора д.о.о.“. */
const plainName = (name: string): string => foldText(name).replaceAll(/[^\p{L}\p{N}]/gu, "")

interface Registered {
  readonly faults: Faults
  readonly filled: Readonly<Record<string, string>>
  readonly name: string
}

/** What the company register says of the typed tax id: it fills in a name that is missing, and another one is told once. */
const register = Effect.fnUntraced(function*({ form, say }: PersonVisit) {
  const nothing: Registered = { faults: {}, filled: {}, name: "" }
  const typed = (name: string) => form?.text(name) ?? ""
  const taxId = typed("taxId")
  if (!/^\d{9}$/.test(taxId) || digitExpectedInTaxIdentifier(taxId) !== undefined) return nothing
  const company = yield* registeredCompany(taxId)
  if (company === null) return nothing
  const { address, city, legalName } = company
  if (typed("name") === "") {
    const place = typed("address") + typed("city") === "" ? { address: address ?? "", city: city ?? "" } : {}
    return { faults: { name: say("Назив је из регистра. Прегледајте га, па пошаљите поново.", "The name is the register's. Look at it, then send again.") }, filled: { name: legalName, ...place }, name: legalName }
  }
  if (plainName(typed("name")) === plainName(legalName) || typed("registered") === legalName) return { ...nothing, name: legalName }
  const differs = say(`У регистру се за овај ПИБ води: ${legalName}. Исправите назив, или пошаљите поново да остане ваш.`, `The register has for this tax id: ${legalName}. Correct the name, or send again to keep yours.`)
  return { faults: { name: differs }, filled: {}, name: legalName }
})

const withFilled = (form: Form | null, filled: Readonly<Record<string, string>>): Form | null =>
  form === null ? null : Form.of([...form.entries().filter(([name]) => !Object.hasOwn(filled, name)), ...Object.entries(filled)])

/** The shop of the sent form, or every fault of it at once. */
export const readShop = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { form } = visit
  const name = yield* Effect.result(organizationIn(visit))
  const email = yield* Effect.result(ownerIn(visit))
  const environment = yield* Effect.result(environmentIn(visit))
  const taxpayer = readTaxpayer(visit)
  const target = { environment: form?.text("environment") === "production" ? "production" as const : "sandbox" as const, taxIdentifier: form?.text("taxId") ?? "" }
  const element = hasElement(visit) ? Result.map(yield* sentElement(visit, target), ({ facts }) => facts) : Result.succeed(null)
  const reason = yield* readReason(visit)
  const known = yield* register(visit)
  const faults = sorted({ ...faultsIn(name, email, environment, taxpayer, element, reason), ...known.faults })
  const isAccepted = Object.keys(faults).length === 0 && Result.isSuccess(name) && Result.isSuccess(email) && Result.isSuccess(environment) && Result.isSuccess(taxpayer) && Result.isSuccess(element) && Result.isSuccess(reason)
  if (!isAccepted) return Result.fail<Unaccepted>({ faults, form: withFilled(form, known.filled), registered: known.name })
  return Result.succeed<TypedShop>({ name: name.success, email: email.success, environment: environment.success, taxpayer: taxpayer.success, element: element.success, reason: reason.success })
})
