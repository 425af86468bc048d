import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

/** One value of a statement: its name and type in SQL, and its source. */
export interface Column<Item> {
  readonly name: string
  readonly type: "uuid" | "text" | "bytea" | "int4" | "numeric" | "timestamptz" | "float8"
  readonly value: (item: Item) => string | number | Uint8Array | null
}

const typed = (type: Column<never>["type"], value: unknown): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId as PgTypes.ParameterTypeId,
  oid: PgTypes.OID[type],
  value
})

/** The columns' names, as a statement lists them. */
export const namesOf = <Item>(columns: ReadonlyArray<Column<Item>>): string => columns.map((column) => column.name).join(", ")

/** `$1, $2, …`, one for each column. */
export const placeholders = <Item>(columns: ReadonlyArray<Column<Item>>): string => columns.map((_, index) => `$${index + 1}`).join(", ")

/** The placeholder of one column, by its name. */
export const placeholderOf = <Item>(columns: ReadonlyArray<Column<Item>>, name: string): string => {
  const index = columns.findIndex((column) => column.name === name)
  if (index < 0) throw new Error(`The statement has no parameter ${name}`)
  return `$${index + 1}`
}

/** One typed parameter for each column. */
export const parametersOf = <Item>(columns: ReadonlyArray<Column<Item>>, item: Item): Array<unknown> =>
  columns.map((column) => typed(column.type, column.value(item)))

/** `unnest($1::uuid[], …) as many (…)`: the rows of several items as one source, for a shared statement. */
export const manyRows = <Item>(columns: ReadonlyArray<Column<Item>>): string =>
  `unnest(${columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ")}) as many (${namesOf(columns)})`

/** The parameters of `manyRows`: one array for each column. */
export const manyParameters = <Item>(columns: ReadonlyArray<Column<Item>>, items: ReadonlyArray<Item>): Array<unknown> =>
  columns.map((column) => Result.getOrThrow(PgTypes.array(items.map(column.value), PgTypes.OID[column.type])))
