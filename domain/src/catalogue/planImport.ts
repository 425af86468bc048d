import type { Product, ProductContent, ProductId } from "./Product.ts"
import { type ProductColumn, productColumns, toCells } from "./productRow.ts"

/** What an import changes: products to make, and products of the same sku to replace whole. */
export interface ImportPlan {
  readonly created: ReadonlyArray<ProductContent>
  readonly updated: ReadonlyArray<{ readonly id: ProductId; readonly content: ProductContent }>
  /** How many rows the file has. Source: Spec, Resources, ProductImportResult. */
  readonly total: number
}

/**
 * What importing a file's products does to a catalogue: every row makes a product or replaces the one of its sku; what the file does not
 * name stays as it is. Source: Spec, Catalogue operations; Resources, ProductImportResult.
 */
export const planImport = (
  catalogue: ReadonlyArray<Pick<Product, "id" | "sku">>,
  rows: ReadonlyArray<ProductContent>
): ImportPlan => {
  const ids = new Map(catalogue.map(({ sku, id }) => [sku, id]))
  const created: Array<ProductContent> = []
  const updated: Array<ImportPlan["updated"][number]> = []
  for (const content of rows) {
    const id = ids.get(content.sku)
    if (id === undefined) created.push(content)
    else updated.push({ id, content })
  }
  return { created, updated, total: rows.length }
}

/** One product that a file changes: its cells before and after, and which of them differ. */
export interface ProductChange {
  readonly before: ProductContent
  readonly after: ProductContent
  readonly columns: ReadonlyArray<ProductColumn>
}

/** What importing a file would do to a catalogue. */
export interface ImportChanges {
  readonly created: ReadonlyArray<ProductContent>
  readonly changed: ReadonlyArray<ProductChange>
  /** Number of products that the file names and does not change. */
  readonly unchanged: number
}

const differing = (before: ProductContent, after: ProductContent): ReadonlyArray<ProductColumn> => {
  const [old, fresh] = [toCells(before), toCells(after)]
  return productColumns.filter((_, at) => old[at] !== fresh[at])
}

/** Compares a file with the catalogue, sku by sku; what the file does not name stays as it is. Source: Spec, Catalogue operations. */
export const importChanges = (catalogue: ReadonlyArray<ProductContent>, rows: ReadonlyArray<ProductContent>): ImportChanges => {
  const known = new Map(catalogue.map((product) => [product.sku, product]))
  const created: Array<ProductContent> = []
  const changed: Array<ProductChange> = []
  for (const after of rows) {
    const before = known.get(after.sku)
    if (before === undefined) created.push(after)
    else {
      const columns = differing(before, after)
      if (columns.length > 0) changed.push({ before, after, columns })
    }
  }
  return { created, changed, unchanged: rows.length - created.length - changed.length }
}

/**
 * A text that identifies what a person was shown of the catalogue before deciding on an import: equal texts mean equal previews. Only products with a
 * SKU of the file count.
 */
export const seenBefore = (catalogue: ReadonlyArray<ProductContent>, rows: ReadonlyArray<ProductContent>): string => {
  const skus = new Set<string>(rows.map(({ sku }) => sku))
  return JSON.stringify(catalogue.filter(({ sku }) => skus.has(sku)).map((product) => JSON.stringify(toCells(product))).sort())
}
