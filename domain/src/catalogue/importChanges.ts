import type { ProductContent } from "./Product.ts"
import { type ProductColumn, productColumns, toCells } from "./productRow.ts"

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
