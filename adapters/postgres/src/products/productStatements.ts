import { askedColumns, askedProducts, contentColumns, productColumns } from "../rows/ProductRow.ts"

const columns = askedColumns.join(", ")
const columnsAsked = askedColumns.map((column) => `a.${column}`).join(", ")
const columnsSet = askedColumns.map((column) => `${column} = a.${column}`).join(", ")

/** Parameters of every statement: organization, environment. A row of `taxpayers` answers whether the taxpayer may have products. */
const ownTaxpayer = "select 1 from taxpayers t where t.organization_id = $1 and t.environment = $2 and t.taxpayer_id = $3 and t.status = 'active'"

export const findTaxpayer = ownTaxpayer

/** Imports of one taxpayer run one after another: the second waits here until the first has committed. */
export const lockTaxpayer = `${ownTaxpayer} for no key update`

/** $3 taxpayer, $4 products, $5 time. */
export const insertProducts = `
insert into products (organization_id, environment, taxpayer_id, product_id, ${columns}, created_at, updated_at)
select $1, $2, $3, a.product_id, ${columnsAsked}, $5, $5 from ${askedProducts("$4")}
order by a.sku`

/** $3 products, $4 time; answers the rows as they are afterwards. */
export const updateProducts = `
update products p set ${columnsSet}, updated_at = $4 from ${askedProducts("$3")}
where p.organization_id = $1 and p.environment = $2 and p.product_id = a.product_id
returning ${productColumns}`

/** $3 id. */
export const readProduct = `
select ${productColumns} from products p where p.organization_id = $1 and p.environment = $2 and p.product_id = $3`

/** $3 taxpayer, $4 skus. */
export const findSkus = `
select p.sku, p.product_id from products p
where p.organization_id = $1 and p.environment = $2 and p.taxpayer_id = $3 and p.sku = any ($4::text[])`

/** $3 id, $4 the SKU that its replacement requests: the other product of the same taxpayer that has it. */
export const findHolder = `
select h.product_id from products p join products h
  on h.organization_id = p.organization_id and h.taxpayer_id = p.taxpayer_id and h.sku = $4 and h.product_id <> p.product_id
where p.organization_id = $1 and p.environment = $2 and p.product_id = $3`

/** $3 taxpayer. */
export const readAll = `
select ${contentColumns} from products p where p.organization_id = $1 and p.environment = $2 and p.taxpayer_id = $3`

/** $3 taxpayer, $4 ids. */
export const findMissing = `
select w.id from unnest($4::uuid[]) as w (id)
where not exists (
  select 1 from products p
  where p.organization_id = $1 and p.environment = $2 and p.taxpayer_id = $3 and p.product_id = w.id)`
