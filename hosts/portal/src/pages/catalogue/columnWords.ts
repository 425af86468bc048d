import type { ProductColumn, ProductContent } from "@overa/domain"
import { amount } from "../../language/formats.ts"
import type { Say } from "../../language/Language.ts"

const names: Readonly<Record<ProductColumn, readonly [serbian: string, english: string]>> = {
  sku: ["Шифра", "SKU"],
  name: ["Назив", "Name"],
  gtin: ["Бар-код (GTIN)", "Barcode (GTIN)"],
  unitOfMeasure: ["Јединица мере", "Unit of measure"],
  grossUnitPrice: ["Цена са порезом, RSD", "Price with tax, RSD"],
  taxLabels: ["Пореске ознаке", "Tax labels"],
  isActive: ["Активан", "Active"]
}

/** The name of a column. */
export const columnWords = (say: Say, column: ProductColumn): string => say(...names[column])

/** The value of a product in a column, as readers write it. */
export const shownCell = (say: Say, product: ProductContent, column: ProductColumn): string => {
  switch (column) {
    case "grossUnitPrice":
      return amount(product.grossUnitPrice)
    case "taxLabels":
      return product.taxLabels.join(", ")
    case "isActive":
      return product.isActive ? say("Да", "Yes") : say("Не", "No")
    default:
      return product[column] ?? "–"
  }
}
