import { Equal, Result } from "effect"
import * as fc from "fast-check"
import { planImport } from "../../src/catalogue/planImport.ts"
import type { ProductContent } from "../../src/catalogue/Product.ts"
import { mostImportRows, readProductCsv, writeProductCsv } from "../../src/catalogue/productCsv.ts"
import { formatDecimal } from "../../src/money/formatDecimal.ts"
import { catalogue, productContent, productId } from "../arbitraries/Product.ts"
import { rule } from "./ruleBook.ts"

const header = "sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive"

/** A product as plain text, to compare what was read with what was written. */
const told = (product: ProductContent): string =>
  JSON.stringify({ ...product, grossUnitPrice: formatDecimal(product.grossUnitPrice) })

const sameProducts = (left: ReadonlyArray<ProductContent>, right: ReadonlyArray<ProductContent>): boolean =>
  Equal.equals(left.map(told).sort(), right.map(told).sort())

/** What a file holds, or the code or pointers it is refused with. */
const refusalOf = (file: string): string => {
  const answer = readProductCsv(file)
  if (Result.isSuccess(answer)) return "taken"
  return "code" in answer.failure ? answer.failure.code : answer.failure.faults.map(({ pointer }) => pointer).join(" ")
}

rule("CATALOGUE-1", {
  says: "An export taken back by an import is the same catalogue; equal catalogues export equal bytes.",
  source: "Spec, Catalogue operations (export: deterministic, same format as import)"
}, ({ holds, holdsForEvery }) => {
  holds("any catalogue, with every letter a file could stumble over", { products: catalogue() }, ({ products }) => {
    const read = readProductCsv(writeProductCsv(products))
    return Result.isSuccess(read) && sameProducts(read.success, products)
  })
  holds("the order of the products makes no difference to the file", {
    pair: catalogue().chain((products) => fc.tuple(fc.constant(products), fc.shuffledSubarray([...products], { minLength: products.length })))
  }, ({ pair: [products, shuffled] }) => writeProductCsv(products) === writeProductCsv(shuffled))
  holds("the file starts with the header and has the prices with a point and two decimals", { products: catalogue(1) }, ({ products }) => {
    const file = writeProductCsv(products)
    return file.startsWith(`${header}\n`) && file.endsWith("\n") && products.every(({ grossUnitPrice }) => file.includes(`,${formatDecimal(grossUnitPrice, 2)},`))
  })
  holdsForEvery("a product written out", [["001,\"Хлеб, бели\",8600000000015,kom,120.50,Ђ|Е,true"]], ([row]) => {
    const read = readProductCsv(`${header}\n${row}\n`)
    return Result.isSuccess(read) && writeProductCsv(read.success) === `${header}\n${row}\n` &&
      told(read.success[0] as ProductContent) ===
        "{\"sku\":\"001\",\"gtin\":\"8600000000015\",\"name\":\"Хлеб, бели\",\"unitOfMeasure\":\"kom\",\"grossUnitPrice\":\"120.5\",\"taxLabels\":[\"Ђ\",\"Е\"],\"isActive\":true}"
  })
})

/** How a spreadsheet may write the same table. */
interface Dialect {
  readonly mark: boolean
  readonly declared: boolean
  readonly separator: "," | ";" | "\t"
  readonly newline: "\n" | "\r\n" | "\r"
  readonly quotes: "ALL" | "NEEDED"
  readonly comma: boolean
  readonly active: (value: boolean) => string
  readonly blankRows: number
  readonly lastNewline: boolean
  readonly columns: ReadonlyArray<number>
}

const dialect: fc.Arbitrary<Dialect> = fc.record({
  mark: fc.boolean(),
  declared: fc.boolean(),
  separator: fc.constantFrom(",", ";", "\t"),
  newline: fc.constantFrom("\n", "\r\n", "\r"),
  quotes: fc.constantFrom("ALL", "NEEDED"),
  comma: fc.boolean(),
  active: fc.constantFrom((value: boolean) => String(value), (value: boolean) => String(value).toUpperCase(), (value: boolean) => (value ? "1" : "0")),
  blankRows: fc.integer({ min: 0, max: 2 }),
  lastNewline: fc.boolean(),
  columns: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 })
})

