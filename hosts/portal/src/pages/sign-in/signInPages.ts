import { checkCode, checkPassword, PortalSessions, readEmail, SignInIssuer, type SignInPaused } from "@overa/domain"
import { Effect, Redacted } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { field, form } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { localPath, page, redirect, type Reply, type SetCookie } from "../../http/Reply.ts"
import { halfRoute, openRoute } from "../../http/Route.ts"
import type { PersonVisit, Visit } from "../../http/Visit.ts"
import { afterFirstFactor } from "./afterFirstFactor.ts"
import { deviceCookie } from "./deviceCookie.ts"
import { openSession } from "./openSession.ts"

const pausedSentence = (visit: Visit, { seconds }: SignInPaused): string =>
  visit.say(
    `Превише погрешних покушаја са овог уређаја. Покушајте поново за ${seconds} с.`,
    `Too many wrong tries from this device. Try again in ${seconds} s.`
  )

const atIssuer = (visit: Visit, name: string, next: string): Html =>
  el("p", {}, el("a", { class: "button", href: `/sign-in/issuer?next=${encodeURIComponent(next)}` }, visit.say("Пријава преко: ", "Sign in with: "), name))

/** The page for e-mail and password, with a link to the issuer if one is configured. */
export const signInPage = Effect.fnUntraced(function*(visit: Visit, refusal: string | null = null, status = refusal === null ? 200 : 422) {
  const { name } = yield* SignInIssuer
  const next = localPath(visit.form?.text("next") || visit.query.get("next") || "/")
  const title = visit.say("Пријава", "Sign in")
  return page(
    title,
    el(
      "div",
      { class: "card narrow" },
      el("h1", {}, title),
      refusal === null ? null : notice("bad", el("p", {}, refusal)),
      form(
        visit,
        { action: "/sign-in", submit: title },
        el("input", { type: "hidden", name: "next", value: next }),
        field({ name: "email", label: visit.say("Е-пошта", "E-mail"), type: "email", autocomplete: "username", required: true, value: visit.form?.text("email") ?? "" }),
        field({ name: "password", label: visit.say("Лозинка", "Password"), type: "password", autocomplete: "current-password", required: true })
      ),
      name === null ? null : atIssuer(visit, name, next)
    ),
    status
  )
})

const wrong = (visit: Visit): string =>
  visit.say("Е-пошта или лозинка није тачна. Проверите обе, па покушајте поново.", "E-mail or password is wrong. Check both and try again.")

const signIn = Effect.fnUntraced(function*(visit: Visit) {
  const email = readEmail(visit.form?.text("email") ?? "")
  if (email === null) return yield* signInPage(visit, wrong(visit))
  const password = Redacted.make(visit.form?.exact("password") ?? "")
  const person = yield* checkPassword({ email, password, from: visit.tryFrom(email) })
  return yield* afterFirstFactor(visit, person, localPath(visit.form?.text("next") ?? "/"))
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("SignInRefused", () => signInPage(visit, wrong(visit))),
    Effect.catchTag("SignInPaused", (paused) => signInPage(visit, pausedSentence(visit, paused)))
  ))

const codeField = (visit: Visit): Html =>
  field({
    name: "code",
    label: visit.say("Код из апликације", "Code of your authenticator"),
    hint: visit.say("Шест цифара, мењају се на 30 секунди.", "Six digits that change every 30 seconds."),
    autocomplete: "one-time-code",
    inputmode: "numeric",
    required: true
  })

const codePage = (visit: PersonVisit, refusal: string | null = null): Reply => {
  const title = visit.say("Други фактор", "Second factor")
  const next = localPath(visit.form?.text("next") || visit.query.get("next") || "/")
  const content = all(
    el("h1", {}, title),
    refusal === null ? null : notice("bad", el("p", {}, refusal)),
    form(
      visit,
      { action: "/sign-in/code", submit: visit.say("Потврди", "Confirm") },
      el("input", { type: "hidden", name: "next", value: next }),
      codeField(visit)
    ),
    el("p", {}, el("a", { href: "/sign-in" }, visit.say("Други налог", "Another account")))
  )
  return page(title, el("div", { class: "card narrow" }, content), refusal === null ? 200 : 422)
}

const confirmCode = Effect.fnUntraced(function*(visit: PersonVisit) {
  yield* checkCode({ person: visit.person, code: visit.form?.text("code") ?? "", from: visit.tryFrom(visit.person.email) })
  const cookie = yield* openSession(visit, visit.person, "COMPLETE")
  return redirect(localPath(visit.form?.text("next") ?? "/"), [cookie, deviceCookie(visit, visit.person.email)])
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("SignInRefused", () =>
      Effect.succeed(codePage(visit, visit.say(
        "Код није тачан или је већ употребљен. Сачекајте следећи и проверите сат телефона.",
        "The code is wrong or was used already. Wait for the next one, and check your phone's clock."
      )))),
    Effect.catchTag("SignInPaused", (paused) => Effect.succeed(codePage(visit, pausedSentence(visit, paused))))
  ))

const signOut = Effect.fnUntraced(function*(visit: Visit) {
  if (visit.session !== null) yield* (yield* PortalSessions).end(visit.session.session.digest)
  const gone: SetCookie = { name: "session", value: null }
  return redirect("/sign-in", [gone])
})

/** Signing in and out. */
export const signInRoutes = [
  openRoute("GET", "/sign-in", (visit) => signInPage(visit)),
  openRoute("POST", "/sign-in", signIn),
  halfRoute("GET", "/sign-in/code", (visit) => Effect.succeed(codePage(visit))),
  halfRoute("POST", "/sign-in/code", confirmCode),
  openRoute("POST", "/sign-out", signOut)
]
