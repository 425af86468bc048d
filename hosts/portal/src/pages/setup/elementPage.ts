import { elementFacts, elementFault, type ElementFault, type PfxUnreadable, isPac, readPfx, trustedRoots } from "@overa/adapter-vpfr"
import { type BusinessPremise, ElementActs, type ElementFacts, type TaxpayerEntry, TenancyOversight } from "@overa/domain"
import { Clock, DateTime, Effect, Redacted } from "effect"
import { all, el } from "../../html/el.ts"
import { type Faults, faultSummary, field, form } from "../../html/forms.ts"
import { facts, notice } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { day } from "../../language/formats.ts"
import { PortalSettings } from "../../layers.ts"

interface Place {
  readonly entry: TaxpayerEntry
  readonly premise: BusinessPremise
}

const placeOf = Effect.fnUntraced(function*(visit: MemberVisit) {
  for (const entry of yield* (yield* TenancyOversight).taxpayers(visit.organizationId)) {
    const premise = entry.premises.find((it) => it.id === visit.params["premise"] && it.environment === visit.environment)
    if (premise !== undefined) return { entry, premise } satisfies Place
  }
  return yield* new NotFound({})
})

const askPage = (visit: MemberVisit, { entry, premise }: Place, faults: Faults = {}) => {
  const { say } = visit
  const title = say("Безбедносни елемент", "Security element")
  const content = all(
    el("h1", {}, title),
    el("p", {}, entry.taxpayer.name, " – ", premise.name),
    faultSummary(visit, faults),
    el("p", {}, say(
      "Од Пореске управе добили сте датотеку, лозинку и ПАК. Учитани елемент се не користи док га оператер не провери и активира; дотле ради садашњи.",
      "From the tax authority you have a file, a password and a PAC. An uploaded element is not used before the operator has checked and activated it; until then the present one goes on."
    )),
    form(
      visit,
      { action: `/setup/element/${premise.id}`, submit: say("Учитај", "Upload"), files: true },
      field({ name: "file", label: say("Датотека (.pfx или .p12)", "File (.pfx or .p12)"), type: "file", accept: ".pfx,.p12", required: true, fault: faults["file"] }),
      field({ name: "password", label: say("Лозинка датотеке", "Password of the file"), type: "password", autocomplete: "off", required: true, fault: faults["password"] }),
      field({ name: "pac", label: say("ПАК", "PAC"), type: "password", autocomplete: "off", required: true, hint: say("Шест слова или цифара.", "Six letters or digits."), fault: faults["pac"] })
    )
  )
  return page(title, el("div", { class: "card narrow" }, content), Object.keys(faults).length === 0 ? 200 : 422)
}

const unreadable = (visit: MemberVisit, { fault }: PfxUnreadable): Faults =>
  fault === "WRONG_PASSWORD"
    ? { password: visit.say("Лозинка не отвара ову датотеку. Препишите је из писма Пореске управе.", "The password does not open this file. Copy it from the tax authority's letter.") }
    : { file: visit.say("Ово није датотека безбедносног елемента. Изаберите .pfx коју сте добили од Пореске управе.", "This is no security element's file. Choose the .pfx you got from the tax authority.") }

const misplaced = (visit: MemberVisit, fault: ElementFault): Faults => {
  const { say } = visit
  switch (fault._tag) {
    case "Expired":
      return { file: say(`Сертификат је истекао ${day(DateTime.makeUnsafe(fault.atMillis))} Затражите нови.`, `The certificate expired on ${day(DateTime.makeUnsafe(fault.atMillis))} Ask for a new one.`) }
    case "NotYetValid":
      return { file: say(`Сертификат важи тек од ${day(DateTime.makeUnsafe(fault.fromMillis))}`, `The certificate is valid only from ${day(DateTime.makeUnsafe(fault.fromMillis))}`) }
    case "NoRoots":
      return { file: say("Ово окружење још није подешено. Обратите се оператеру.", "This environment is not configured yet. Contact the operator.") }
    case "OtherEnvironment":
      return { file: say("Ово је елемент другог окружења. Промените окружење у заглављу.", "This is an element of the other environment. Switch the environment at the top.") }
    case "ForeignRoot":
      return { file: say("Сертификат није издала Пореска управа.", "The certificate was not issued by the tax authority.") }
    case "NoTin":
      return { file: say("Сертификат не наводи ПИБ.", "The certificate names no tax id.") }
    case "OtherTin":
      return { file: say(`Елемент је издат на ПИБ ${fault.tin}. Изаберите датотеку овог обвезника.`, `The element was issued to tax id ${fault.tin}. Choose this taxpayer's file.`) }
  }
}