/** Writes products in a dialect, independently of the code under test. */
const writeIn = (how: Dialect, products: ReadonlyArray<ProductContent>): string => {
  const cell = (value: string): string =>
    how.quotes === "ALL" || /[,;"\t\r\n]/.test(value) ? `"${value.split("\"").join("\"\"")}"` : value
  const row = (cells: ReadonlyArray<string>): string => how.columns.map((column) => cell(cells[column] ?? "")).join(how.separator)
  const rows = products.map((product) => {
    const price = formatDecimal(product.grossUnitPrice)
    return row([
      product.sku,
      product.name,
      product.gtin ?? "",
      product.unitOfMeasure ?? "",
      how.comma ? price.replace(".", ",") : price,
      product.taxLabels.join("|"),
      how.active(product.isActive)
    ])
  })
  const lines = [
    ...(how.declared ? [`sep=${how.separator}`] : []),
    row(header.split(",")),
    ...rows,
    ...Array.from({ length: how.blankRows }, () => how.separator.repeat(6))
  ]
  return (how.mark ? "\uFEFF" : "") + lines.join(how.newline) + (how.lastNewline ? how.newline : "")
}

rule("CATALOGUE-2", {
  says: "A file is read as any spreadsheet writes it: byte-order mark, sep= line, commas, semicolons or tabs, any line end, decimal point or " +
    "comma, quotes, columns in any order, blank rows; texts are taken as they stand.",
  source: "Spec, Catalogue operations (import); Decisions §1 (strings are neither trimmed nor normalized)"
}, ({ holds, holdsForEvery }) => {
  holds("every dialect of one catalogue holds the same products", { products: catalogue(), how: dialect }, ({ products, how }) => {
    const read = readProductCsv(writeIn(how, products))
    return Result.isSuccess(read) && sameProducts(read.success, products)
  })
  holdsForEvery("names of columns may be written in capitals and with blanks around them, nameless columns may be empty", [
    `SKU, Name,gtin ,UNITOFMEASURE,grossUnitPrice,TaxLabels,ISACTIVE\na,b,,kom,1,Ђ,true\n`,
    `${header},,\na,b,,kom,1,Ђ,true,,\n`
  ], (file) => refusalOf(file) === "taken")
  holds("whatever is sent, the answer is products or a refusal, never a crash", { file: fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.constantFrom(header, "\n", "\r\n", "\"", ",", ";", "a", "sep=;", "\uFEFF", "1,5", "true", "Ђ|Ђ")).map((parts) => parts.join(""))) },
    ({ file }) => Result.isSuccess(readProductCsv(file)) || refusalOf(file) !== "")
})

rule("CATALOGUE-3", {
  says: "A file without exactly the columns of an export is refused, naming what is missing, unknown or written twice.",
  source: "Spec, Errors, Catalogue (the export is the template)",
  proves: ["CATALOGUE_IMPORT_HEADERS_INVALID"]
}, ({ holdsForEvery }) => {
  const columns = header.split(",")
  const named = (file: string) => {
    const answer = readProductCsv(file)
    if (Result.isSuccess(answer) || !("code" in answer.failure) || answer.failure.code !== "CATALOGUE_IMPORT_HEADERS_INVALID") return null
    return answer.failure
  }
  holdsForEvery("each column left out", columns, (column) =>
    named(`${columns.filter((other) => other !== column).join(",")}\n`)?.missing.join() === column)
  holdsForEvery("each column written twice", columns, (column) => named(`${header},${column}\n`)?.repeated.join() === column)
  holdsForEvery("a column that is no field of a product", ["price", "skü", "taxLabel"], (column) => named(`${header},${column}\n`)?.unexpected.join() === column)
  holdsForEvery("of very many or very long unknown columns the first are named, shortened", [`${header}${",x".repeat(50_000)}\n`, `${header},${"x".repeat(50_000)}\n`], (file) => {
    const unexpected = named(file)?.unexpected ?? []
    return unexpected.length > 0 && unexpected.length <= 20 && unexpected.every((column) => column.startsWith("x") && column.length <= 100)
  })
  holdsForEvery("no header at all", ["", "\n\n", "\uFEFF", "sep=;\n", "a,b,,kom,1,Ђ,true\n", "\"sku\n"], (file) =>
    named(file)?.missing.length === 7 && named(file)?.expected.join() === header)
})

