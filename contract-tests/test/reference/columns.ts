import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

/** One value of a commit's row: its name and type in SQL, and its source. */
export interface Column<Item> {
  readonly name: string
  readonly type: "uuid" | "text" | "int4" | "numeric" | "timestamptz" | "bool" | "float8"
  readonly value: (item: Item) => string | number | boolean | null
}

const parameter = (oid: number, value: unknown): PgTypes.Parameter => ({
  [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId as PgTypes.ParameterTypeId,
  oid,
  value
})

/** `(values ($1::uuid, …))` for one item: the plain statement, without the cost of arrays. */
export const oneRow = <Item>(columns: ReadonlyArray<Column<Item>>, first: number): string =>
  `(values (${columns.map((column, index) => `$${first + index}::${column.type}`).join(", ")}))`

/** `unnest($1::uuid[], …)` for many items in one statement. */
export const manyRows = <Item>(columns: ReadonlyArray<Column<Item>>, first: number): string =>
  `unnest(${columns.map((column, index) => `$${first + index}::${column.type}[]`).join(", ")})`

/** The columns' names, as the alias of either source needs them. */
export const namesOf = <Item>(columns: ReadonlyArray<Column<Item>>): string =>
  columns.map((column) => column.name).join(", ")

/** The parameters of `oneRow`. */
export const oneRowParameters = <Item>(columns: ReadonlyArray<Column<Item>>, item: Item): Array<unknown> =>
  columns.map((column) => parameter(PgTypes.OID[column.type], column.value(item)))

/** The parameters of `manyRows`, one typed array per column. */
export const manyRowsParameters = <Item>(columns: ReadonlyArray<Column<Item>>, items: ReadonlyArray<Item>): Array<unknown> =>
  columns.map((column) => Result.getOrThrow(PgTypes.array(items.map(column.value), PgTypes.OID[column.type])))
