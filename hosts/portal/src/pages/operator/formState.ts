import { createHash } from "node:crypto"
import { el, type Html } from "../../html/el.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import type { ActField } from "./OperatorAct.ts"

const valueOf = (field: Exclude<ActField, { readonly kind: "hidden" }>): string => {
  if (field.kind === "ticks") return field.checked.join(", ")
  return field.kind === "text" ? field.more?.value ?? "" : field.value ?? ""
}

/** What the stored state fills into a form; hidden fields are compared by the acts that have them. */
const filledIn = (fields: ReadonlyArray<ActField>) => fields.filter((field) => field.kind !== "hidden").map((field) => [field, valueOf(field)] as const)

const digestOf = (fields: ReadonlyArray<ActField>): string =>
  createHash("sha256").update(JSON.stringify(filledIn(fields).map(([{ name }, value]) => [name, value]))).digest("base64url")

/** The state from which a form was filled in, sent along with it. */
export const stateField = (fields: ReadonlyArray<ActField>): Html => el("input", { type: "hidden", name: "state", value: digestOf(fields) })

/** Whether somebody has changed what the form was filled in from. */
export const isStale = ({ form }: PersonVisit, fields: ReadonlyArray<ActField>): boolean => {
  const seen = form?.text("state") ?? ""
  return seen !== "" && seen !== digestOf(fields)
}

/** The stored values, where they differ from what was entered. */
export const nowStored = ({ form, say }: PersonVisit, fields: ReadonlyArray<ActField>): string =>
  filledIn(fields)
    .filter(([{ name }, value]) => form?.texts(name).join(", ") !== value)
    .map(([field, value]) => `${say(...field.words)}: ${value || "–"}`)
    .join("; ")
