import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { MemberVisit, PersonVisit } from "../../http/Visit.ts"
import type { PageFolder } from "../PageFolder.ts"
import { overviewPage } from "./overviewPage.ts"

const isMember = (visit: PersonVisit): visit is MemberVisit => "may" in visit

const nothing = (visit: PersonVisit) => {
  const title = visit.say("Нема организације", "No organization")
  return page(title, [el("h1", {}, title), el("p", {}, visit.say("Немате улогу ни у једној организацији. Власник може да вас позове.", "You have no role in any organization. An Owner can invite you."))])
}

const show = Effect.fnUntraced(function*(visit: PersonVisit) {
  if (!isMember(visit)) return visit.person.operator ? redirect("/operator") : nothing(visit)
  return visit.may("reports:read") ? yield* overviewPage(visit) : redirect("/receipts")
})

/** The page after signing in. */
export const start: PageFolder = {
  navigation: [{ path: "/", words: ["Преглед", "Overview"], shownTo: "reports:read" }],
  routes: [personRoute("GET", "/", show)]
}
