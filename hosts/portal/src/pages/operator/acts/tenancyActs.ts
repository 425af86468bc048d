import { BusinessPremiseId, digitExpectedInTaxIdentifier, PaperFormat, TaxpayerActs, type TaxpayerEntry, TaxpayerId, TenancyOversight } from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import type { Html } from "../../../html/el.ts"
import { facts } from "../../../html/parts.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { NotFound } from "../../../http/visitOf.ts"
import { environmentPair } from "../../../language/environmentWords.ts"
import { taxIdDigitWords } from "../../checkDigitWords.ts"
import { dayField, idParameter, oneOf, optional, organizationOf, required } from "../actInput.ts"
import { type ActField, ActInvalid, type OperatorAct } from "../OperatorAct.ts"
import { choices, paymentModeWords, stateWords, vatWords } from "../stateWords.ts"

const vat = ["IN_VAT", "OUTSIDE_VAT"] as const
const environments = ["sandbox", "production"] as const
const same = <Value extends string>(values: ReadonlyArray<Value>) => values.map((value) => [value, value] as const)

const premiseFields: ReadonlyArray<ActField> = [
  { kind: "text", name: "pu", words: ["Ознака пословног простора (ПУ), не мења се", "Premise identifier (PU), never changes"], more: { required: true } },
  { kind: "text", name: "premise", words: ["Назив пословног простора", "The premise's name"], more: { required: true } },
  { kind: "text", name: "address", words: ["Адреса", "Address"] },
  { kind: "text", name: "city", words: ["Место", "City"] }
]

const premiseOf = Effect.fnUntraced(function*(visit: PersonVisit) {
  const puIdentifier = yield* required(visit, "pu", 50)
  return { puIdentifier, name: yield* required(visit, "premise"), address: optional(visit, "address"), city: optional(visit, "city") }
})

const addTaxpayer: OperatorAct = {
  path: "/operator/organizations/:id/taxpayers/add",
  title: ["Додај обвезника", "Add a taxpayer"],
  warning: ["ПИБ и ознака простора се касније не мењају.", "Tax id and premise identifier can never be changed later."],
  fields: () =>
    Effect.succeed([
      { kind: "choice", name: "environment", words: ["Окружење", "Environment"], options: environments.map((it) => [it, environmentPair(it)] as const) },
      { kind: "text", name: "taxId", words: ["ПИБ, девет цифара", "Tax id, nine digits"], more: { required: true, inputmode: "numeric" } },
      { kind: "text", name: "name", words: ["Назив", "Name"], more: { required: true } },
      { kind: "choice", name: "vat", words: ["ПДВ", "VAT"], options: choices(vatWords, ...vat) },
      ...premiseFields
    ]),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    const taxIdentifier = yield* required(visit, "taxId", 9)
    if (!/^\d{9}$/.test(taxIdentifier)) return yield* new ActInvalid({ field: "taxId", sentence: visit.say("ПИБ има девет цифара.", "A tax id has nine digits.") })
    const expected = digitExpectedInTaxIdentifier(taxIdentifier)
    if (expected !== undefined) return yield* new ActInvalid({ field: "taxId", sentence: taxIdDigitWords(visit.say, expected) })
    const businessPremises = [yield* premiseOf(visit)]
    const place = { address: optional(visit, "address"), city: optional(visit, "city") }
    const taxpayer = { taxIdentifier, name: yield* required(visit, "name", 200), ...place, vatStatus: yield* oneOf(visit, "vat", vat), businessPremises }
    yield* (yield* TaxpayerActs).createTaxpayer(act, id, yield* oneOf(visit, "environment", environments), taxpayer)
    return `/operator/organizations/${id}?done=saved`
  })
}

/** The taxpayer of the address, of the organization of the address. */
export const taxpayerOf = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { id } = yield* organizationOf(visit)
  const found = Option.getOrNull(yield* (yield* TenancyOversight).taxpayer(TaxpayerId.make(yield* idParameter(visit, "taxpayer"))))
  if (found === null || found.organizationId !== id) return yield* new NotFound({})
  return found
})

const taxpayerFacts = ({ say }: PersonVisit, { taxpayer }: TaxpayerEntry): Html =>
  facts([[say("Обвезник", "Taxpayer"), taxpayer.name], [say("ПИБ", "Tax id"), taxpayer.taxIdentifier], [say("Окружење", "Environment"), taxpayer.environment], [say("Стање", "State"), say(...stateWords[taxpayer.status])]])

/** The form of an act on the taxpayer of the address: nothing to fill in, the taxpayer to look at. */
const taxpayerShown: Pick<OperatorAct, "fields" | "shows"> = {
  fields: (visit) => Effect.as(taxpayerOf(visit), []),
  shows: (visit) => Effect.map(taxpayerOf(visit), (entry) => taxpayerFacts(visit, entry))
}

const addPremise: OperatorAct = {
  path: "/operator/organizations/:id/taxpayers/:taxpayer/premises/add",
  title: ["Додај пословни простор", "Add a premise"],
  fields: () => Effect.succeed(premiseFields),
  run: Effect.fnUntraced(function*(visit, act) {
    const { organizationId, taxpayer } = yield* taxpayerOf(visit)
    yield* (yield* TaxpayerActs).addPremise(act, organizationId, taxpayer.id, yield* premiseOf(visit))
    return `/operator/organizations/${organizationId}?done=saved`
  })
}