const rowsOf = (count: number): string => Array.from({ length: count }, (_, at) => `s${at},n,,kom,1,Ђ,true\n`).join("")

rule("CATALOGUE-4", {
  says: "One import takes 1 to 1,000 products; blank rows are none.",
  source: "Spec, Limits; Resources, ProductImportResult (total 1..1000)",
  proves: ["CATALOGUE_IMPORT_TOO_MANY_ROWS"]
}, ({ holdsForEvery }) => {
  const sizes: ReadonlyArray<readonly [string, string]> = [
    [rowsOf(1), "taken"],
    [rowsOf(1000), "taken"],
    [`${rowsOf(1000)}\n,,,,,,\n`, "taken"],
    [rowsOf(1001), "CATALOGUE_IMPORT_TOO_MANY_ROWS"],
    [rowsOf(5000), "CATALOGUE_IMPORT_TOO_MANY_ROWS"],
    // Too many rows is said before what is wrong in them.
    [`${rowsOf(1001)}broken`, "CATALOGUE_IMPORT_TOO_MANY_ROWS"],
    ["", "/rows"],
    [",,,,,,\n\n", "/rows"]
  ]
  holdsForEvery("up to the limit and beyond it", sizes, ([rows, answer]) => refusalOf(`${header}\n${rows}`) === answer)
  holdsForEvery("the refusal names the limit", [rowsOf(1001)], (rows) => {
    const answer = readProductCsv(`${header}\n${rows}`)
    return mostImportRows === 1000 && Result.isFailure(answer) && "limit" in answer.failure && answer.failure.limit === 1000
  })
})

