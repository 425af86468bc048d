import { isAlive, PersonSessions, type PortalSession } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el } from "../../html/el.ts"
import { form } from "../../html/forms.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"

const sessionRow = (visit: PersonVisit, session: PortalSession) => [
  session.device || "–",
  session.address,
  moment(session.createdAt),
  session.digest === visit.session.session.digest ? badge("good", visit.say("Ова", "This one")) : moment(session.seenAt)
]

const show = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, say } = visit
  const now = yield* DateTime.now
  const sessions = (yield* (yield* PersonSessions).ofPerson(person.id)).filter((it) => isAlive(it, now))
  const title = say("Мој налог", "My account")
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    card(
      say("Подаци", "Details"),
      facts([
        [say("Име", "Name"), person.name],
        [say("Е-пошта", "E-mail"), person.email],
        [say("Други фактор", "Second factor"), person.hasSecondFactor ? badge("good", say("Укључен", "On")) : badge("wait", say("Искључен", "Off"))]
      ]),
      el(
        "div",
        { class: "actions" },
        el("a", { class: "button", href: "/account/password" }, say("Промени лозинку", "Change password")),
        el("a", { class: "button", href: "/account/second-factor" }, say("Други фактор", "Second factor"))
      )
    ),
    card(
      say("Пријаве", "Sessions"),
      table(
        [say("Уређај", "Device"), say("Адреса", "Address"), say("Од", "Since"), say("Последњи пут", "Last used")],
        sessions.map((session) => sessionRow(visit, session)),
        { caption: say("Ваше пријаве", "Your sessions"), empty: "–" }
      ),
      form(visit, { action: "/account/sessions/end", submit: say("Одјави све остале", "Sign out everywhere else"), kind: "danger" })
    )
  )
  return page(title, content)
})

const endOthers = Effect.fnUntraced(function*(visit: PersonVisit) {
  yield* (yield* PersonSessions).endOthers(visit.person.id, visit.session.session.digest)
  return redirect("/account?done=sessions-ended")
})

/** The account and its sessions. */
export const accountRoutes = [personRoute("GET", "/account", show), personRoute("POST", "/account/sessions/end", endOthers)]
