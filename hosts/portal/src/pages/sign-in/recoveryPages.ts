import { checkRecoveryCode } from "@overa/domain"
import { Effect } from "effect"
import { el } from "../../html/el.ts"
import { field, form } from "../../html/forms.ts"
import { refusalNotice } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { halfRoute } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { continueSession } from "./openSession.ts"
import { pausedReply } from "./pausedReply.ts"

export const recoveryPath = "/sign-in/recovery"

const recoveryPage = (visit: PersonVisit, refusal: string | null = null) => {
  const { say } = visit
  const title = say("Резервни код", "Recovery code")
  const content = el(
    "div",
    { class: "card narrow" },
    el("h1", {}, title),
    refusalNotice(refusal),
    form(
      visit,
      { action: recoveryPath, submit: say("Потврди", "Confirm") },
      field({
        name: "code",
        label: say("Резервни код", "Recovery code"),
        hint: say("Један од кодова које сте сачували. Важи једном.", "One of the codes that you have kept. Each works once."),
        autocomplete: "off",
        required: true
      })
    ),
    el("p", {}, el("a", { href: "/sign-in/code" }, say("Назад на други фактор", "Back to the second factor"))),
    el("p", { class: "hint" }, say("Ако немате ниједан код, обратите се оператеру.", "If you have no code left, contact the operator."))
  )
  return page(title, content, refusal === null ? 200 : 422)
}

/** Continues at the second factors: who has used a code has lost one, and needs another. */
const confirm = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { person, session } = visit
  yield* checkRecoveryCode({ person, code: visit.form?.text("code") ?? "", from: visit.tryFrom(person.email), session: session.session.digest })
  return redirect("/account/second-factor?done=recovery-used", yield* continueSession(visit))
}, (effect, visit) =>
  effect.pipe(
    Effect.catchTag("SignInRefused", () => Effect.succeed(recoveryPage(visit, visit.say("Код није тачан или је већ употребљен.", "The code is wrong or was used already.")))),
    Effect.catchTag("SignInPaused", (fault) => pausedReply(visit, fault, (refusal) => Effect.succeed(recoveryPage(visit, refusal))))
  ))

/** Signing in with a recovery code instead of a second factor that is lost. */
export const recoveryRoutes = [halfRoute("GET", recoveryPath, (visit) => Effect.succeed(recoveryPage(visit))), halfRoute("POST", recoveryPath, confirm)]
