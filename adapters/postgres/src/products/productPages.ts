import type { Product, ProductFilter, ProductId, Tenant } from "@overa/domain"
import { Effect, Option } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import { productColumns, type ProductRow } from "../rows/ProductRow.ts"
import { Parameters } from "../search/Parameters.ts"
import { mostSought, numberingOf, type SearchKeys, soughtKeys } from "../search/searchGrams.ts"

/** How many of the newest products a search compares one by one before it uses the index of parts. */
export const searchWindow = 400

interface Place {
  readonly createdAt: Date
  readonly id: string
}

interface Asked {
  readonly tenant: Tenant
  readonly filter: ProductFilter
  readonly behind: Place | null
  readonly limit: number
}

const newestFirst = "order by p.created_at desc, p.product_id desc"

/**
 * The newest products that match the filter without its search text. Each half of the catalogue, active and inactive, is a range of an index; a list
 * of both merges the beginnings of the two ranges.
 */
const newest = ({ behind, filter, limit, tenant }: Asked, parameters: Parameters): string => {
  const { add } = parameters
  const scope = filter.taxpayerId === null
    ? `p.environment = ${add(tenant.environment, "text")}`
    : `p.environment = ${add(tenant.environment, "text")} and p.taxpayer_id = ${add(filter.taxpayerId, "uuid")}`
  const organization = add(tenant.organizationId, "uuid")
  // Only a bound on `created_at` lets the planner use the indexes of lists (migration 14); a comparison of rows proves nothing to it.
  const place = behind === null
    ? "p.created_at <= 'infinity'"
    : `p.created_at <= ${add(behind.createdAt, "timestamptz")} and (p.created_at, p.product_id) < (${add(behind.createdAt, "timestamptz")}, ${add(behind.id, "uuid")})`
  const most = add(limit, "int4")
  const halves = (filter.isActive === null ? [true, false] : [filter.isActive]).map((isActive) =>
    `(select ${productColumns}, p.search_text from products p
      where p.organization_id = ${organization} and ${scope} and p.is_active = ${isActive} and ${place} ${newestFirst} limit ${most})`)
  return `select * from (${halves.join(" union all ")}) p ${newestFirst} limit ${most}`
}

const plainPage = (asked: Asked): { readonly sql: string; readonly values: ReadonlyArray<unknown> } => {
  const parameters = new Parameters()
  return { sql: newest(asked, parameters), values: parameters.values }
}

/** Those of the newest `searchWindow` products that contain the text, and the last of the window whether it contains the text or not. */
const windowPage = (asked: Asked, sought: SearchKeys) => {
  const parameters = new Parameters()
  const recent = newest({ ...asked, limit: searchWindow }, parameters)
  const contains = `strpos(p.search_text, ${parameters.add(sought.text, "text")}) > 0`
  const sql = `with recent as (select p.*, row_number() over (${newestFirst}) as place from (${recent}) p)
    select p.*, ${contains} as found from recent p where ${contains} or p.place = ${searchWindow} ${newestFirst}`
  return { sql, values: parameters.values }
}

/**
 * The products that contain the text, found by its parts and then compared with the text itself. The sort is in an outer query that the planner
 * cannot merge, so that it cannot read the whole catalogue in order instead.
 */
const indexedPage = ({ behind, filter, limit, tenant }: Asked, sought: SearchKeys) => {
  const { add, values } = new Parameters()
  const conditions = [
    `p.organization_id = ${add(tenant.organizationId, "uuid")}`,
    `p.environment = ${add(tenant.environment, "text")}`,
    `p.search_grams @> ${add(sought.grams, "int4[]")}`,
    `strpos(p.search_text, ${add(sought.text, "text")}) > 0`,
    ...(filter.taxpayerId === null ? [] : [`p.taxpayer_id = ${add(filter.taxpayerId, "uuid")}`]),
    ...(filter.isActive === null ? [] : [`p.is_active = ${filter.isActive}`])
  ]
  const place = behind === null
    ? ""
    : `where (p.created_at, p.product_id) < (${add(behind.createdAt, "timestamptz")}, ${add(behind.id, "uuid")})`
  const sql = `with found as materialized (select ${productColumns} from products p where ${conditions.join(" and ")})
    select p.* from found p ${place} ${newestFirst} limit ${add(limit, "int4")}`
  return { sql, values }
}

interface WindowRow extends ProductRow {
  readonly found: boolean
  readonly place: bigint
}

const placeOf = (row: ProductRow): Place => ({ createdAt: row.created_at, id: row.product_id })

/**
 * Searches the newest products one by one, and uses the index of parts behind them only where those do not fill the page: a frequent text is found at
 * once among the newest, a rare one has few rows to sort.
 */
const search = Effect.fnUntraced(function*(database: PgQueries, asked: Asked, sought: SearchKeys) {
  const near = windowPage(asked, sought)
  const rows = yield* database.read<WindowRow>(near.sql, near.values)
  const found: ReadonlyArray<ProductRow> = rows.filter((row) => row.found)
  const last = rows.find((row) => Number(row.place) === searchWindow)
  if (last === undefined || found.length >= asked.limit) return found.slice(0, asked.limit)
  const far = indexedPage({ ...asked, behind: placeOf(last), limit: asked.limit - found.length }, sought)
  return [...found, ...(yield* database.read<ProductRow>(far.sql, far.values))]
})

/** The rows of a page and one more, where there is one; none when the cursor names no product of the tenant. */
export const pageRows = Effect.fnUntraced(function*(
  database: PgQueries,
  tenant: Tenant,
  filter: ProductFilter,
  cursor: ProductId | null,
  pageSize: number
) {
  const [place] = cursor === null ? [] : yield* database.read<ProductRow>(
    "select p.created_at, p.product_id from products p where p.organization_id = $1 and p.environment = $2 and p.product_id = $3",
    [tenant.organizationId, tenant.environment, cursor]
  )
  if (cursor !== null && place === undefined) return Option.none<ReadonlyArray<ProductRow>>()
  const asked: Asked = { tenant, filter, behind: place === undefined ? null : placeOf(place), limit: pageSize + 1 }
  const sought = filter.search === null ? null : soughtKeys(numberingOf(tenant.organizationId, tenant.environment), filter.search, mostSought.inShortTexts)
  if (sought !== null) return Option.some(yield* search(database, asked, sought))
  const plain = plainPage(asked)
  return Option.some(yield* database.read<ProductRow>(plain.sql, plain.values))
})

/** A page from its rows and the extra row that shows that there is a next page. */
export const pageOf = (products: ReadonlyArray<Product>, pageSize: number) => {
  const items = products.slice(0, pageSize)
  return { items, nextCursor: products.length > pageSize ? items.at(-1)?.id ?? null : null }
}
