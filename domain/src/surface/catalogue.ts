/** Products, their files, and searching in any script. */
export { type Product, type ProductContent, ProductId, Sku, takeSku } from "../catalogue/Product.ts"
export {
  decodeNewProduct, decodeProductReplacement, type NewProduct, NewProductShape, otherProductFaults, ProductReplacementShape
} from "../catalogue/ProductRequest.ts"
export {
  CatalogueImportHeadersInvalid, CatalogueImportTooManyRows, CatalogueSkuAlreadyExists, ProductChanged, ProductNotFound
} from "../catalogue/errors.ts"
export { digitExpectedInGtin } from "../catalogue/digitExpectedInGtin.ts"
export { type ImportChanges, importChanges, type ImportPlan, planImport, type ProductChange, seenBefore } from "../catalogue/planImport.ts"
export { type ProductColumn, productColumns, toCells } from "../catalogue/productRow.ts"
export { matchesSearch, productTexts } from "../catalogue/matchesSearch.ts"
export {
  compareSkus, mostFileFaults, mostImportRows, type ProductImportRefusal, productSheet, readProductSheet, type SheetProduct
} from "../catalogue/productSheet.ts"
export { asProductSheet, columnFaults, type FixedCells, fixedColumns, guessColumns, hasOwnHeader, plainPrice } from "../catalogue/foreignSheet.ts"
export { settleShopExport } from "../catalogue/shopExport.ts"
export { foldText, toLatin } from "../search/foldText.ts"
export { type BookSheet, guardText, type Sheet, type SheetCell, type SheetDate, type SheetRow, unguardText } from "../spreadsheets/Sheet.ts"
