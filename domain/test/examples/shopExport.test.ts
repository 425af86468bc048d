import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { asProductSheet, columnFaults, guessColumns } from "../../src/catalogue/foreignSheet.ts"
import { readProductSheet } from "../../src/catalogue/productSheet.ts"
import { settleShopExport } from "../../src/catalogue/shopExport.ts"
import { formatDecimal } from "../../src/money/decimals.ts"

// The headings of real exports, whole and in their order; the products are our own.
const woocommerce = "ID|Type|SKU|GTIN, UPC, EAN, or ISBN|Name|Published|Is featured?|Visibility in catalog|Short description|Description|Date sale price starts|Date sale price ends|Tax status|Tax class|In stock?|Stock|Low stock amount|Backorders allowed?|Sold individually?|Weight (kg)|Length (cm)|Width (cm)|Height (cm)|Allow customer reviews?|Purchase note|Sale price|Regular price|Categories|Tags|Shipping class|Images|Download limit|Download expiry days|Parent|Grouped products|Upsells|Cross-sells|External URL|Button text|Position|Attribute 1 name|Attribute 1 value(s)|Attribute 1 visible|Attribute 1 global|Download 1 ID|Download 1 name|Download 1 URL"
const shopify = "Handle|Title|Body (HTML)|Vendor|Product Category|Type|Tags|Published|Option1 Name|Option1 Value|Option1 Linked To|Option2 Name|Option2 Value|Option2 Linked To|Option3 Name|Option3 Value|Option3 Linked To|Variant SKU|Variant Grams|Variant Inventory Tracker|Variant Inventory Qty|Variant Inventory Policy|Variant Fulfillment Service|Variant Price|Variant Compare At Price|Variant Requires Shipping|Variant Taxable|Variant Barcode|Image Src|Image Position|Image Alt Text|Gift Card|SEO Title|SEO Description|Google Shopping / Google Product Category|Google Shopping / Gender|Google Shopping / Age Group|Google Shopping / MPN|Google Shopping / Condition|Google Shopping / Custom Product|Google Shopping / Custom Label 0|Variant Image|Variant Weight Unit|Variant Tax Code|Cost per item|Included / International|Price / International|Compare At Price / International|Status"
const shopifyNew = "Title|URL handle|Description|Vendor|Product category|Type|Tags|Published on online store|Status|SKU|Barcode|Option1 name|Option1 value|Option2 name|Option2 value|Option3 name|Option3 value|Price|Compare-at price|Cost per item|Charge tax|Tax code|Inventory tracker|Inventory quantity|Continue selling when out of stock|Weight value (grams)|Weight unit for display|Requires shipping|Fulfillment service|Product image URL|Image position|Image alt text|Variant image URL|Gift card|SEO title|SEO description"
const odoo = "External ID|Name|Product Type|Internal Reference|Barcode|Sales Price|Cost|Weight|Sales Description|Product Values|Unit of Measure"

const fixed = { unitOfMeasure: "ком", taxLabels: "Ђ" }

/** The sheet of an export: each row names the cells that it fills. */
const sheetOf = (headings: string, rows: ReadonlyArray<Readonly<Record<string, string>>>) => {
  const heads = headings.split("|")
  const unknown = rows.flatMap((row) => Object.keys(row)).filter((head) => !heads.includes(head))
  expect(unknown).toEqual([])
  return { rows: [{ number: 1, cells: heads }, ...rows.map((row, at) => ({ number: at + 2, cells: heads.map((head) => row[head] ?? "") }))], fault: null }
}

const read = (headings: string, rows: ReadonlyArray<Readonly<Record<string, string>>>, given: Partial<typeof fixed> = fixed) => {
  const columns = guessColumns(headings.split("|"))
  expect(columnFaults(columns, given)).toEqual({ missing: [], repeated: [] })
  const found = readProductSheet(asProductSheet(settleShopExport(sheetOf(headings, rows)), columns, given))
  if (Result.isFailure(found)) return expect.unreachable(JSON.stringify(found.failure))
  return found.success.map(({ content: { grossUnitPrice, gtin, isActive, name, sku, taxLabels, unitOfMeasure } }) =>
    [sku, name, gtin ?? "–", formatDecimal(grossUnitPrice, 2), unitOfMeasure, taxLabels.join("|"), isActive].join("; "))
}

