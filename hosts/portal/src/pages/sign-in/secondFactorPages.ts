import { checkCode, checkPasskey, PasskeyChecks, SecondFactors } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { field, form } from "../../html/forms.ts"
import { notice, refusalNotice } from "../../html/parts.ts"
import { localPath, page, redirect } from "../../http/Reply.ts"
import { halfRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { answeredQuestion, passkeyForm, passkeyScripts, siteOf } from "../passkeyForm.ts"
import { recoveryPath } from "./recoveryPages.ts"
import { continueSession } from "./openSession.ts"
import { pausedReply } from "./pausedReply.ts"

const nextOf = (visit: PersonVisit): string => localPath(visit.form?.text("next") || visit.query.get("next") || "/")

const nextField = (visit: PersonVisit): Html => el("input", { type: "hidden", name: "next", value: nextOf(visit) })

const codeForm = (visit: PersonVisit): Html =>
  form(
    visit,
    { action: "/sign-in/code", submit: visit.say("Потврди", "Confirm") },
    nextField(visit),
    field({
      name: "code",
      label: visit.say("Код из апликације", "Code of your authenticator"),
      hint: visit.say("Шест цифара, мењају се на 30 секунди.", "Six digits that change every 30 seconds."),
      autocomplete: "one-time-code",
      inputmode: "numeric",
      required: true
    })
  )

/** The form for a passkey; null for a person without one, and where the portal's address allows none. */
const keyForm = Effect.fnUntraced(function*(visit: PersonVisit) {
  const site = siteOf(visit)
  if (!visit.person.hasPasskey || site === null) return null
  const question = yield* (yield* PasskeyChecks).askForUse(site, yield* (yield* SecondFactors).passkeysOf(visit.person.id))
  return yield* passkeyForm(
    visit,
    { use: "use", action: "/sign-in/passkey", submit: visit.say("Потврди приступним кључем", "Confirm with a passkey"), question },
    nextField(visit)
  )
})

const noneHere = ({ say }: PersonVisit): Html =>
  notice("wait", el("p", {}, say(
    "Ваш други фактор је приступни кључ, а на овој адреси портала не може да се употреби. Обратите се оператеру.",
    "Your second factor is a passkey, which cannot be used at this address of the portal. Contact the operator."
  )))

const secondFactorPage = Effect.fnUntraced(function*(visit: PersonVisit, refusal: string | null = null) {
  const { person, say } = visit
  const title = say("Други фактор", "Second factor")
  const key = yield* keyForm(visit)
  const content = all(
    el("h1", {}, title),
    refusalNotice(refusal),
    key,
    key !== null && person.hasAuthenticator ? el("p", { class: "hint" }, say("Или:", "Or:")) : null,
    person.hasAuthenticator ? codeForm(visit) : null,
    key === null && !person.hasAuthenticator ? noneHere(visit) : null,
    el("p", {}, el("a", { href: recoveryPath }, say("Немам други фактор: резервни код", "I do not have my second factor: recovery code"))),
    el("p", {}, el("a", { href: "/sign-in" }, say("Други налог", "Another account")))
  )
  return page(title, el("div", { class: "card narrow" }, content), refusal === null ? 200 : 422, key === null ? [] : passkeyScripts)
})

const completed = Effect.fnUntraced(function*(visit: PersonVisit) {
  return redirect(nextOf(visit), yield* continueSession(visit))
})

const confirmCode = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, session } = visit
  yield* checkCode({ person, code: visit.form?.text("code") ?? "", from: visit.tryFrom(person.email), session: session.session.digest })
  return yield* completed(visit)
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("SignInRefused", () =>
      secondFactorPage(visit, visit.say(
        "Код није тачан или је већ употребљен. Сачекајте следећи и проверите сат телефона.",
        "The code is wrong or was used already. Wait for the next one, and check your phone's clock."
      ))),
    Effect.catchTag("SignInPaused", (fault) => pausedReply(visit, fault, (refusal) => secondFactorPage(visit, refusal)))
  ))

const keyRefused = ({ say }: PersonVisit): string =>
  say("Овај приступни кључ није прихваћен. Покушајте поново, или другим кључем.", "This passkey was not accepted. Try again, or use another one.")

const confirmPasskey = Effect.fnUntraced(function*(visit: PersonVisit) {
  const site = siteOf(visit)
  const asked = yield* answeredQuestion(visit, "use")
  if (site === null || asked === null) return yield* secondFactorPage(visit, keyRefused(visit))
  yield* checkPasskey({ person: visit.person, site, challenge: asked.challenge, answer: asked.answer })
  return yield* completed(visit)
}, (effect, visit) => Effect.catchTag(effect, "SignInRefused", () => secondFactorPage(visit, keyRefused(visit))))

/** The second step of signing in: a code, or a passkey. */
export const secondFactorRoutes = [
  halfRoute("GET", "/sign-in/code", (visit) => secondFactorPage(visit)),
  halfRoute("POST", "/sign-in/code", confirmCode),
  halfRoute("POST", "/sign-in/passkey", confirmPasskey)
]
