import { once } from "node:events"
import { createWriteStream, rmSync } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import type pg from "pg"

/** A value as COPY's text form writes it; an array of numbers or texts as PostgreSQL writes arrays. */
type CopyValue = string | number | boolean | null | ReadonlyArray<string | number>

const escaped = (text: string): string => text.replaceAll(/[\\\t\n\r]/g, (one) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[one] ?? one)

const arrayText = (values: ReadonlyArray<string | number>): string =>
  `{${values.map((value) => (typeof value === "number" ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`)).join(",")}}`

const copyText = (value: CopyValue): string => {
  if (value === null) return "\\N"
  if (typeof value === "object") return escaped(arrayText(value))
  return typeof value === "string" ? escaped(value) : String(value)
}

const rowsOfOneFile = 50_000

/**
 * Fills a table through COPY from files in a folder that the server may read. Rows are read one by one, so that any number of them needs no more
 * memory than one file.
 */
export const copyRows = async (
  client: pg.Client,
  folder: string,
  into: { readonly table: string; readonly columns: ReadonlyArray<string> },
  rows: Iterable<ReadonlyArray<CopyValue>>
): Promise<number> => {
  const file = join(folder, `${into.table}.copy`)
  const iterator = rows[Symbol.iterator]()
  let copied = 0
  for (let next = iterator.next(); next.done !== true;) {
    const stream = createWriteStream(file, { mode: 0o644 })
    for (let count = 0; next.done !== true && count < rowsOfOneFile; count++) {
      if (!stream.write(`${next.value.map(copyText).join("\t")}\n`)) await once(stream, "drain")
      copied += 1
      next = iterator.next()
    }
    stream.end()
    await finished(stream)
    await client.query(`copy ${into.table} (${into.columns.join(", ")}) from '${file}'`)
  }
  rmSync(file, { force: true })
  return copied
}
