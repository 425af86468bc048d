import { Result } from "effect"
import * as fc from "fast-check"
import { asProductSheet, columnFaults, guessColumns, hasOwnHeader, plainPrice } from "../../src/catalogue/foreignSheet.ts"
import { productColumns } from "../../src/catalogue/productRow.ts"
import { readProductSheet } from "../../src/catalogue/productSheet.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { inThousands } from "../../src/money/decimals.ts"
import { rule } from "./ruleBook.ts"

const heads = ["Šifra", "НАЗИВ артикла", "Dobavljač", "JM", "Cena (RSD)", "Poreska oznaka"]
const row = (price: string, label = "Ђ") => ({ number: 3, cells: ["A-1", "Чај", "Зора", "ком", price, label] })
const sheetOf = (...rows: ReadonlyArray<ReturnType<typeof row>>) => ({ rows: [{ number: 1, cells: heads }, ...rows], fault: null })
const read = (...rows: ReadonlyArray<ReturnType<typeof row>>) => readProductSheet(asProductSheet(sheetOf(...rows), guessColumns(heads)))

rule("CATALOGUE-FOREIGN-1", {
  says: "A price of a file has one meaning or is refused: thousands with points and two decimals after a comma, or the other way round, or no thousands at all.",
  source: "Decisions §11"
}, ({ holds, holdsForEvery }) => {
  const paras = fc.bigInt({ min: 0n, max: 10n ** 11n })
  holds("every price as Serbian readers write it is read as it is meant", { paras, ending: fc.constantFrom("", " RSD", " дин.", "\u00A0din") }, ({ ending, paras: amount }) => {
    const [whole, rest] = [String(amount / 100n), String(amount % 100n).padStart(2, "0")]
    const found = read(row(`${inThousands(whole)},${rest}${ending}`))
    return Result.isSuccess(found) && formatDecimal(found.success[0]?.content.grossUnitPrice as never, 2) === `${whole}.${rest}`
  })
  const told = [["2.399,99", "2399,99"], ["2,399.99", "2399.99"], ["1.250.000", "1250000"], ["129,9", "129,9"], ["2.399", "2.399?"], ["2,399", "2,399?"], ["1.000", "1.000?"], ["1.2.3", "1.2.3"], ["12.34,5", "12.34,5"], ["abc", "abc"]] as const
  holdsForEvery("what has one meaning, and what is left as it is", told, ([cell, plain]) => plainPrice(cell) === plain)
  holdsForEvery("what has two meanings is refused, with all other faults at once", [["2.399", "2,399"], ["1.000", "250,000"]], ([one = "", other = ""]) => {
    const found = read(row(one), { ...row(other), number: 4 }, { ...row("1,00", ""), number: 7 })
    return Result.isFailure(found) && "faults" in found.failure && found.failure.faults.map(({ pointer }) => pointer).join() === "/rows/3/grossUnitPrice,/rows/4/grossUnitPrice,/rows/7/taxLabels"
  })
})

rule("CATALOGUE-FOREIGN-2", {
  says: "A person's columns are found by their Serbian headings, in either script; only the barcode and the activity may be left out.",
  source: "Decisions §11"
}, ({ holdsForEvery }) => {
  holdsForEvery("headings of a price list", [heads], (given) => guessColumns(given).join() === "sku,name,,unitOfMeasure,grossUnitPrice,taxLabels")
  const shops = [
    [["ID", "Type", "SKU", "GTIN, UPC, EAN, or ISBN", "Name", "Published", "Is featured?", "Tax status", "Tax class", "Sale price", "Regular price", "Categories"], ",,sku,gtin,name,isActive,,,,,grossUnitPrice,"],
    [["Handle", "Title", "Body (HTML)", "Vendor", "Type", "Published", "Variant SKU", "Variant Grams", "Variant Price", "Variant Compare At Price", "Variant Barcode", "Status"], ",name,,,,isActive,sku,,grossUnitPrice,,gtin,"],
    [["External ID", "Name", "Internal Reference", "Barcode", "Sales Price", "Cost", "Unit of Measure", "Customer Taxes"], ",name,sku,gtin,grossUnitPrice,,unitOfMeasure,"],
    [["id", "name", "default_code", "barcode", "list_price", "standard_price", "uom_id"], ",name,sku,gtin,grossUnitPrice,,unitOfMeasure"]
  ] as const
  holdsForEvery("headings of WooCommerce, Shopify and Odoo, whose own numbers are no SKU", shops, ([given, columns]) => guessColumns(given).join() === columns)
  holdsForEvery("an export's own header is known in any order", [[...productColumns].reverse()], (given) => hasOwnHeader(given) && !hasOwnHeader(given.slice(1)) && !hasOwnHeader([...given, "x"]))
  holdsForEvery("what is missing and what is twice", [["sku", "sku", null] as const], (columns) => {
    const { missing, repeated } = columnFaults(columns)
    return missing.join() === "name,unitOfMeasure,grossUnitPrice,taxLabels" && repeated.join() === "sku"
  })
  const answers = [["да", "true"], ["TAČNO", "true"], ["Не", "false"], ["нетачно", "false"], ["можда", "можда"]] as const
  holdsForEvery("answers in either script", answers, ([cell, plain]) =>
    asProductSheet({ rows: [{ number: 1, cells: ["Активан"] }, { number: 2, cells: [cell] }], fault: null }, ["isActive"]).rows[1]?.cells.at(-1) === plain)
  holdsForEvery("labels parted in any way, a cell without a heading is named", [row("1,00", "Ђ; Е, A")], (given) => {
    const product = asProductSheet(sheetOf(given, { number: 5, cells: [...row("1,00").cells, "stray"] }), guessColumns(heads))
    return product.rows[1]?.cells[5] === "Ђ|Е|A" && product.rows[2]?.cells.at(-1) === "stray" && Result.isFailure(readProductSheet(product))
  })
})
