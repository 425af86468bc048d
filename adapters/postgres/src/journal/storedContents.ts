import type { DocumentContent, Tenant } from "@overa/domain"
import { Effect } from "effect"
import { inParts } from "../inParts.ts"
import type { PgQueries } from "../PgDatabase.ts"
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

/** $1 organization, $2 environment, $3 documents in the order of their ids. */
const firstContents = `with sized as materialized (
    select s.operation_id, sum(octet_length(s.content)) over (order by s.operation_id rows between unbounded preceding and 1 preceding) as bytes_before
    from operations s where s.organization_id = $1 and s.environment = $2 and s.operation_id = any ($3::uuid[]))
  select o.operation_id, o.content from operations o where o.organization_id = $1 and o.environment = $2
    and o.operation_id in (select z.operation_id from sized z where z.bytes_before is null or z.bytes_before < ${bytesAtOnce}) order by o.operation_id`

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
