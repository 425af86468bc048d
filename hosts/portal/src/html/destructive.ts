import type { Visit } from "../http/Visit.ts"
import { el, type Html } from "./el.ts"
import { form } from "./forms.ts"

/**
 * The form of an act that cannot be undone, in two steps that need no script: the first opens what the act does, the second is its button. `opens` is the first one's
 * text, `consequence` a sentence, `label` names what is destroyed where a page has several such forms, `isOpen` shows the second one at once: where it was refused.
 */
export const destructive = (
  visit: Visit,
  given: { readonly action: string; readonly opens: string; readonly consequence: Html; readonly submit: string; readonly label?: string; readonly isOpen?: boolean },
  ...fields: ReadonlyArray<Html>
): Html => {
  const { action, consequence, label, opens, submit } = given
  return el(
    "details",
    { class: "destructive", open: given.isOpen === true },
    el("summary", label === undefined ? {} : { "aria-label": `${opens}: ${label}` }, opens),
    el("p", {}, consequence),
    form(visit, { action, submit, kind: "danger", ...(label === undefined ? {} : { label }) }, ...fields)
  )
}
