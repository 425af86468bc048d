import { bytesBefore, isWithinBytes } from "./withinBytes.ts"

/** A selection of operations, `o`, of organization $1 and environment $2. */
interface Selection {
  /** The columns of `o` to read. */
  readonly columns: string
  /** A query of the ids that may be selected, each once; without it all operations of the environment. */
  readonly among?: string
  /** Conditions besides organization and environment. */
  readonly selected: string
  readonly order: ReadonlyArray<"created_at" | "moved_by" | "operation_id">
  /** At most so many operations: a number or a parameter. */
  readonly limit: number | string
  /** At most so many bytes of texts in the store, or one operation. */
  readonly bytes: number
  /** The texts that count. */
  readonly texts: "answer and content" | "content"
}

/** The bytes of the texts of a row `s` of operations. */
export const textBytes = {
  content: "octet_length(s.content)",
  "answer and content": "octet_length(s.content) + coalesce(octet_length(s.answer_text), 0)"
} as const

/**
 * The first operations of a selection whose texts have at most so many bytes together, with the number of those that were `selected` up to the limit:
 * a body may have a megabyte and its answer more, so a fixed number of operations may need more memory than the process has. The sizes are known
 * without reading the texts. Each operation is then looked up by its key, whatever the planner knows of the table.
 */
export const firstWithinBytes = ({ among, bytes, columns, limit, order, selected, texts }: Selection): string => {
  const by = (alias: string) => order.map((column) => `${alias}.${column}`).join(", ")
  const source = among === undefined
    ? "operations o where o.organization_id = $1 and o.environment = $2"
    : `ids i cross join lateral (
        select * from operations w where w.organization_id = $1 and w.operation_id = i.operation_id and w.environment = $2 offset 0) o where true`
  const ordered = [...new Set(["operation_id", ...order])].map((column) => `o.${column}`).join(", ")
  return `with ${among === undefined ? "" : `ids as materialized (${among}), `}sized as materialized (
    select s.operation_id, row_number() over (order by ${by("s")}) as place,
      ${bytesBefore(textBytes[texts], by("s"))} as bytes_before
    from (select ${ordered}, o.content, o.answer_text from ${source} and ${selected} order by ${by("o")} limit ${limit}) s)
  select f.*, (select count(*) from sized)::int4 as selected from sized z
  cross join lateral (
    select ${columns} from operations o where o.organization_id = $1 and o.operation_id = z.operation_id and o.environment = $2 offset 0) f
  where ${isWithinBytes("z.bytes_before", bytes)} order by z.place`
}

/** Whether rows were left out for their bytes. */
export const isCutByBytes = (rows: ReadonlyArray<{ readonly selected: number }>): boolean => rows.length < (rows[0]?.selected ?? 0)
