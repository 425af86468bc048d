import { changeTypes, type Fault, type WebhookEndpoint } from "@overa/domain"
import { el, type Html } from "../../html/el.ts"
import { choice, type Faults, field, tick } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { typeWords } from "./webhookWords.ts"

/** What an owner decides of an endpoint at any time. */
type Content = Pick<WebhookEndpoint, "url" | "description" | "eventTypes">

const blank: Content = { url: "", description: null, eventTypes: null }

/** What the person typed; before that, what the endpoint has. */
const shownOf = ({ form }: MemberVisit, kept: Content): { readonly url: string; readonly description: string; readonly reach: string; readonly types: ReadonlyArray<string> } =>
  form === null
    ? { url: kept.url, description: kept.description ?? "", reach: kept.eventTypes === null ? "all" : "some", types: kept.eventTypes ?? [] }
    : { url: form.text("url"), description: form.text("description"), reach: form.text("reach") || "all", types: form.texts("type") }

const typeTicks = ({ say }: MemberVisit, types: ReadonlyArray<string>, fault: string | undefined): Html =>
  el(
    "fieldset",
    {},
    el("legend", {}, say("Означени догађаји", "Marked events")),
    fault === undefined ? null : el("p", { class: "fault" }, fault),
    changeTypes.map((type) => tick({ name: "type", value: type, label: [say(...typeWords[type]), " ", el("span", { class: "hint" }, type)], checked: types.includes(type) }))
  )

/** Address, description and events, as they are or were typed. */
export const contentFields = (visit: MemberVisit, faults: Faults, kept: Content = blank): ReadonlyArray<Html> => {
  const { say } = visit
  const { description, reach, types, url } = shownOf(visit, kept)
  return [
    field({
      name: "url", label: say("Адреса", "Address"), required: true, autocomplete: "off", value: url, fault: faults["url"],
      hint: visit.environment === "production"
        ? say("Почиње са https:// и доступна је са интернета.", "It begins with https:// and can be reached from the internet.")
        : say("Почиње са https://, у тесту може и http://, и доступна је са интернета.", "It begins with https://, in the sandbox also http://, and can be reached from the internet.")
    }),
    field({ name: "description", label: say("Опис", "Description"), hint: say("За вас: нпр. веб продавница.", "For you: web shop, for example."), autocomplete: "off", value: description, fault: faults["description"] }),
    choice({
      name: "reach", label: say("Догађаји", "Events"), value: reach,
      options: [["all", say("Сви, и они из каснијих издања", "All, also those of later releases")], ["some", say("Само означени", "Only those marked below")]]
    }),
    typeTicks(visit, types, faults["eventTypes"])
  ]
}

/** The form's content as a body of the API, which the domain decodes. */
export const askedContent = ({ form }: MemberVisit) => ({
  url: form?.text("url") ?? "",
  description: form?.text("description") || null,
  eventTypes: form?.text("reach") === "all" ? null : form?.texts("type") ?? []
})

/** The decoder's own faults, at the fields of the form. */
export const contentFaults = ({ say }: MemberVisit, found: ReadonlyArray<Fault>): Faults => {
  const words: Readonly<Record<string, string>> = {
    url: say("Упишите адресу која почиње са https://, без лозинке и без знака #.", "Enter an address that begins with https://, without a password and without #."),
    description: say("Највише 200 знакова.", "At most 200 characters."),
    eventTypes: say("Означите бар један догађај.", "Mark at least one event."),
    signature: say("Изаберите потпис.", "Choose a signature.")
  }
  const nameOf = ({ pointer }: Fault): string => pointer.split("/")[1] ?? ""
  return Object.fromEntries(found.map((fault) => [nameOf(fault), words[nameOf(fault)] ?? say("Исправите.", "Correct this.")]))
}

export const addressTaken = ({ say }: MemberVisit): Faults => ({ url: say("Други вебхук већ има ову адресу.", "Another webhook has this address.") })
