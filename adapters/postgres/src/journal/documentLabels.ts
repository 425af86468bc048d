import type { FiscalDocumentId, Tenant } from "@overa/domain"
import { Effect } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import { eachStoredContent, type StoredTexts } from "./storedContents.ts"

/** The tax labels of a document's lines, sorted. */
export const labelsOf = ({ items }: Pick<StoredTexts, "items">): ReadonlyArray<string> => [...new Set(items.flatMap(({ taxLabels }) => taxLabels))].sort()

/** $1 organization, $2 environment, $3 documents: the labels of the indexed ones, and the documents that are not indexed. */
const indexedLabels = `with entries as materialized (
    select e.operation_id, e.labels from journal_entries e where e.organization_id = $1 and e.environment = $2 and e.operation_id = any ($3::uuid[]))
  select (select coalesce(array_agg(distinct l.label), '{}') from (select distinct e.labels from entries e) s cross join unnest(s.labels) as l (label)) as labels,
    (select coalesce(array_agg(a.id), '{}') from unnest($3::uuid[]) as a (id) where a.id not in (select e.operation_id from entries e)) as others`

interface IndexedLabels {
  readonly labels: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
}

/** Every tax label on a line of the documents, sorted. */
export const readLabels = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
  const [indexed] = yield* database.read<IndexedLabels>(indexedLabels, [tenant.organizationId, tenant.environment, ids])
  const labels = new Set(indexed?.labels)
  yield* eachStoredContent(database, tenant, indexed?.others ?? [], (_id, { items }) => {
    for (const { taxLabels } of items) for (const label of taxLabels) labels.add(label)
  })
  return [...labels].sort()
})
