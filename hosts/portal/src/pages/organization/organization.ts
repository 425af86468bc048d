import { Environment, PortalSessions } from "@overa/domain"
import { Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { choice, form } from "../../html/forms.ts"
import { placePrefix } from "../../http/Place.ts"
import { localPath, page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import type { PageFolder } from "../PageFolder.ts"
import { NotAllowed } from "../../http/visitOf.ts"

const show = (visit: PersonVisit) => {
  const { say } = visit
  const title = say("Организација и окружење", "Organization and environment")
  const { environment, organizationId } = visit.place ?? visit.session
  const content = all(
    el("h1", {}, title),
    visit.person.memberships.length === 0
      ? el("p", {}, say("Немате улогу ни у једној организацији. Власник може да вас позове.", "You have no role in any organization. An Owner can invite you."))
      : form(
        visit,
        { action: "/organization", submit: say("Прикажи", "Show") },
        el("input", { type: "hidden", name: "back", value: localPath(visit.query.get("back") ?? "/") }),
        choice({
          name: "organization",
          label: say("Организација", "Organization"),
          value: organizationId ?? "",
          options: visit.person.memberships.map((it) => [it.organizationId, it.organizationName] as const)
        }),
        choice({
          name: "environment",
          label: say("Окружење", "Environment"),
          value: environment ?? "sandbox",
          options: [["production", say("Продукција: прави рачуни", "Production: real receipts")], ["sandbox", say("Тестно окружење", "Sandbox: receipts for trying out")]]
        })
      )
  )
  return Effect.succeed(page(title, el("div", { class: "card narrow" }, content)))
}

/** The same page in another place. What an address names by its id is in one place only: then the list that it is in. */
const samePage = (back: string): string => {
  const path = localPath(back)
  const [, first = ""] = path.split("/")
  return /[0-9a-f]{8}-[0-9a-f]{4}-/.test(path) ? `/${first}` : path
}

const choose = Effect.fnUntraced(function*(visit: PersonVisit) {
  const wanted = visit.form?.text("organization") ?? ""
  const membership = visit.person.memberships.find((it) => it.organizationId === wanted)
  const environment = Environment.literals.find((it) => it === visit.form?.text("environment"))
  if (membership === undefined || environment === undefined) return yield* new NotAllowed({})
  yield* (yield* PortalSessions).lookAt(visit.session.session.digest, membership.organizationId, environment)
  return redirect(placePrefix({ organizationId: membership.organizationId, environment }) + samePage(visit.form?.text("back") ?? "/"))
})

/** The choice of organization and environment. */
export const organization: PageFolder = {
  navigation: [],
  routes: [personRoute("GET", "/organization", show), personRoute("POST", "/organization", choose)]
}
