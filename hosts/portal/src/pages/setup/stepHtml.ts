import { el, type Html } from "../../html/el.ts"
import { badge } from "../../html/parts.ts"
import { placePrefix } from "../../http/Place.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { environmentWords } from "../../language/environmentWords.ts"
import type { Step } from "./goingLivePage.ts"

/** The address of a step's page, in the step's own environment, whichever is looked at now. */
const stepAddress = ({ organizationId }: Pick<MemberVisit, "organizationId">, { environment }: Step, path: string): string =>
  placePrefix({ organizationId, environment }) + path

/** A step: what it is, whether it is done, what it needs, and where. */
export const stepHtml = (visit: MemberVisit, step: Step, isNext: boolean): Html => {
  const { say } = visit
  const state = step.isDone ? badge("good", say("Урађено", "Done")) : badge(isNext ? "wait" : "plain", isNext ? say("Сада", "Now") : say("Касније", "Later"))
  return el(
    "li",
    { class: isNext ? "card next" : "card", ...(isNext ? { "aria-current": "step" as const } : {}) },
    el("h2", {}, say(...step.title), " ", state),
    step.isDone ? null : el("p", {}, say(...step.todo)),
    step.isDone || step.link === undefined ? null : el(
      "p",
      {},
      el("a", { href: stepAddress(visit, step, step.link[0]), ...(isNext ? { class: "button" } : {}) }, say(...step.link[1])),
      el("span", { class: "hint" }, " ", environmentWords(say, step.environment))
    )
  )
}
