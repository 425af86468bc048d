import type { Act } from "@overa/domain"
import { Effect, Schema } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary, type Field, field, form, tick } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect, type Reply } from "../../http/Reply.ts"
import { operatorRoute, type Route } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import type { PortalServices } from "../../layers.ts"
import { isFirstSending } from "../personAct.ts"
import { isStale, nowStored, stateField } from "./formState.ts"
import { isReason, operatorAct, reasonField, reasonWanted } from "./reason.ts"
import { type KnownError, refusalWords } from "./refusalWords.ts"

type Words = readonly [serbian: string, english: string]

/** A field of an operator's form. */
export type ActField =
  | { readonly kind: "text"; readonly name: string; readonly words: Words; readonly more?: Partial<Omit<Field, "label" | "name">> }
  | { readonly kind: "choice"; readonly name: string; readonly words: Words; readonly options: ReadonlyArray<readonly [value: string, label: string | Words]>; readonly value?: string }
  /** Sent unseen, for example the version from which the form was filled in. */
  | { readonly kind: "hidden"; readonly name: string; readonly value: string }
  | { readonly kind: "ticks"; readonly name: string; readonly words: Words; readonly values: ReadonlyArray<string>; readonly checked: ReadonlyArray<string> }

/** The form is incomplete or wrong; nothing was done. */
export class ActInvalid extends Schema.TaggedError<ActInvalid>()("ActInvalid", { field: Schema.String, sentence: Schema.String }) {}

/** One act of an operator: a page with a form, a reason, and the change it makes. */
export interface OperatorAct {
  /** With parameters as `:name`. */
  readonly path: string
  readonly title: Words
  /** The consequence, where it cannot be undone. */
  readonly warning?: Words
  readonly files?: boolean
  /** What the operator compares before acting. */
  readonly shows?: (visit: PersonVisit) => Effect.Effect<Html, unknown, PortalServices>
  readonly fields: (visit: PersonVisit) => Effect.Effect<ReadonlyArray<ActField>, unknown, PortalServices>
  /** Answers the next page's path, or a page that shows something once. */
  readonly run: (visit: PersonVisit, act: Act) => Effect.Effect<string | Reply, unknown, PortalServices>
}

const fieldHtml = (visit: PersonVisit, given: ActField, faults: Faults): Html => {
  const { say } = visit
  const { name } = given
  const sent = visit.form?.exact(name)
  if (given.kind === "hidden") return el("input", { type: "hidden", name, value: sent ?? given.value })
  const label = say(...given.words)
  switch (given.kind) {
    case "text": {
      const isSecret = given.more?.type === "password" || given.more?.type === "file"
      return field({ ...given.more, name, label, ...(sent === undefined || isSecret ? {} : { value: sent }), fault: faults[name] })
    }
    case "choice":
      return choice({ name, label, options: given.options.map(([value, words]) => [value, typeof words === "string" ? words : say(...words)] as const), value: sent ?? given.value ?? given.options[0]?.[0] ?? "", fault: faults[name] })
    case "ticks":
      return el("fieldset", {}, el("legend", {}, label), given.values.map((value) =>
        tick({ name, value, label: value, checked: visit.form === null ? given.checked.includes(value) : visit.form.texts(name).includes(value) })))
  }
}

const refusal = ({ say }: PersonVisit, sentence: string, { detail, now }: Faults): Html =>
  notice(
    "bad",
    el("p", {}, say("Ништа није промењено.", "Nothing was changed."), " ", sentence),
    detail === undefined ? null : el("p", { lang: "en" }, detail),
    now === undefined ? null : el("p", {}, say("Сада је сачувано: ", "Stored now: "), now)
  )

const formPage = Effect.fnUntraced(function*(visit: PersonVisit, act: OperatorAct, faults: Faults = {}) {
  const { say } = visit
  const title = say(...act.title)
  const fields = yield* act.fields(visit)
  const shown = act.shows === undefined ? null : yield* act.shows(visit)
  const content = all(
    el("h1", {}, title),
    faults["act"] === undefined ? faultSummary(visit, faults) : refusal(visit, faults["act"], faults),
    act.warning === undefined ? null : notice("wait", el("p", {}, say(...act.warning))),
    shown,
    form(
      visit,
      { action: visit.path, submit: title, files: act.files === true, kind: act.warning === undefined ? "main" : "danger" },
      fields.map((it) => fieldHtml(visit, it, faults)),
      stateField(fields),
      reasonField(visit, faults)
    )
  )
  return page(title, el("div", { class: act.warning === undefined ? "card" : "card dangerous" }, content), faultStatus(faults))
})

/** The faults for showing the form again; null for an unexpected error. */
const faultsOf = (visit: PersonVisit, error: unknown): Faults | null => {
  if (error instanceof ActInvalid) return { [error.field]: error.sentence }
  const words = refusalWords(visit, error as KnownError)
  return words === null ? null : { act: words.sentence, ...(words.detail === null ? {} : { detail: words.detail }) }
}

const changedMeanwhile = (visit: PersonVisit, fields: ReadonlyArray<ActField>): Faults => ({
  act: visit.say(
    "Неко је ово у међувремену изменио. Ваш унос је испод; ако га пошаљете, замениће садашње стање.",
    "Somebody has changed this meanwhile. What you entered is below; sending it replaces what is stored now."
  ),
  now: nowStored(visit, fields)
})

const carryOut = Effect.fnUntraced(function*(visit: PersonVisit, act: OperatorAct) {
  const reason = visit.form?.text("reason") ?? ""
  if (!isReason(reason)) return yield* formPage(visit, act, { reason: reasonWanted(visit.say) })
  if (!(yield* isFirstSending(visit))) return redirect("/operator?done=already")
  const fields = yield* act.fields(visit)
  if (isStale(visit, fields)) return yield* formPage(visit, act, changedMeanwhile(visit, fields))
  const done = yield* act.run(visit, operatorAct(visit, reason))
  return typeof done === "string" ? redirect(done) : done
}, (effect, visit, act) => Effect.catchIf(effect, (error) => faultsOf(visit, error) !== null, (error) => formPage(visit, act, faultsOf(visit, error) ?? {})))

/** The page and the act. */
export const actRoutes = (act: OperatorAct): ReadonlyArray<Route> => [
  operatorRoute("GET", act.path, (visit) => formPage(visit, act)),
  operatorRoute("POST", act.path, (visit) => carryOut(visit, act))
]