const vatChange = Effect.fnUntraced(function*(visit: PersonVisit, entry: TaxpayerEntry) {
  const vatStatus = yield* oneOf(visit, "vat", vat)
  if (vatStatus === entry.taxpayer.vatStatus) return {}
  const since = yield* dayField(visit, "since")
  // The service applies a VAT status at once, so a date in the future would make receipts wrong until then.
  if (since === null || DateTime.toEpochMillis(since) > DateTime.toEpochMillis(yield* DateTime.now)) {
    return yield* new ActInvalid({ field: "since", sentence: visit.say("Промена ПДВ-а тражи дан од ког важи, не касније од данас.", "A change of VAT needs the day it holds from, today at the latest.") })
  }
  return { vatStatus, vatStatusSince: visit.form?.text("since") ?? "" }
})

const changeTaxpayer: OperatorAct = {
  path: "/operator/organizations/:id/taxpayers/:taxpayer",
  title: ["Измени обвезника", "Change the taxpayer"],
  fields: Effect.fnUntraced(function*(visit) {
    const { preferredPaperFormat, taxpayer } = yield* taxpayerOf(visit)
    return [
      { kind: "choice", name: "status", words: ["Стање (неактиван више не издаје)", "Status (an inactive one issues nothing)"], options: choices(stateWords, "active", "inactive"), value: taxpayer.status },
      { kind: "choice", name: "vat", words: ["ПДВ", "VAT"], options: choices(vatWords, ...vat), value: taxpayer.vatStatus },
      { kind: "text", name: "since", words: ["ПДВ важи од (само уз промену)", "VAT holds from (only with a change)"], more: { type: "date" } },
      { kind: "choice", name: "paper", words: ["Папир", "Paper"], options: same(PaperFormat.literals), value: preferredPaperFormat }
    ] satisfies ReadonlyArray<ActField>
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const entry = yield* taxpayerOf(visit)
    const status = yield* oneOf(visit, "status", ["active", "inactive"])
    const preferredPaperFormat = yield* oneOf(visit, "paper", PaperFormat.literals)
    const change = { status, preferredPaperFormat, ...(yield* vatChange(visit, entry)) }
    yield* (yield* TaxpayerActs).changeTaxpayer(act, entry.organizationId, entry.taxpayer.id, change)
    return `/operator/organizations/${entry.organizationId}?done=saved`
  })
}

const premiseEntry = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { id } = yield* organizationOf(visit)
  const wanted = yield* idParameter(visit, "premise")
  for (const entry of yield* (yield* TenancyOversight).taxpayers(id)) {
    const premise = entry.premises.find((it) => it.id === wanted)
    if (premise !== undefined) return { organizationId: id, entry, premise }
  }
  return yield* new NotFound({})
})

const changePremise: OperatorAct = {
  path: "/operator/organizations/:id/premises/:premise",
  title: ["Измени пословни простор", "Change the premise"],
  fields: Effect.fnUntraced(function*(visit) {
    const { premise } = yield* premiseEntry(visit)
    return [
      { kind: "choice", name: "status", words: ["Стање", "Status"], options: choices(stateWords, "active", "suspended", "closed"), value: premise.status },
      { kind: "choice", name: "payments", words: ["Плаћања", "Payments"], options: choices(paymentModeWords, "all", "restricted"), value: premise.paymentMode },
      { kind: "choice", name: "commerce", words: ["Трговина", "Commerce"], options: [["distance", ["на даљину", "distance"]], ["in_person", ["лицем у лице", "in person"]]], value: premise.commerceMode }
    ] satisfies ReadonlyArray<ActField>
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const { organizationId, premise } = yield* premiseEntry(visit)
    const status = yield* oneOf(visit, "status", ["active", "suspended", "closed"])
    const paymentMode = yield* oneOf(visit, "payments", ["all", "restricted"])
    const commerceMode = yield* oneOf(visit, "commerce", ["distance", "in_person"])
    yield* (yield* TaxpayerActs).changePremise(act, organizationId, BusinessPremiseId.make(premise.id), { status, paymentMode, commerceMode })
    return `/operator/organizations/${organizationId}?done=saved`
  })
}

const confirmTaxpayer: OperatorAct = {
  path: "/operator/organizations/:id/taxpayers/:taxpayer/confirm",
  title: ["Потврди ПИБ", "Confirm the tax id"],
  warning: ["ПИБ од сада припада овом обвезнику и ниједној другој организацији. Прво погледајте доказ.", "From now on the tax id is this taxpayer's, and no other organization's. See its proof first."],
  ...taxpayerShown,
  run: Effect.fnUntraced(function*(visit, act) {
    const { organizationId, taxpayer } = yield* taxpayerOf(visit)
    yield* (yield* TaxpayerActs).confirmTaxpayer(act, organizationId, taxpayer.id)
    return `/operator/organizations/${organizationId}?done=saved`
  })
}

const releaseTaxpayer: OperatorAct = {
  path: "/operator/organizations/:id/taxpayers/:taxpayer/release",
  title: ["Ослободи ПИБ", "Release the tax id"],
  warning: ["Обвезник постаје неактиван, а његов ПИБ слободан за другу организацију. Документи остају.", "The taxpayer becomes inactive and its tax id free for another organization. Its documents stay."],
  ...taxpayerShown,
  run: Effect.fnUntraced(function*(visit, act) {
    const { organizationId, taxpayer } = yield* taxpayerOf(visit)
    yield* (yield* TaxpayerActs).releaseTaxpayer(act, organizationId, taxpayer.id)
    return `/operator/organizations/${organizationId}?done=saved`
  })
}

/** Taxpayers and premises. */
export const tenancyActs: ReadonlyArray<OperatorAct> = [addTaxpayer, addPremise, changeTaxpayer, confirmTaxpayer, releaseTaxpayer, changePremise]
