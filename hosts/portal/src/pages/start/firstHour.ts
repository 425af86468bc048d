import { Effect } from "effect"
import { el, type Html } from "../../html/el.ts"
import { card } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { goingLiveSteps, type Step } from "../setup/goingLivePage.ts"
import { hasRealReceipt, readStanding } from "../setup/readStanding.ts"
import { stepHtml } from "../setup/stepHtml.ts"

/** The steps that remain before the shop issues real receipts; null once it does, and for people who see no setup. */
export const remainingSteps = Effect.fnUntraced(function*(visit: MemberVisit) {
  if (!visit.may("setup:read")) return null
  // What is read at every visit of a shop that is at work: one receipt.
  if (yield* hasRealReceipt(visit)) return null
  const steps = goingLiveSteps(yield* readStanding(visit, false))
  return steps.every(({ isDone }) => isDone) ? null : steps
})

/** The next step with what it needs, and how many remain. */
export const firstHourCard = (visit: MemberVisit, steps: ReadonlyArray<Step> | null): Html => {
  const next = steps?.find(({ isDone }) => !isDone)
  if (steps === null || next === undefined) return null
  const { say } = visit
  const done = steps.filter(({ isDone }) => isDone).length
  return card(
    say("До првог правог рачуна", "To the first real receipt"),
    el("p", {}, say("Урађено корака: ", "Steps done: "), `${done} / ${steps.length} `, el("progress", { value: done, max: steps.length, "aria-label": say("Урађено корака", "Steps done") })),
    el("ol", { class: "plain steps" }, stepHtml(visit, next, true)),
    el("p", {}, el("a", { href: "/setup/going-live" }, say("Сви кораци", "Every step")))
  )
}
