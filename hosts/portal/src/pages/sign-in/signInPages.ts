import { checkPassword, PortalSessions, readEmail, SignInIssuer } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { el, type Html } from "../../html/el.ts"
import { field, form } from "../../html/forms.ts"
import { notice, refusalNotice } from "../../html/parts.ts"
import { localPath, page, redirect, type SetCookie, slowedDown } from "../../http/Reply.ts"
import { openRoute } from "../../http/Route.ts"
import type { Visit } from "../../http/Visit.ts"
import { PortalSettings } from "../../layers.ts"
import { doneNotice } from "../doneNotice.ts"
import { afterFirstFactor } from "./afterFirstFactor.ts"
import { pausedSentence } from "./pausedSentence.ts"

const atIssuer = (visit: Visit, name: string, next: string): Html =>
  el("p", {}, el("a", { class: "button", href: `/sign-in/issuer?next=${encodeURIComponent(next)}` }, visit.say("Пријава преко: ", "Sign in with: "), name))

/** Why a person who was sending a form or signing in is here. The answer to an earlier sending may have been lost. */
const endedNotice = ({ query, say }: Visit): Html => {
  const ended = query.get("ended")
  if (ended === "changed") return notice("wait", el("p", {}, say("Ваша лозинка, други фактор или пријава се у међувремену променила. Пријавите се поново.", "Your password, second factor or session has changed meanwhile. Sign in again.")))
  if (ended !== "kept" && ended !== "lost") return null
  const known = say(
    "Ваша пријава је истекла. Образац овог пута није извршен; ако сте га послали и раније, можда је тада извршен.",
    "Your session has ended. The form was not carried out this time; if you had sent it before, it may have been carried out then."
  )
  const typed = ended === "kept"
    ? say("Оно што сте унели чека вас после пријаве.", "What you typed waits for you after signing in.")
    : say("Предуг је да би сачекао: вратите се назад у прегледачу да га видите.", "It is too long to be kept: go back in the browser to see it.")
  return notice("wait", el("p", {}, known, " ", typed))
}

/** The page for e-mail and password, with a link to the issuer if one is configured. */
export const signInPage = Effect.fnUntraced(function*(visit: Visit, refusal: string | null = null, status = refusal === null ? 200 : 422) {
  const { name } = yield* SignInIssuer
  const { mailConfigured } = yield* PortalSettings
  const next = localPath(visit.form?.text("next") || visit.query.get("next") || "/")
  const title = visit.say("Пријава", "Sign in")
  return page(
    title,
    el(
      "div",
      { class: "card narrow" },
      el("h1", {}, title),
      doneNotice(visit),
      endedNotice(visit),
      refusalNotice(refusal),
      form(
        visit,
        { action: "/sign-in", submit: title },
        el("input", { type: "hidden", name: "next", value: next }),
        field({ name: "email", label: visit.say("Е-пошта", "E-mail"), type: "email", autocomplete: "username", required: true, value: visit.form?.text("email") ?? "" }),
        field({ name: "password", label: visit.say("Лозинка", "Password"), type: "password", autocomplete: "current-password", required: true })
      ),
      mailConfigured ? el("p", {}, el("a", { href: "/sign-in/forgotten" }, visit.say("Заборављена лозинка?", "Forgotten password?"))) : null,
      name === null ? null : atIssuer(visit, name, next)
    ),
    status
  )
})

const wrong = (visit: Visit): string =>
  visit.say("Е-пошта или лозинка није тачна. Проверите обе, па покушајте поново.", "E-mail or password is wrong. Check both and try again.")

const tooManyCodes = (visit: Visit): string =>
  visit.say("Превише погрешних кодова у једној пријави. Пријавите се поново лозинком.", "Too many wrong codes in one sign-in. Start again with your password.")

const signIn = Effect.fnUntraced(function*(visit: Visit) {
  const email = readEmail(visit.form?.text("email") ?? "")
  if (email === null) return yield* signInPage(visit, wrong(visit))
  const password = Redacted.make(visit.form?.exact("password") ?? "")
  const person = yield* checkPassword({ email, password, from: visit.tryFrom(email) })
  return yield* afterFirstFactor(visit, person, localPath(visit.form?.text("next") ?? "/"))
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("SignInRefused", () => signInPage(visit, wrong(visit))),
    Effect.catchTag("SignInPaused", (paused) => Effect.map(signInPage(visit, pausedSentence(visit, paused)), (reply) => slowedDown(reply, paused.seconds)))
  ))

const signOut = Effect.fnUntraced(function*(visit: Visit) {
  if (visit.session !== null) yield* (yield* PortalSessions).end(visit.session.session.digest)
  const gone: SetCookie = { name: "session", value: null }
  return redirect("/sign-in", [gone])
})

/** Signing in and out. */
export const signInRoutes = [
  openRoute("GET", "/sign-in", (visit) => signInPage(visit, visit.query.get("ended") === "codes" ? tooManyCodes(visit) : null, 200)),
  openRoute("POST", "/sign-in", signIn),
  openRoute("POST", "/sign-out", signOut)
]
