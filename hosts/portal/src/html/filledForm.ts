import { h, isValidElement, type VNode } from "preact"
import type { Form } from "../http/Form.ts"
import type { Reply } from "../http/Reply.ts"
import type { Visit } from "../http/Visit.ts"
import { all, el, type Html } from "./el.ts"
import { notice } from "./parts.ts"

type Attributes = Readonly<Record<string, unknown>> & { readonly children?: Html }

const propsOf = (element: VNode): Attributes => element.props as Attributes

const made = (type: string, attributes: object): VNode => h(type, attributes) as VNode

/** Every element of the content, changed by `change` from the outside in. */
const mapped = (content: Html, change: (element: VNode) => VNode): Html => {
  if (Array.isArray(content)) return content.map((part: Html) => mapped(part, change))
  if (!isValidElement(content)) return content
  const changed = change(content)
  return h(changed.type as string, { ...propsOf(changed), children: mapped(propsOf(changed).children, change) })
}

/** The values of each name, taken in the order of the form's fields. */
const valuesOf = (form: Form): (name: string) => string | undefined => {
  const left = new Map<string, Array<string>>()
  for (const [name, value] of form.entries()) left.set(name, [...left.get(name) ?? [], value])
  return (name) => left.get(name)?.shift()
}

const filledInput = (element: VNode, form: Form, next: (name: string) => string | undefined): VNode => {
  const given = propsOf(element)
  const name = String(given["name"] ?? "")
  if (given["type"] === "checkbox" || given["type"] === "radio") return made("input", { ...given, checked: form.texts(name).includes(String(given["value"] ?? "on")) })
  // Of what the page itself put into the form, only its id stays: sent before, it acted once and does not act again.
  if (given["type"] === "hidden" && name !== "form") return element
  return made("input", { ...given, value: next(name) ?? given["value"] ?? "" })
}

const filled = (element: VNode, form: Form): VNode => {
  const next = valuesOf(form)
  let chosen: string | undefined
  const change = (part: VNode): VNode => {
    const given = propsOf(part)
    if (part.type === "input") return filledInput(part, form, next)
    if (part.type === "textarea") return made("textarea", { ...given, children: next(String(given["name"])) ?? given.children })
    if (part.type === "select") chosen = next(String(given["name"]))
    if (part.type === "option" && chosen !== undefined) return made("option", { ...given, selected: String(given["value"]) === chosen })
    return part
  }
  return mapped(element, change) as VNode
}

const actionsOf = (content: Html): ReadonlyArray<string> => {
  const found: Array<string> = []
  mapped(content, (element) => {
    if (element.type === "form" && propsOf(element)["method"] === "post") found.push(String(propsOf(element)["action"]))
    return element
  })
  return found
}

/** The page with the entries in its form that is sent to `action`, or to a step before or after it; null where the page has no such form. */
export const withEntries = (content: Html, action: string, form: Form): Html | null => {
  const actions = actionsOf(content)
  const chosen = actions.find((it) => it === action) ?? actions.find((it) => it.startsWith(`${action}/`) || action.startsWith(`${it}/`))
  if (chosen === undefined) return null
  let done = false
  const filledOnce = (part: Html): Html => {
    if (Array.isArray(part)) return part.map(filledOnce)
    if (!isValidElement(part)) return part
    if (!done && part.type === "form" && propsOf(part)["action"] === chosen) {
      done = true
      return filled(part, form)
    }
    return h(part.type as string, { ...propsOf(part), children: filledOnce(propsOf(part).children) })
  }
  return filledOnce(content)
}

/** The page as it is shown to the person whose form was not carried out, because the session had ended. An earlier sending whose answer was lost may have been. */
export const withKept = (visit: Visit, reply: Reply, kept: { readonly action: string; readonly form: Form }): Reply => {
  if (reply._tag !== "Page") return reply
  const content = withEntries(reply.content, kept.action, kept.form)
  const said = content === null
    ? visit.say(
      "Ваша пријава је била истекла, па образац овог пута није извршен. Ако сте га послали и раније, можда је тада извршен: проверите, па га унесите поново.",
      "Your session had ended, so the form was not carried out this time. If you had sent it before, it may have been carried out then: check, then fill it in again."
    )
    : visit.say(
      "Ваша пријава је била истекла, па образац овог пута није извршен. Ако сте га послали и раније, можда је тада извршен. Оно што сте унели је поново овде: прегледајте, па пошаљите.",
      "Your session had ended, so the form was not carried out this time. If you had sent it before, it may have been carried out then. What you had typed is here again: look at it and send it."
    )
  return { ...reply, content: all(notice("wait", el("p", {}, said)), content ?? reply.content) }
}
