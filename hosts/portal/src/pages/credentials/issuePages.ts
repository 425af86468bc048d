import { AccessOversight, type ActRefused, BusinessPremiseId, CredentialActs, credentialLimits, OwnScope, Scope } from "@overa/domain"
import { Effect } from "effect"
import { el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, field, tick } from "../../html/forms.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { actOf, isFirstSending } from "../personAct.ts"
import { premiseNames } from "../premiseNames.ts"
import { secretPage } from "./secretPage.ts"

const path = "/credentials/new"

/** Not where the operator forbids it. */
const mustBeAllowed = Effect.fnUntraced(function*(visit: MemberVisit) {
  if (!(yield* (yield* AccessOversight).ownCredentials(visit.organizationId))) return yield* new NotFound({})
})

const ticks = (visit: MemberVisit, legend: string, name: string, options: ReadonlyArray<readonly [value: string, label: string]>, checked: ReadonlyArray<string>, fault: string | undefined): Html =>
  el(
    "fieldset",
    {},
    el("legend", {}, legend),
    fault === undefined ? null : el("p", { class: "fault" }, fault),
    options.map(([value, label]) => tick({ name, value, label, checked: visit.form === null ? checked.includes(value) : visit.form.texts(name).includes(value) }))
  )

const titleOf = ({ say }: MemberVisit): string => say("Нови акредитив", "New credential")

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  yield* mustBeAllowed(visit)
  const { say } = visit
  const names = yield* premiseNames(visit)
  const { html, scripts } = yield* confirmedForm(
    visit,
    { action: path, submit: say("Издај", "Issue") },
    faults,
    field({ name: "name", label: say("Назив", "Name"), hint: say("Где ће радити: нпр. веб продавница.", "Where it will work: web shop, for example."), required: true, autocomplete: "off", value: visit.form?.text("name") ?? "", fault: faults["name"] }),
    ticks(visit, say("Дозволе", "Scopes"), "scope", OwnScope.literals.map((it) => [it, it] as const), Scope.literals, faults["scope"]),
    choice({
      name: "reach",
      label: say("Пословни простори", "Premises"),
      value: visit.form?.text("reach") || "all",
      options: [["all", say("Сви, и будући", "All, also later ones")], ["some", say("Само означени", "Only those marked below")]],
      hint: say("Не може се касније променити.", "This cannot be changed later.")
    }),
    ticks(visit, say("Означени простори", "Marked premises"), "premise", [...names], [], faults["premise"])
  )
  const environment = visit.environment === "production" ? say("Продукција", "Production") : say("Тест", "Sandbox")
  const content = el("div", { class: "card" }, el("h1", {}, titleOf(visit)), faultSummary(visit, faults), el("p", {}, say("Окружење: ", "Environment: "), el("strong", {}, environment)), html)
  return page(titleOf(visit), content, faultStatus(faults), scripts)
})

const asked = ({ form }: MemberVisit) => ({
  name: form?.text("name") ?? "",
  scopes: OwnScope.literals.filter((it) => form?.texts("scope").includes(it)),
  premises: form?.text("reach") === "all" ? null : (form?.texts("premise") ?? []).map((it) => BusinessPremiseId.make(it))
})

/** What the form lacks. A premise that is not of this environment is not on the page. */
const faultsOf = (visit: MemberVisit, names: ReadonlyMap<string, string>): Faults => {
  const { form, say } = visit
  const name = form?.text("name") ?? ""
  const marked = form?.texts("premise") ?? []
  const isSome = form?.text("reach") !== "all"
  return {
    ...(name === "" || [...name].length > credentialLimits.nameLength || /\p{C}/u.test(name) ? { name: say(`Упишите назив, највише ${credentialLimits.nameLength} знакова.`, `Enter a name of at most ${credentialLimits.nameLength} characters.`) } : {}),
    ...(OwnScope.literals.some((it) => form?.texts("scope").includes(it)) ? {} : { scope: say("Означите бар једну дозволу.", "Mark at least one scope.") }),
    ...(isSome && (marked.length === 0 || marked.length > credentialLimits.premises || marked.some((it) => !names.has(it)))
      ? { premise: say(`Означите од 1 до ${credentialLimits.premises} простора.`, `Mark 1 to ${credentialLimits.premises} premises.`) }
      : {})
  }
}

const refusal = ({ say }: MemberVisit, { reason }: ActRefused): Faults =>
  reason === "QUOTA_REACHED"
    ? { name: say(`Највише ${credentialLimits.byOwners} важећих акредитива; опозовите оне које нико не користи.`, `At most ${credentialLimits.byOwners} valid credentials; revoke those that nobody uses.`) }
    : { name: say("Оператер не дозвољава да организација сама издаје акредитиве.", "The operator does not allow the organization to issue credentials itself.") }

const issueNow = Effect.fnUntraced(function*(visit: MemberVisit) {
  if (!(yield* isFirstSending(visit))) return redirect("/credentials?done=already")
  const { name, premises, scopes } = asked(visit)
  const own = { by: "OWNER", most: credentialLimits.byOwners } as const
  const issued = yield* (yield* CredentialActs).issueCredential(actOf(visit), visit.organizationId, visit.environment, scopes, { name, premises, own })
  return secretPage(visit, issued, visit.say("Акредитив је издат", "The credential is issued"), "/credentials")
}, (effect, visit) => Effect.catchTag(effect, "ActRefused", (refused) => show(visit, refusal(visit, refused))))

const issue = Effect.fnUntraced(function*(visit: MemberVisit) {
  yield* mustBeAllowed(visit)
  const faults = faultsOf(visit, yield* premiseNames(visit))
  if (Object.keys(faults).length > 0) return yield* show(visit, faults)
  return yield* confirmed(visit, issueNow(visit), (wrong) => show(visit, wrong))
})

/** An owner issues a credential: asks for password or passkey, and shows the secret once. */
export const issueRoutes = [memberRoute("GET", path, "credentials:write", (visit) => show(visit)), memberRoute("POST", path, "credentials:write", issue)]
