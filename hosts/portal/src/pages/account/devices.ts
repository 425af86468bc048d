import { type PersonDevice, PersonDevices } from "@overa/domain"
import { Effect } from "effect"
import { destructive } from "../../html/destructive.ts"
import { el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { badge, card, table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import { confirmed, confirmedForm } from "../confirmPerson.ts"
import { actOf } from "../personAct.ts"
import { continueSession } from "../sign-in/openSession.ts"

const forgetAllPath = "/account/devices/forget-all"

/** A device's id is a digest of its mark: nobody signs in with it. */
const forgetForm = (visit: PersonVisit, { address, description, id }: PersonDevice): Html =>
  destructive(
    visit,
    {
      action: "/account/devices/forget",
      opens: visit.say("Заборави…", "Forget…"),
      consequence: visit.say("Пријаве на уређају се завршавају, а следећа је као са новог.", "Its sessions end, and the next sign-in on it is one on a new device."),
      submit: visit.say("Заборави уређај", "Forget the device"),
      label: `${description || "–"} ${address}`
    },
    el("input", { type: "hidden", name: "device", value: id })
  )

/** The devices on which the account is known, with the first and the last sign-in on each. */
export const devicesCard = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, say } = visit
  const here = visit.tryFrom(person.email).knownDevice?.id
  const devices = yield* (yield* PersonDevices).ofPerson(person.id)
  return card(
    say("Познати уређаји", "Known devices"),
    el("p", {}, say(
      "На њима сте се потпуно пријавили. Туђе погрешне лозинке и кодови вас на њима не успоравају, а о пријави са другог добијате поруку.",
      "You have signed in on them completely. Wrong passwords and codes of others do not slow you down there, and a sign-in on any other is told by e-mail."
    )),
    table(
      [say("Уређај", "Device"), say("Адреса", "Address"), say("Прва пријава", "First sign-in"), say("Последња пријава", "Last sign-in"), ""],
      devices.map((device) => [
        device.description || "–",
        device.address,
        moment(device.firstUsedAt),
        [moment(device.lastUsedAt), device.id === here ? [" ", badge("good", say("Овај", "This one"))] : null],
        forgetForm(visit, device)
      ]),
      { caption: say("Ваши познати уређаји", "Your known devices"), empty: say("Ниједан. Уређај је познат од следеће пријаве на њему.", "None. A device is known from the next sign-in on it.") }
    ),
    el("p", { class: "hint" }, say(
      "Када заборавите уређај, пријаве на њему се завршавају, а следећа је као са новог. Ваша садашња пријава остаје.",
      "Forgetting a device ends its sessions, and the next sign-in on it is one on a new device. The session you are in stays."
    )),
    devices.length === 0 ? null : el("a", { class: "button", href: forgetAllPath }, say("Заборави све остале…", "Forget all others…"))
  )
})

/** Another person's device is answered like one that is not known any more. */
const forget = Effect.fnUntraced(function*(visit: PersonVisit) {
  yield* (yield* PersonDevices).forget(actOf(visit), visit.person.id, visit.form?.text("device") ?? "", visit.session.session.digest)
  return redirect("/account?done=device-forgotten")
})

const showForgetOthers = Effect.fnUntraced(function*(visit: PersonVisit, faults: Faults = {}) {
  const { say } = visit
  const title = say("Заборави све остале уређаје", "Forget all other devices")
  const { html, scripts } = yield* confirmedForm(visit, { action: forgetAllPath, submit: say("Заборави све остале", "Forget all others"), kind: "danger" }, faults)
  const consequence = say("Пријаве на њима се завршавају, а следећа је као са новог уређаја.", "Their sessions end, and the next sign-in on each is one on a new device.")
  return page(title, el("div", { class: "card narrow dangerous" }, el("h1", {}, title), faultSummary(visit, faults), el("p", {}, consequence), html), faultStatus(faults), scripts)
})

/** Every earlier mark ends, also a copy of this browser's: it gets another one, and another session. A copy of the session's cookie is not enough for that. */
const forgetOthers = (visit: PersonVisit) => {
  const forgotten = Effect.gen(function*() {
    yield* (yield* PersonDevices).forgetAll(actOf(visit), visit.person.id, visit.session.session.digest)
    return redirect("/account?done=devices-forgotten", yield* continueSession(visit))
  })
  return confirmed(visit, forgotten, (faults) => showForgetOthers(visit, faults))
}

export const deviceRoutes = [
  personRoute("POST", "/account/devices/forget", forget),
  personRoute("GET", forgetAllPath, (visit) => showForgetOthers(visit)),
  personRoute("POST", forgetAllPath, forgetOthers)
]
