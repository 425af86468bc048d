import { Effect } from "effect"
import { all, el, type Html } from "../../../html/el.ts"
import { choice, faultStatus, faultSummary, field, form, tick } from "../../../html/forms.ts"
import { notice } from "../../../html/parts.ts"
import { page } from "../../../http/Reply.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { environmentWords } from "../../../language/environmentWords.ts"
import { PortalSettings } from "../../../layers.ts"
import { elementFields } from "../../elementForm.ts"
import { neverChanges, premiseFields, taxpayerFields } from "../../registrationForm.ts"
import { reasonField } from "../reason.ts"
import { hasElement, type Unaccepted } from "./shopForm.ts"

const nothingYet: Unaccepted = { faults: {}, form: null, registered: "" }

const group = (legend: string, ...content: ReadonlyArray<Html>): Html => el("fieldset", {}, el("legend", {}, legend), ...content)

const ownerFields = ({ form: sent, say }: PersonVisit, { faults }: Unaccepted): Html =>
  group(
    say("Организација и власник", "Organization and owner"),
    field({ name: "organization", label: say("Назив организације", "The organization's name"), required: true, autocomplete: "off", value: sent?.text("organization") ?? "", fault: faults["organization"] }),
    field({
      name: "email", label: say("Е-пошта власника", "The owner's e-mail"), type: "email", required: true, autocomplete: "off", value: sent?.text("email") ?? "", fault: faults["email"],
      hint: say("Добија позив: линк важи једном и 72 сата.", "It gets the invitation: a link that works once, for 72 hours.")
    })
  )

const environmentFields = ({ form: sent, say }: PersonVisit, { faults }: Unaccepted): Html =>
  group(
    say("Окружење", "Environment"),
    choice({
      name: "environment", label: say("Где радња почиње", "Where the shop begins"), value: sent?.text("environment") ?? "sandbox", fault: faults["environment"],
      options: (["sandbox", "production"] as const).map((it) => [it, environmentWords(say, it)] as const),
      hint: say("У тестном се проба без последица; продукција се после додаје.", "In the sandbox everything can be tried; production is added later.")
    }),
    tick({ name: "real", label: say("Да, у продукцији: рачуни су прави, а ПИБ и простор се не могу уклонити", "Yes, in production: receipts are real, and tax id and premise cannot be removed"), checked: sent?.text("real") === "yes" })
  )

/** `wasSent`: an element was sent with the form that is shown again. */
const elementGroup = (visit: PersonVisit, { faults }: Unaccepted, wasSent: boolean): Html =>
  group(
    visit.say("Безбедносни елемент (ако га имате)", "Security element (if you have it)"),
    el("p", { class: "hint" }, visit.say(
      "Празно: може и касније. У тестном окружењу простор добија резервни елемент, ако га има.",
      "Empty: it can be added later. In the sandbox the premise gets a spare element where there is one."
    )),
    wasSent ? notice("wait", el("p", {}, visit.say("Датотека, лозинка и ПАК се не чувају: изаберите и унесите их поново.", "File, password and PAC are not kept: choose and enter them again."))) : null,
    elementFields(visit, faults, false)
  )

/** The one form that opens a shop. */
export const shopFormPage = Effect.fnUntraced(function*(given: PersonVisit, unaccepted: Unaccepted = nothingYet) {
  const { faults, registered } = unaccepted
  const visit = { ...given, form: unaccepted.form ?? given.form }
  const { say } = visit
  const title = say("Нова радња", "New shop")
  const { registerConfigured } = yield* PortalSettings
  return page(title, el(
    "div",
    { class: "card" },
    all(el("h1", {}, title), faultSummary(given, faults)),
    el("p", {}, say(
      "Један образац: организација, позив власнику, обвезник и први пословни простор настају заједно, или ништа.",
      "One form: the organization, the owner's invitation, the taxpayer and the first premise are made together, or nothing is."
    )),
    form(
      visit,
      { action: visit.path, submit: say("Отвори радњу", "Open the shop"), files: true },
      el("input", { type: "hidden", name: "registered", value: registered }),
      el(
        "div",
        { class: "columns" },
        el("div", {}, ownerFields(visit, unaccepted), environmentFields(visit, unaccepted), group(say("Обвезник", "Taxpayer"), taxpayerFields(visit, faults, registerConfigured))),
        el("div", {}, group(say("Први пословни простор", "First premise"), premiseFields(visit, faults)), elementGroup(visit, unaccepted, hasElement(given)))
      ),
      neverChanges(visit, say("ПИБ и ознака пословног простора", "tax id and premise identifier")),
      reasonField(visit, faults)
    )
  ), faultStatus(faults))
})