const donePage = (visit: MemberVisit, stored: ElementFacts) => {
  const { say } = visit
  const title = say("Елемент је учитан", "The element is uploaded")
  return page(title, all(
    el("h1", {}, title),
    notice("good", el("p", {}, say("Оператер га сада проверава и активира. Садашњи елемент ради до тада.", "The operator now checks and activates it. The present element goes on until then."))),
    facts([
      ["JID", stored.jid],
      [say("Издат на", "Issued to"), stored.subject],
      [say("Издао", "Issued by"), stored.issuer],
      [say("ПИБ", "Tax id"), stored.tin],
      [say("Важи", "Valid"), `${day(stored.validFrom)} – ${day(stored.validTo)}`],
      [say("Отисак SHA-256", "SHA-256 fingerprint"), el("span", { class: "secret" }, stored.fingerprintSha256)]
    ]),
    el("p", {}, el("a", { href: "/setup" }, say("Назад на подешавања", "Back to the setup")))
  ))
}

const upload = Effect.fnUntraced(function*(visit: MemberVisit) {
  const place = yield* placeOf(visit)
  const { taxpayer } = place.entry
  const file = visit.form?.file("file") ?? null
  const pac = visit.form?.text("pac") ?? ""
  const faults: Faults = {
    ...(file === null ? { file: visit.say("Изаберите датотеку.", "Choose a file.") } : {}),
    ...(isPac(pac) ? {} : { pac: visit.say("ПАК има шест слова или цифара.", "A PAC has six letters or digits.") })
  }
  if (file === null || Object.keys(faults).length > 0) return askPage(visit, place, faults)
  const read = yield* readPfx(file.bytes, Redacted.make(visit.form?.exact("password") ?? "")).pipe(
    Effect.map((element) => ({ element, faults: null })),
    Effect.catchTag("PfxUnreadable", (error) => Effect.succeed({ element: null, faults: unreadable(visit, error) }))
  )
  if (read.element === null) return askPage(visit, place, read.faults)
  const roots = yield* trustedRoots((yield* PortalSettings).vpfr)
  const fault = elementFault(read.element, { environment: visit.environment, taxIdentifier: taxpayer.taxIdentifier }, roots, yield* Clock.currentTimeMillis)
  if (fault !== null) return askPage(visit, place, misplaced(visit, fault))
  const stored = elementFacts(read.element, Redacted.make(pac), taxpayer.taxIdentifier)
  const act = { actor: visit.actor, reason: "in the portal" }
  yield* (yield* ElementActs).upload(act, visit.organizationId, place.premise.id, stored)
  return donePage(visit, stored)
})

const refused = Effect.fnUntraced(function*(visit: MemberVisit) {
  const place = yield* placeOf(visit)
  return askPage(visit, place, { file: visit.say("Овај елемент је већ учитан, овде или код другога.", "This element is uploaded already, here or by somebody else.") })
})

/** Uploading an element: stored, not yet used. */
export const elementRoutes = [
  memberRoute("GET", "/setup/element/:premise", "setup:write", (visit) => Effect.map(placeOf(visit), (place) => askPage(visit, place))),
  memberRoute("POST", "/setup/element/:premise", "setup:write", (visit) => Effect.catchTag(upload(visit), "ActRefused", () => refused(visit)))
]
