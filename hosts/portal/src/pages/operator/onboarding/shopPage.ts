import type { OrganizationEntry } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../../html/el.ts"
import { type Faults, faultStatus, faultSummary, form } from "../../../html/forms.ts"
import { badge, card, notice, table } from "../../../html/parts.ts"
import { page } from "../../../http/Reply.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import type { Say } from "../../../language/Language.ts"
import { doneNotice } from "../../doneNotice.ts"
import { elementFields } from "../../elementForm.ts"
import { handedLink } from "../handedLink.ts"
import { reasonField } from "../reason.ts"
import { elementOf, shopPlace, type ShopStep, shopSteps } from "./shopSteps.ts"

const stateBadge = (say: Say, state: ShopStep["state"]): Html => {
  switch (state) {
    case "done":
      return badge("good", say("Урађено", "Done"))
    case "waits":
      return badge("wait", say("Чека", "Waits"))
    case "missing":
      return badge("bad", say("Недостаје", "Missing"))
  }
}

const stepTable = ({ say }: PersonVisit, steps: ReadonlyArray<ShopStep>): Html =>
  table(
    [say("Корак", "Step"), say("Стање", "State"), say("Шта", "What"), say("Следеће", "Next")],
    steps.map(({ name, next, state, what }) => [name, stateBadge(say, state), what, next ?? "–"]),
    { caption: say("Кораци", "Steps"), empty: "–" }
  )

const elementForm = (visit: PersonVisit, faults: Faults): Html => {
  const { say } = visit
  return el(
    "section",
    { class: "card", id: "element" },
    el("h2", {}, say("Безбедносни елемент", "Security element")),
    form(visit, { action: visit.path, submit: say("Учитај елемент", "Upload the element"), files: true }, elementFields(visit, faults, true), reasonField(visit, faults))
  )
}

/** What a page shows once: the link of the invitation where no mail server takes it, and why the element was not taken. */
export interface ShownOnce {
  readonly faults?: Faults
  readonly handed?: { readonly email: string; readonly link: string } | null
}

/** A shop that is there: each step with what is missing, and the form of the element as long as there is none. */
export const shopPage = Effect.fnUntraced(function*(visit: PersonVisit, organization: OrganizationEntry, { faults = {}, handed = null }: ShownOnce = {}) {
  const { say } = visit
  const place = yield* shopPlace(organization)
  const steps = yield* shopSteps(visit, organization, place)
  const premise = place?.premise ?? null
  const isElementMissing = premise !== null && (yield* elementOf(organization, premise)) === null
  const missing = steps.filter(({ state }) => state === "missing").length
  const title = `${say("Нова радња", "New shop")}: ${organization.name}`
  return page(title, all(
    el("h1", {}, title),
    doneNotice(visit),
    Object.keys(faults).length === 0 ? null : notice("wait", el("p", {}, say("Радња је отворена и сачувана; елемент није.", "The shop is open and stored; the element is not."))),
    faultSummary(visit, faults),
    handed === null ? null : card(say("Позив", "Invitation"), handedLink(visit, handed.email, handed.link)),
    el("p", {}, missing === 0 ? say("Ништа не недостаје са ваше стране.", "Nothing is missing on your side.") : `${say("Недостаје корака", "Steps missing")}: ${missing}`),
    stepTable(visit, steps),
    isElementMissing ? elementForm(visit, faults) : null,
    el("p", {}, el("a", { class: "button", href: "/operator/organizations/onboard" }, say("Следећа радња", "The next shop")))
  ), faultStatus(faults))
})
