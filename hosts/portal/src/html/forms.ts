import { randomUUID } from "node:crypto"
import { placePrefix } from "../http/Place.ts"
import type { Visit } from "../http/Visit.ts"
import { isValidElement, type JSX } from "preact"
import { all, el, type Html } from "./el.ts"

type InputType = "text" | "email" | "password" | "search" | "date" | "file" | "number"

/** A field of a form. `fault` is a sentence that says what to correct. */
export interface Field {
  readonly name: string
  /** Distinguishes the field where a page has several forms with the same field. */
  readonly scope?: string
  readonly label: string
  readonly type?: InputType
  readonly value?: string
  readonly hint?: Html
  readonly fault?: string | undefined
  readonly required?: boolean
  readonly autocomplete?: string
  readonly inputmode?: "numeric" | "decimal"
  readonly accept?: string
  readonly rows?: number
}

/** The messages of one save, by field name. */
export type Faults = Readonly<Record<string, string>>

const idOf = ({ name, scope }: { readonly name: string; readonly scope?: string | undefined }): string =>
  scope === undefined ? `field-${name}` : `field-${name}-${scope.replaceAll(/[^\w-]/g, "-")}`

const describedBy = (given: Pick<Field, "fault" | "hint" | "name" | "scope">) => {
  const { fault, hint } = given
  const ids = [...(hint === undefined ? [] : [`${idOf(given)}-hint`]), ...(fault === undefined ? [] : [`${idOf(given)}-fault`])]
  return ids.length === 0 ? {} : { "aria-describedby": ids.join(" ") }
}

const around = (given: Pick<Field, "fault" | "hint" | "label" | "name" | "scope">, control: Html): Html =>
  el(
    "div",
    { class: given.fault === undefined ? "field" : "field wrong" },
    el("label", { for: idOf(given) }, given.label),
    given.hint === undefined ? null : el("p", { class: "hint", id: `${idOf(given)}-hint` }, given.hint),
    given.fault === undefined ? null : el("p", { class: "fault", id: `${idOf(given)}-fault` }, given.fault),
    control
  )

/** An input with its label, hint and fault. */
export const field = (given: Field): Html => {
  const common = {
    id: idOf(given),
    name: given.name,
    required: given.required === true,
    ...(given.fault === undefined ? {} : { "aria-invalid": true }),
    ...describedBy(given)
  }
  if (given.rows !== undefined) return around(given, el("textarea", { ...common, rows: given.rows }, given.value ?? ""))
  const { accept, autocomplete, inputmode, type = "text", value } = given
  const own = { type, value, accept, inputmode, autocomplete }
  // The library's type distinguishes inputs by their kind; the callers here decide which attributes go with which.
  return around(given, el("input", { ...common, ...own } as JSX.IntrinsicElements["input"]))
}

/** One of several values. */
export const choice = (given: {
  readonly name: string
  readonly scope?: string
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
  readonly hint?: Html
  readonly fault?: string | undefined
}): Html =>
  around(
    given,
    el(
      "select",
      { id: idOf(given), name: given.name, ...describedBy(given) },
      given.options.map(([value, label]) => el("option", { value, selected: value === given.value }, label))
    )
  )

/** Yes or no. */
export const tick = (given: { readonly name: string; readonly value?: string; readonly label: Html; readonly checked: boolean }): Html => {
  const id = `${idOf(given)}-${given.value ?? "yes"}`
  return el(
    "div",
    { class: "tick" },
    el("input", { type: "checkbox", id, name: given.name, value: given.value ?? "yes", checked: given.checked }),
    el("label", { for: id }, given.label)
  )
}

/** Whether the fields ask for a password, a code or a file, which nobody keeps. */
const asksSecret = (fields: Html): boolean => {
  if (Array.isArray(fields)) return fields.some(asksSecret)
  if (!isValidElement(fields)) return false
  const { autocomplete, children, name, type } = fields.props as { readonly autocomplete?: string; readonly children?: Html; readonly name?: string; readonly type?: string }
  return type === "password" || type === "file" || autocomplete === "one-time-code" || name === "question" || name === "code" || asksSecret(children)
}

/** The proof that the form came from a page of this portal, the form's id (sent twice, it acts once), and the place for which it is. */
const marks = (visit: Visit, fields: ReadonlyArray<Html>): Html =>
  all(
    visit.author === "" || asksSecret(fields) ? null : el("input", { type: "hidden", name: "author", value: visit.author }),
    el("input", { type: "hidden", name: "proof", value: visit.proof }),
    el("input", { type: "hidden", name: "form", value: randomUUID() }),
    visit.place === null ? null : el("input", { type: "hidden", name: "place", value: placePrefix(visit.place) })
  )

/** A form that changes something. */
export const form = (
  visit: Visit,
  given: {
    readonly action: string
    /** Null where the fields have the button already. */
    readonly submit: string | null
    readonly kind?: "main" | "danger" | "quiet"
    readonly files?: boolean
    readonly label?: string
    /** What the page's script reads. */
    readonly data?: Readonly<Record<`data-${string}`, string>>
  },
  ...fields: ReadonlyArray<Html>
): Html =>
  el(
    "form",
    {
      method: "post",
      action: given.action,
      ...(given.files === true ? { enctype: "multipart/form-data" as const } : {}),
      ...(given.label === undefined ? {} : { "aria-label": given.label }),
      ...given.data
    },
    marks(visit, fields),
    ...fields,
    given.submit === null ? null : el("button", { type: "submit", class: given.kind ?? "main" }, given.submit)
  )

/** The status of a page with a form, which is shown again with its faults. */
export const faultStatus = (faults: Faults): 200 | 422 => Object.keys(faults).length === 0 ? 200 : 422

/** The summary above a form that was not accepted; each line links to its field. */
export const faultSummary = (visit: Visit, faults: Faults): Html => {
  const entries = Object.entries(faults)
  if (entries.length === 0) return null
  return el(
    "div",
    { class: "notice bad", role: "alert" },
    el("p", {}, visit.form === null ? visit.say("Исправите:", "Please correct:") : visit.say("Није сачувано. Исправите:", "Not saved. Please correct:")),
    el("ul", {}, entries.map(([name, sentence]) => el("li", {}, el("a", { href: `#${idOf({ name })}` }, sentence))))
  )
}