describe("an export of a shop program becomes products", () => {
  it("WooCommerce: variations are sold and their parent is not; a draft is not active", () => {
    expect(read(woocommerce, [
      { ID: "44", Type: "variable", SKU: "MAJ", Name: "Мајица", Published: "1", "Attribute 1 name": "Боја", "Attribute 1 value(s)": "плава, црвена" },
      { ID: "45", Type: "simple", SKU: "CAJ-1", "GTIN, UPC, EAN, or ISBN": "8600000000013", Name: "Чај", Published: "1", "Sale price": "199", "Regular price": "249.90" },
      { ID: "46", Type: "simple, virtual", SKU: "KURS", Name: "Курс", Published: "-1", "Regular price": "5000" },
      { ID: "47", Type: "grouped", SKU: "SET", Name: "Поклон", Published: "1", "Grouped products": "CAJ-1" },
      { ID: "48", Type: "variation", SKU: "MAJ-P", Name: "Мајица - плава", Published: "1", "Regular price": "1450", Parent: "MAJ" }
    ])).toEqual(["CAJ-1; Чај; 8600000000013; 249.90; ком; Ђ; true", "KURS; Курс; –; 5000.00; ком; Ђ; false", "MAJ-P; Мајица - плава; –; 1450.00; ком; Ђ; true"])
  })

  it("Shopify: what only the first row of a product says is true of its variants; a row for a picture is no product", () => {
    expect(read(shopify, [
      { Handle: "majica", Title: "Мајица", Published: "TRUE", "Option1 Name": "Величина", "Option1 Value": "S", "Option2 Value": "плава", "Variant SKU": "'0012", "Variant Price": "1450.00", "Variant Barcode": "'8600000000013", Status: "active" },
      { Handle: "majica", "Option1 Value": "M", "Option2 Value": "плава", "Variant SKU": "0013", "Variant Price": "1550.00" },
      { Handle: "majica", "Image Src": "https://cdn.example/2.jpg", "Image Position": "2" },
      { Handle: "caj", Title: "Чај", Published: "TRUE", "Option1 Value": "Default Title", "Variant SKU": "CAJ-1", "Variant Price": "249.90", Status: "draft" }
    ])).toEqual(["0012; Мајица – S / плава; 8600000000013; 1450.00; ком; Ђ; true", "0013; Мајица – M / плава; –; 1550.00; ком; Ђ; true", "CAJ-1; Чај; –; 249.90; ком; Ђ; false"])
  })

  it("Shopify's newer headings", () => {
    expect(read(shopifyNew, [
      { Title: "Мајица", "URL handle": "majica", "Published on online store": "TRUE", Status: "Active", SKU: "MAJ-S", "Option1 value": "S", Price: "1450", "Compare-at price": "1800" },
      { "URL handle": "majica", SKU: "MAJ-M", "Option1 value": "M", Price: "1450" },
      { Title: "Чај", "URL handle": "caj", "Published on online store": "FALSE", Status: "Active", SKU: "CAJ-1", Price: "249.9" }
    ])).toEqual(["MAJ-S; Мајица – S; –; 1450.00; ком; Ђ; true", "MAJ-M; Мајица – M; –; 1450.00; ком; Ђ; true", "CAJ-1; Чај; –; 249.90; ком; Ђ; false"])
  })

  it("Odoo: its own unit is taken, and the label is one for all", () => {
    expect(read(odoo, [
      { "External ID": "zora_1", Name: "Чај", "Product Type": "Goods", "Internal Reference": "CAJ-1", Barcode: "8600000000013", "Sales Price": "249.90", Cost: "120", "Unit of Measure": "kg" }
    ], { taxLabels: "Ђ" })).toEqual(["CAJ-1; Чај; 8600000000013; 249.90; kg; Ђ; true"])
  })

  it("without a unit or label for all, those are named as missing; a column of the file counts more than what is given for all", () => {
    expect(columnFaults(guessColumns(woocommerce.split("|"))).missing).toEqual(["unitOfMeasure", "taxLabels"])
    expect(columnFaults(guessColumns(woocommerce.split("|")), { unitOfMeasure: " ", taxLabels: "Ђ" }).missing).toEqual(["unitOfMeasure"])
    expect(read(odoo, [{ Name: "Чај", "Internal Reference": "CAJ-1", "Sales Price": "249.90", "Unit of Measure": "kg" }])).toEqual(["CAJ-1; Чај; –; 249.90; kg; Ђ; true"])
  })
})