rule("CATALOGUE-5", {
  says: "An import is all or nothing: one wrong cell refuses the file, and every wrong cell is named by its row, column and line.",
  source: "Spec, Catalogue operations (import: all or nothing; bounds of create); Decisions §1, Problem body"
}, ({ holds, holdsForEvery }) => {
  const long = (count: number): string => "x".repeat(count)
  const cells: ReadonlyArray<readonly [string, string]> = [
    [`${long(100)},n,,kom,1,Ђ,true`, "taken"],
    [`${long(101)},n,,kom,1,Ђ,true`, "/rows/1/sku"],
    [",n,,kom,1,Ђ,true", "/rows/1/sku"],
    [`b,${long(500)},${long(32)},${long(50)},999999999999.99,Ђ,true`, "taken"],
    [`b,${long(501)},${long(33)},${long(51)},1000000000000,Ђ,true`, "/rows/1/grossUnitPrice /rows/1/gtin /rows/1/name /rows/1/unitOfMeasure"],
    ["b,,,kom,1,Ђ,true", "/rows/1/name"],
    ["b,n,,,1,Ђ,true", "taken"],
    ["b,n,8.60E+12,kom,1,Ђ,true", "/rows/1/gtin"],
    ["b,n,,kom,\"1,5\",Ђ,true", "taken"],
    ["b,n,,kom,0,Ђ,false", "taken"],
    ["b,n,,kom,1.005,Ђ,true", "/rows/1/grossUnitPrice"],
    ["b,n,,kom,\"1.234,50\",Ђ,true", "/rows/1/grossUnitPrice"],
    ["b,n,,kom,\"1,234\",Ђ,true", "/rows/1/grossUnitPrice"],
    ["b,n,,kom,-1,Ђ,true", "/rows/1/grossUnitPrice"],
    ["b,n,,kom,1e3,Ђ,true", "/rows/1/grossUnitPrice"],
    ["b,n,,kom, 1,Ђ,true", "/rows/1/grossUnitPrice"],
    ["b,n,,kom,,Ђ,true", "/rows/1/grossUnitPrice"],
    ["b,n,,kom,1,,true", "/rows/1/taxLabels"],
    ["b,n,,kom,1,Ђ|Ђ,true", "/rows/1/taxLabels"],
    ["b,n,,kom,1,Ђ|,true", "/rows/1/taxLabels/1"],
    ["b,n,,kom,1,Ђ,yes", "/rows/1/isActive"],
    ["b,n,,kom,1,Ђ", "/rows/1/isActive"],
    ["b,n,,kom,1,Ђ,true,more", "/rows/1"],
    ["b,n,,kom,1,5,Ђ,true", "/rows/1"],
    [`b,n,,kom,1,Ђ,true${",".repeat(993)}`, "taken"],
    [`b,n,,kom,1,Ђ,true${",".repeat(994)}`, "/rows/1"],
    ["b,\"a\nb\",,kom,1,Ђ,true", "/rows/1/name"],
    ["b,\"n,,kom,1,Ђ,true", "/rows/1"],
    ["b,\"n\"x,,kom,1,Ђ,true", "/rows/1"],
    ["b,5\" цев,,kom,1,Ђ,true", "taken"],
    ["a,n,,kom,1,Ђ,true", "/rows/1/sku"]
  ]
  holdsForEvery("a second row with this or that in it", cells, ([row, answer]) => {
    const found = refusalOf(`${header}\na,n,,kom,1,Ђ,true\n${row}\n`)
    return found.split(" ").sort().join(" ") === answer
  })
  holdsForEvery("the line of the file is told, quoted line ends and blank rows counted", [`\uFEFFsep=,\n${header}\n\na,"x\r\ny",,kom,1,Ђ,true\r\nb,n,,kom,z,Ђ,true\n`], (file) => {
    const answer = readProductCsv(file)
    if (Result.isSuccess(answer) || !("faults" in answer.failure)) return false
    const [name, price] = answer.failure.faults
    return name?.pointer === "/rows/0/name" && name.key === "Rows.Name" && name.message.endsWith("(line 4 of the file)") &&
      price?.pointer === "/rows/1/grossUnitPrice" && price.message === "must be a price like 1234.50 or 1234,50, without separators of thousands (line 6 of the file)"
  })
  holdsForEvery("an empty cell that must not be empty is told so in the file's words", ["sku", "name"], (column) => {
    const answer = readProductCsv(`${header}\n${column === "sku" ? ",n" : "a,"},,kom,1,Ђ,true\n`)
    return Result.isFailure(answer) && "faults" in answer.failure && answer.failure.faults[0]?.message === "must not be empty (line 2 of the file)"
  })
  holdsForEvery("a sku that stands twice names the line it stood on first", [`${header}\na,n,,kom,1,Ђ,true\nb,n,,kom,1,Ђ,true\na,m,,kom,2,Ђ,true\n`], (file) => {
    const answer = readProductCsv(file)
    return Result.isFailure(answer) && "faults" in answer.failure && answer.failure.faults[0]?.message === "repeats the sku of line 2 (line 4 of the file)"
  })
  holds("one broken row among good ones takes the whole file with it", { products: catalogue(6), at: fc.nat() }, ({ products, at }) => {
    const index = at % products.length
    const broken = products.map((product, place) => (place === index ? { ...product, taxLabels: [] } : product))
    const bySku = writeProductCsv(products)
    return refusalOf(bySku) === "taken" && /^\/rows\/\d+\/taxLabels$/.test(refusalOf(writeProductCsv(broken)))
  })
})

rule("CATALOGUE-6", {
  says: "An import makes a product of every new sku and replaces the product of every known one; it never touches another.",
  source: "Spec, Catalogue operations; Resources, ProductImportResult"
}, ({ holds }) => {
  const known = catalogue().map((products) => products.map(({ sku }, at) => ({ id: productId(at + 1), sku })))
  holds("what is created and updated together is the file, and each update goes to the product of its sku", { known, rows: catalogue(), more: productContent },
    ({ known: stored, rows, more }) => {
      const [first] = stored
      const file = [...rows.filter(({ sku }) => sku !== first?.sku), { ...more, sku: first?.sku ?? more.sku }]
      const plan = planImport(stored, file)
      const skuOf = new Map(stored.map(({ id, sku }) => [id, sku]))
      return plan.created.length + plan.updated.length === plan.total && plan.total === file.length && plan.updated.length > 0 &&
        plan.created.every(({ sku }) => !stored.some((product) => product.sku === sku)) &&
        plan.updated.every(({ id, content }) => skuOf.get(id) === content.sku) &&
        sameProducts([...plan.created, ...plan.updated.map(({ content }) => content)], file)
    })
})
