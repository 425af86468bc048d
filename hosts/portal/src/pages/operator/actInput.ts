import { TenancyOversight } from "@overa/domain"
import { type DateTime, Effect } from "effect"
import type { PersonVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { dayStart } from "../../language/belgradeDays.ts"
import { ActInvalid } from "./OperatorAct.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An identifier from the address; anything else is not found. */
export const idParameter = (visit: PersonVisit, name: string): Effect.Effect<string, NotFound> => {
  const id = (visit.params[name] ?? "").toLowerCase()
  return uuid.test(id) ? Effect.succeed(id) : new NotFound({})
}

/** The organization with this id; null where there is none. */
export const findOrganization = (wanted: string | undefined) =>
  TenancyOversight.use(({ organizations }) => Effect.map(organizations, (all) => all.find(({ id }) => id === wanted) ?? null))

/** The organization of the address. */
export const organizationOf = Effect.fnUntraced(function*(visit: PersonVisit) {
  return (yield* findOrganization(yield* idParameter(visit, "id"))) ?? (yield* new NotFound({}))
})

/** The premise of the address, with its taxpayer; a premise of another organization is not found. */
export const premiseOfOrganization = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { id } = yield* organizationOf(visit)
  const wanted = yield* idParameter(visit, "premise")
  for (const entry of yield* (yield* TenancyOversight).taxpayers(id)) {
    const premise = entry.premises.find((it) => it.id === wanted)
    if (premise !== undefined) return { entry, premise }
  }
  return yield* new NotFound({})
})

/** A required text. */
export const required = (visit: PersonVisit, name: string, longest = 350): Effect.Effect<string, ActInvalid> => {
  const text = visit.form?.text(name) ?? ""
  return text !== "" && text.length <= longest
    ? Effect.succeed(text)
    : new ActInvalid({ field: name, sentence: visit.say(`Обавезно, највише ${longest} знакова.`, `Required, at most ${longest} characters.`) })
}

/** An optional text. */
export const optional = (visit: PersonVisit, name: string): string | null => visit.form?.text(name) || null

/** One of several values. */
export const oneOf = <Value extends string>(visit: PersonVisit, name: string, values: ReadonlyArray<Value>): Effect.Effect<Value, ActInvalid> => {
  const found = values.find((value) => value === visit.form?.text(name))
  return found === undefined ? new ActInvalid({ field: name, sentence: visit.say("Изаберите једно од понуђеног.", "Choose one of what is offered.") }) : Effect.succeed(found)
}

/** The beginning of a day in Belgrade; null where none is given. */
export const dayField = (visit: PersonVisit, name: string): Effect.Effect<DateTime.Utc | null, ActInvalid> => {
  const text = visit.form?.text(name) ?? ""
  if (text === "") return Effect.succeed(null)
  const found = dayStart(text)
  return found !== null
    ? Effect.succeed(found)
    : new ActInvalid({ field: name, sentence: visit.say("Унесите дан, нпр. 2027-01-31.", "Enter a day, 2027-01-31 for example.") })
}
