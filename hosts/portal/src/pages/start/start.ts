import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import type { PageFolder } from "../PageFolder.ts"

const show = (visit: PersonVisit) => {
  const { say } = visit
  if (visit.person.memberships.length === 0 && visit.person.operator) return Effect.succeed(redirect("/operator"))
  const title = say("Почетак", "Start")
  return Effect.succeed(page(title, all(el("h1", {}, title), el("p", {}, say("Изаберите из менија.", "Choose from the menu.")))))
}

/** Where one lands after signing in. */
export const start: PageFolder = { navigation: [], routes: [personRoute("GET", "/", show)] }
