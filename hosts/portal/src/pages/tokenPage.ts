import { assets } from "../assets/assets.ts"
import { el, type Html } from "../html/el.ts"
import { field, form } from "../html/forms.ts"
import { page, type Reply } from "../http/Reply.ts"
import type { Visit } from "../http/Visit.ts"

/** The token of a mailed link. It comes in the form's body: an address would be logged by every proxy on the way. */
export const tokenOf = (visit: Visit): string => visit.form?.exact("token").trim() ?? ""

/** Carries the token to the next form of the same link. */
export const tokenField = (visit: Visit): Html => el("input", { type: "hidden", name: "token", value: tokenOf(visit) })

/** The page of a mailed link. Its script sends the token that stands after the link's `#`; without a script the person enters the code. */
export const tokenPage = (visit: Visit, title: string, action: string): Reply => {
  const { say } = visit
  const content = el(
    "div",
    { class: "card narrow" },
    el("h1", {}, title),
    form(
      visit,
      { action, submit: say("Отвори", "Open"), data: { "data-token": "" } },
      field({ name: "token", label: say("Код из поруке", "Code of the message"), required: true, autocomplete: "off" })
    )
  )
  return page(title, content, 200, [assets.token])
}
