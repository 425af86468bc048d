import { Schema } from "effect"

/** The bounds of a list's length, from one on, and the words for its elements. */
export interface ListBounds {
  readonly one: string
  readonly many: string
  readonly most: number
}

/** Source: Spec, Limits; Decisions §1, Bounds. */
export const itemBounds: ListBounds = { one: "item", many: "items", most: 1_000 }
/** Source: Spec, Limits; Decisions §1, Bounds. */
export const paymentBounds: ListBounds = { one: "payment", many: "payments", most: 50 }

/** The fault in a list's length, or undefined. */
export const countFault = (count: number, { many, most, one }: ListBounds): string | undefined => {
  if (count === 0) return `must have at least one ${one}`
  return count > most ? `must have at most ${most} ${many}` : undefined
}

/** A list of one to `most` elements. */
export const listField = <S extends Schema.Constraint>(element: S, bounds: ListBounds) =>
  Schema.Array(element).check(
    Schema.makeFilter((list: ReadonlyArray<unknown>) => countFault(list.length, bounds), {
      toJsonSchema: () => ({ minItems: 1, maxItems: bounds.most })
    })
  )

const labelsFault = (labels: ReadonlyArray<string>): string | undefined => {
  if (labels.length === 0) return "must have at least one label"
  return new Set(labels).size === labels.length ? undefined : "must not name a label twice"
}

/** The tax labels of an item or a product: at least one, each only once. Source: Spec, Resources, LineItem. */
export const labelsField = <S extends Schema.Constraint & { readonly Type: string }>(label: S) =>
  Schema.Array(label).check(
    Schema.makeFilter((labels: ReadonlyArray<string>) => labelsFault(labels), {
      toJsonSchema: () => ({ minItems: 1, uniqueItems: true })
    })
  )
