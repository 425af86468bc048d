import { addPasskey, type PasskeyActRefused, PasskeyChecks, type PasskeySite, SecondFactors } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { type Faults, faultSummary, field, form } from "../../html/forms.ts"
import { refusalNotice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { personRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { answeredQuestion, passkeyForm, passkeyScripts, siteOf } from "../passkeyForm.ts"
import { actOf } from "../personAct.ts"
import { continueSession } from "../sign-in/openSession.ts"
import { checkCurrentPassword, currentPasswordField, withPasswordFaults } from "./currentPassword.ts"
import { passkeysPath } from "./passkeysCard.ts"

const longestName = 60

const siteHere = (visit: PersonVisit): Effect.Effect<PasskeySite, NotFound> => {
  const site = siteOf(visit)
  return site === null ? new NotFound({}) : Effect.succeed(site)
}

const addTitle = ({ say }: PersonVisit): string => say("Нови приступни кључ", "New passkey")

/** `refusal` says why the last try was in vain. */
const showNew = Effect.fnUntraced(function*(visit: PersonVisit, faults: Faults = {}, refusal: string | null = null) {
  yield* siteHere(visit)
  const { say } = visit
  const title = addTitle(visit)
  const content = [
    el("h1", {}, title),
    faultSummary(visit, faults),
    refusalNotice(refusal),
    form(
      visit,
      { action: `${passkeysPath}/new`, submit: say("Даље", "Continue") },
      field({
        name: "name",
        label: say("Назив", "Name"),
        hint: say("Да га препознате у списку: нпр. мој телефон.", "So that you know it in the list: my phone, for example."),
        autocomplete: "off",
        required: true,
        value: visit.form?.text("name") ?? "",
        fault: faults["name"]
      }),
      currentPasswordField(visit, faults)
    )
  ]
  return page(title, el("div", { class: "card narrow" }, content), visit.form === null ? 200 : 422)
})

const nameFault = ({ form: sent, say }: PersonVisit): Faults => {
  const name = sent?.text("name") ?? ""
  const length = [...name].length
  if (length > 0 && length <= longestName && !/\p{Cc}/u.test(name)) return {}
  return { name: say(`Упишите назив, највише ${longestName} знакова.`, `Enter a name of at most ${longestName} characters.`) }
}

/** The password is compared before the device makes a key, so that none is made in vain. */
const ask = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, say } = visit
  const site = yield* siteHere(visit)
  const faults = nameFault(visit)
  if (Object.keys(faults).length > 0) return yield* showNew(visit, faults)
  yield* checkCurrentPassword(visit)
  const question = yield* (yield* PasskeyChecks).askForNew(site, person, yield* (yield* SecondFactors).passkeysOf(person.id))
  const name = visit.form?.text("name") ?? ""
  const content = [
    el("h1", {}, addTitle(visit)),
    el("p", {}, say("Прегледач ће вас питати где да направи кључ и да га потврдите.", "Your browser will ask where to make the key, and to confirm it.")),
    yield* passkeyForm(visit, { use: "create", action: passkeysPath, submit: say("Направи кључ", "Make the key"), question, name })
  ]
  return page(addTitle(visit), el("div", { class: "card narrow" }, content), 200, passkeyScripts)
})

const tryAgain = ({ say }: PersonVisit): string =>
  say("Кључ није прихваћен или је прошло више од пет минута. Ништа није сачувано; почните поново.", "The key was not accepted, or more than five minutes passed. Nothing was saved; start again.")

const refusedWords = ({ say }: PersonVisit, reason: PasskeyActRefused["reason"]): string => {
  const words: Readonly<Record<PasskeyActRefused["reason"], string>> = {
    ALREADY_ADDED: say("Овај приступни кључ је већ додат.", "This passkey was added already."),
    TOO_MANY: say("Имате највећи дозвољени број кључева. Прво уклоните један.", "You have as many passkeys as are allowed. Remove one first."),
    NOT_FOUND: say("Овог кључа више нема.", "This passkey is not there any more."),
    LAST_SECOND_FACTOR: say(
      "Оператери морају имати други фактор. Прво додајте други кључ или апликацију.",
      "Operators must have a second factor. Add another passkey or an authenticator app first."
    )
  }
  return words[reason]
}

const store = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person } = visit
  const site = yield* siteHere(visit)
  const asked = yield* answeredQuestion(visit, "create")
  if (asked === null) return yield* showNew(visit, {}, tryAgain(visit))
  yield* addPasskey({ ...asked, person, site, keep: visit.session.session.digest })
  return redirect("/account/second-factor?done=passkey-added", yield* continueSession(visit))
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("PasskeyNotValid", () => showNew(visit, {}, tryAgain(visit))),
    Effect.catchTag("PasskeyActRefused", ({ reason }) => showNew(visit, {}, refusedWords(visit, reason)))
  ))

const namedPasskey = Effect.fnUntraced(function*(visit: PersonVisit) {
  const found = (yield* (yield* SecondFactors).passkeysOf(visit.person.id)).find(({ id }) => id === visit.params["passkey"])
  return found === undefined ? yield* new NotFound({}) : found
})

const showRemoval = Effect.fnUntraced(function*(visit: PersonVisit, faults: Faults = {}, refusal: string | null = null) {
  const { id, name } = yield* namedPasskey(visit)
  const title = visit.say("Уклони приступни кључ", "Remove a passkey")
  const content = [
    el("h1", {}, title),
    refusalNotice(refusal),
    el("p", {}, el("strong", {}, name)),
    el("p", {}, visit.say("Овим кључем се више нећете моћи пријавити. Обришите га и на уређају.", "You will not be able to sign in with it any more. Delete it on the device as well.")),
    form(visit, { action: `${passkeysPath}/remove/${id}`, submit: visit.say("Уклони", "Remove"), kind: "danger" }, currentPasswordField(visit, faults))
  ]
  return page(title, el("div", { class: "card narrow dangerous" }, content), visit.form === null ? 200 : 422)
})

const remove = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { id } = yield* namedPasskey(visit)
  yield* checkCurrentPassword(visit)
  yield* (yield* SecondFactors).removePasskey(actOf(visit), visit.person.id, id, visit.session.session.digest)
  return redirect("/account/second-factor?done=passkey-removed", yield* continueSession(visit))
}, (effect, visit) => Effect.catchTag(effect, "PasskeyActRefused", ({ reason }) => showRemoval(visit, {}, refusedWords(visit, reason))))

/** One's own passkeys: a new one is made in two steps, removing asks for the password. */
export const passkeyRoutes = [
  personRoute("GET", `${passkeysPath}/new`, (visit) => showNew(visit)),
  personRoute("POST", `${passkeysPath}/new`, (visit) => withPasswordFaults(visit, ask(visit), (faults) => showNew(visit, faults))),
  personRoute("POST", passkeysPath, store),
  personRoute("GET", `${passkeysPath}/remove/:passkey`, (visit) => showRemoval(visit)),
  personRoute("POST", `${passkeysPath}/remove/:passkey`, (visit) => withPasswordFaults(visit, remove(visit), (faults) => showRemoval(visit, faults)))
]
