/** Products, their files, and searching in any script. */
export { type Product, type ProductContent, ProductId } from "../catalogue/Product.ts"
export {
  decodeNewProduct, decodeProductReplacement, type NewProduct, NewProductShape, ProductReplacementShape
} from "../catalogue/ProductRequest.ts"
export { Sku, takeSku } from "../catalogue/Sku.ts"
export {
  CatalogueImportHeadersInvalid, CatalogueImportTooManyRows, CatalogueSkuAlreadyExists, ProductChanged, ProductNotFound
} from "../catalogue/errors.ts"
export { type ImportChanges, importChanges, type ProductChange, seenBefore } from "../catalogue/importChanges.ts"
export { type ProductColumn, productColumns, toCells } from "../catalogue/productRow.ts"
export { matchesSearch, productTexts } from "../catalogue/matchesSearch.ts"
export { type ImportPlan, planImport } from "../catalogue/planImport.ts"
export {
  compareSkus, mostFileFaults, mostImportRows, type ProductImportRefusal, productSheet, readProductSheet, type SheetProduct
} from "../catalogue/productSheet.ts"
export { foldText } from "../search/foldText.ts"
export { toLatin } from "../search/toLatin.ts"
export type { Sheet, SheetCell, SheetRow } from "../spreadsheets/Sheet.ts"
export { guardText, unguardText } from "../spreadsheets/formulaGuard.ts"
