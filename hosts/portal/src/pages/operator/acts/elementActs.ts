import type { ElementTarget } from "@overa/adapter-vpfr"
import { activateElement, BusinessPremiseId, daysUntil, ElementActs, ElementOversight, SecurityElementId } from "@overa/domain"
import { DateTime, Effect, Option, Result } from "effect"
import { all, el } from "../../../html/el.ts"
import { facts } from "../../../html/parts.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { NotFound } from "../../../http/visitOf.ts"
import { day } from "../../../language/formats.ts"
import { sentElement } from "../../elementForm.ts"
import { shorterElementNotice } from "../../shorterElement.ts"
import { idParameter, organizationOf, premiseOfOrganization } from "../actInput.ts"
import { type ActField, ActInvalid, type OperatorAct } from "../OperatorAct.ts"
import { elementStateWords } from "../stateWords.ts"

const fileFields: ReadonlyArray<ActField> = [
  { kind: "text", name: "file", words: ["Датотека (.pfx или .p12)", "File (.pfx or .p12)"], more: { type: "file", accept: ".pfx,.p12", required: true } },
  { kind: "text", name: "password", words: ["Лозинка", "Password"], more: { type: "password", autocomplete: "off", required: true } },
  { kind: "text", name: "pac", words: ["ПАК", "PAC"], more: { type: "password", autocomplete: "off", required: true } }
]

/** The uploaded element, read and compared with its place. */
const uploadedElement = Effect.fnUntraced(function*(visit: PersonVisit, target: ElementTarget) {
  const read = yield* sentElement(visit, target)
  if (Result.isSuccess(read)) return read.success.facts
  const [field = "file", sentence = ""] = Object.entries(read.failure)[0] ?? []
  return yield* new ActInvalid({ field, sentence })
})

const upload: OperatorAct = {
  path: "/operator/organizations/:id/premises/:premise/element",
  title: ["Учитај безбедносни елемент", "Upload a security element"],
  files: true,
  fields: (visit) => Effect.as(premiseOfOrganization(visit), fileFields),
  run: Effect.fnUntraced(function*(visit, act) {
    const { entry: { organizationId, taxpayer }, premise } = yield* premiseOfOrganization(visit)
    const element = yield* uploadedElement(visit, { environment: premise.environment, taxIdentifier: taxpayer.taxIdentifier })
    yield* (yield* ElementActs).upload(act, organizationId, BusinessPremiseId.make(premise.id), element)
    return `/operator/organizations/${organizationId}?done=element-uploaded`
  })
}

const elementOf = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { id } = yield* organizationOf(visit)
  const found = Option.getOrNull(yield* (yield* ElementOversight).element(SecurityElementId.make(yield* idParameter(visit, "element"))))
  return found !== null && found.organizationId === id ? found : yield* new NotFound({})
})

const activate: OperatorAct = {
  path: "/operator/organizations/:id/elements/:element/activate",
  title: ["Активирај елемент", "Activate the element"],
  warning: [
    "Шаље се један рачун за обуку; ако га В-ПФР потпише, елемент се користи од сада, а претходни је замењен.",
    "One Training document is sent; if the V-PFR signs it, the element is used from now on and the former one is replaced."
  ],
  fields: (visit) => Effect.as(elementOf(visit), []),
  shows: Effect.fnUntraced(function*(visit) {
    const { element, organizationId, taxIdentifier, tin } = yield* elementOf(visit)
    const { say } = visit
    const active = (yield* (yield* ElementOversight).elements(organizationId)).map((it) => it.element)
      .find((it) => it.businessPremiseId === element.businessPremiseId && it.status === "ACTIVE" && it.id !== element.id)
    return all(shorterElementNotice(say, element, active), facts([
      ["JID", element.jid],
      [say("Издат на", "Issued to"), element.subject],
      [say("ПИБ обвезника", "The taxpayer's tax id"), taxIdentifier],
      [say("ПИБ сертификата", "The certificate's tax id"), tin],
      [say("Издао", "Issued by"), element.issuer],
      [say("Окружење", "Environment"), element.environment],
      [say("Важи", "Valid"), `${day(element.validFrom)} – ${day(element.validTo)}`],
      [say("Преостало дана", "Days left"), String(daysUntil(element.validTo, yield* DateTime.now))],
      [say("Стање", "State"), say(...elementStateWords[element.status])],
      [say("Отисак SHA-256", "SHA-256 fingerprint"), el("span", { class: "secret" }, element.fingerprintSha256)]
    ]))
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const { element, organizationId } = yield* elementOf(visit)
    yield* activateElement({ tenant: { organizationId, environment: element.environment }, elementId: element.id, act })
    return `/operator/organizations/${organizationId}?done=saved`
  })
}

const addToPool: OperatorAct = {
  path: "/operator/installation/pool",
  title: ["Додај резервни елемент за тест", "Add a spare sandbox element"],
  files: true,
  fields: () => Effect.succeed(fileFields),
  run: Effect.fnUntraced(function*(visit, act) {
    // An element of the pool may be issued to any taxpayer: the sandbox does not compare it.
    const element = yield* uploadedElement(visit, { environment: "sandbox", taxIdentifier: "" })
    yield* (yield* ElementActs).addToPool(act, element)
    return "/operator/installation?done=saved"
  })
}

/** Security elements. */
export const elementActs: ReadonlyArray<OperatorAct> = [upload, activate, addToPool]
