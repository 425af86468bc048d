import type { Product, ProductContent, ProductId } from "./Product.ts"

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
