import type { DocumentContent, Tenant } from "@overa/domain"
import { Effect } from "effect"
import { inParts } from "../inParts.ts"
import type { PgQueries } from "../PgDatabase.ts"
import { firstWithinBytes } from "../rows/firstWithinBytes.ts"
import { orUnreadable } from "../rows/orUnreadable.ts"

/** What searches and labels need of a content; its amounts stay in their stored form. */
export type StoredTexts = Pick<DocumentContent, "buyer" | "cashier" | "clientReference"> & {
  readonly items: ReadonlyArray<Pick<DocumentContent["items"][number], "name" | "taxLabels">>
}

/** Contents read by one statement, in bytes, or one larger content. Parsing a megabyte takes about ten milliseconds. */
const bytesAtOnce = 524_288
const contentsAtOnce = 500

interface ContentRow {
  readonly operation_id: string
  readonly content: string
}

/** $1 organization, $2 environment, $3 documents. */
const firstContents = firstWithinBytes({
  columns: "o.operation_id, o.content",
  among: "select distinct a.id as operation_id from unnest($3::uuid[]) as a (id)",
  selected: "true",
  order: ["operation_id"],
  limit: contentsAtOnce,
  bytes: bytesAtOnce,
  texts: "content"
})

/**
 * Reads the contents of documents, a few at a time, whatever their number and size. They are parsed and not validated: validating ten thousand of them
 * would take a quarter of a second. A content that is not JSON throws `FiscalDocumentUnreadable`.
 */
export const eachStoredContent = Effect.fnUntraced(function*(
  database: PgQueries,
  { environment, organizationId }: Tenant,
  ids: Iterable<string>,
  use: (operationId: string, content: StoredTexts) => void
) {
  for (let left = [...ids].sort(); left.length > 0;) {
    const next = left.slice(0, contentsAtOnce)
    const reading = database.read<ContentRow>(firstContents, [organizationId, environment, next])
    const last = yield* inParts(reading, (rows) => {
      for (const { content, operation_id: id } of rows) use(id, orUnreadable(id, () => JSON.parse(content) as StoredTexts))
      return rows.at(-1)?.operation_id
    })
    left = left.slice(last === undefined ? next.length : left.indexOf(last) + 1)
  }
})
