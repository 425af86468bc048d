import { isAlive, PersonSessions, type PortalSession } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { destructive } from "../../html/destructive.ts"
import { all, el, type Html } from "../../html/el.ts"
import { badge, card, facts, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import { actOf } from "../personAct.ts"
import { devicesCard } from "./devices.ts"

/** A session's digest names it in a form: nobody signs in with it. */
const endForm = (visit: PersonVisit, { address, device, digest }: PortalSession): Html =>
  destructive(
    visit,
    {
      action: "/account/sessions/end-one",
      opens: visit.say("Одјави…", "Sign out…"),
      consequence: visit.say("Та пријава се завршава одмах; што на њој није сачувано, губи се.", "That session ends at once; what is not saved in it is lost."),
      submit: visit.say("Одјави", "Sign out"),
      label: `${device || "–"} ${address}`
    },
    el("input", { type: "hidden", name: "session", value: digest })
  )

const sessionRow = (visit: PersonVisit, session: PortalSession) => {
  const isThis = session.digest === visit.session.session.digest
  return [
    session.device || "–",
    session.address,
    moment(session.createdAt),
    isThis ? badge("good", visit.say("Ова", "This one")) : moment(session.seenAt),
    isThis ? null : endForm(visit, session)
  ]
}

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
        [say("Уређај", "Device"), say("Адреса", "Address"), say("Од", "Since"), say("Последњи пут", "Last used"), ""],
        sessions.map((session) => sessionRow(visit, session)),
        { caption: say("Ваше пријаве", "Your sessions"), empty: "–" }
      ),
      destructive(visit, {
        action: "/account/sessions/end",
        opens: say("Одјави све остале…", "Sign out everywhere else…"),
        consequence: say("Све пријаве осим ове завршавају се одмах.", "All sessions but this one end at once."),
        submit: say("Одјави све остале", "Sign out everywhere else")
      }),
      destructive(visit, {
        action: "/account/sessions/end-all",
        opens: say("Одјави ме свуда…", "Sign me out everywhere…"),
        consequence: say(
          "Одјава свуда завршава и ову пријаву, а ниједан уређај више није познат: следећа пријава на сваком је као са новог.",
          "Signing out everywhere ends this session, too, and no device is known any more: the next sign-in on each is one on a new device."
        ),
        submit: say("Одјави ме свуда", "Sign me out everywhere")
      })
    ),
    yield* devicesCard(visit)
  )
  return page(title, content)
})

const endOthers = Effect.fnUntraced(function*(visit: PersonVisit) {
  yield* (yield* PersonSessions).endOthers(actOf(visit), visit.person.id, visit.session.session.digest)
  return redirect("/account?done=sessions-ended")
})

/** Another person's session is answered like one that is over. */
const endOne = Effect.fnUntraced(function*(visit: PersonVisit) {
  yield* (yield* PersonSessions).endOne(actOf(visit), visit.person.id, visit.form?.text("session") ?? "")
  return redirect("/account?done=session-ended")
})

const endAll = Effect.fnUntraced(function*(visit: PersonVisit) {
  yield* (yield* PersonSessions).endAll(actOf(visit), visit.person.id)
  return redirect("/", [{ name: "session", value: null }])
})

/** The account, its sessions and devices. */
export const accountRoutes = [personRoute("GET", "/account", show), personRoute("POST", "/account/sessions/end", endOthers), personRoute("POST", "/account/sessions/end-one", endOne), personRoute("POST", "/account/sessions/end-all", endAll)]
