import { Equal, Result } from "effect"
import * as fc from "fast-check"
import { planImport } from "../../src/catalogue/planImport.ts"
import type { ProductContent } from "../../src/catalogue/Product.ts"
import { compareSkus, mostImportRows, type ProductImportRefusal, productSheet, readProductSheet } from "../../src/catalogue/productSheet.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { guardText, type Sheet, unguardText } from "../../src/spreadsheets/Sheet.ts"
import { catalogue, productContent, productId } from "../arbitraries/Product.ts"
import { rule } from "./ruleBook.ts"

const header = ["sku", "name", "gtin", "unitOfMeasure", "grossUnitPrice", "taxLabels", "isActive"]
const good = ["a", "n", "", "kom", "1", "Ђ", "true"]

/** Rows as a reader of files passes them on: numbered from 1, blank ones left out. */
const sheetOf = (rows: ReadonlyArray<ReadonlyArray<string>>): Sheet => ({
  rows: rows.map((cells, at) => ({ number: at + 1, cells })).filter(({ cells }) => cells.some((cell) => cell !== "")),
  fault: null
})

/** A product as plain text, to compare what was read with what was written. */
const told = (product: ProductContent): string =>
  JSON.stringify({ ...product, grossUnitPrice: formatDecimal(product.grossUnitPrice) })

const sameProducts = (left: ReadonlyArray<ProductContent>, right: ReadonlyArray<ProductContent>): boolean =>
  Equal.equals(left.map(told).sort(), right.map(told).sort())

const readBack = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ProductContent> | null => {
  const read = readProductSheet(sheetOf(rows))
  return Result.isSuccess(read) ? read.success.map(({ content }) => content) : null
}

const failureOf = (rows: ReadonlyArray<ReadonlyArray<string>>): ProductImportRefusal | null => {
  const read = readProductSheet(sheetOf(rows))
  return Result.isFailure(read) ? read.failure : null
}

/** The content of a sheet, or the code or pointers with which it is refused. */
const refusalOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const failure = failureOf(rows)
  if (failure === null) return "taken"
  return "code" in failure ? failure.code : failure.faults.map(({ pointer }) => pointer).sort().join(" ")
}

rule("CATALOGUE-1", {
  says: "An export taken back by an import is the same catalogue, and exported again it is the same file; no cell of it runs as a formula.",
  source: "Spec, Catalogue operations (export: deterministic, same format as import); Decisions §11"
}, ({ holds, holdsForEvery }) => {
  holds("any catalogue, with every text a product can hold", { products: catalogue() }, ({ products }) => {
    const sheet = productSheet(products)
    const read = readBack(sheet)
    return read !== null && sameProducts(read, products) && Equal.equals(productSheet(read), sheet)
  })
  holds("the order of the products makes no difference to the file", {
    pair: catalogue().chain((products) => fc.tuple(fc.constant(products), fc.shuffledSubarray([...products], { minLength: products.length })))
  }, ({ pair: [products, shuffled] }) => Equal.equals(productSheet(products), productSheet(shuffled)))
  holds("rows are ordered by sku, code point by code point, letter case told apart", { skus: fc.uniqueArray(fc.oneof(fc.string({ minLength: 1, unit: "binary" }), fc.constantFrom("a", "A", "B", "b", "ab", "А", "\uFFFD", "👩")), { minLength: 2 }) },
    ({ skus }) => {
      const points = (text: string): string => [...text].map((one) => (one.codePointAt(0) ?? 0).toString(16).padStart(6, "0")).join("")
      return Equal.equals(skus.toSorted(compareSkus), skus.toSorted((left, right) => (points(left) < points(right) ? -1 : 1)))
    })
  holdsForEvery("an export has this order, however its products come", [["b", "a", "B", "A"], ["A", "b", "a", "B"]], (skus) => {
    const [one] = fc.sample(productContent, { numRuns: 1, seed: 1 }) as [ProductContent]
    return productSheet(skus.map((sku) => ({ ...one, sku: sku as ProductContent["sku"] }))).slice(1).map(([sku]) => sku).join("") === "ABab"
  })
  holdsForEvery("capitals stand before small letters, digits before both", [["b", "a", "B", "A", "1", "Б"]], (skus) => skus.toSorted(compareSkus).join("") === "1ABabБ")
  holds("prices have a point and two decimals, whatever their size", { products: catalogue(1) }, ({ products }) =>
    products.every(({ grossUnitPrice }) => productSheet(products)[1]?.[4] === formatDecimal(grossUnitPrice, 2) && /^\d+\.\d\d$/.test(productSheet(products)[1]?.[4] ?? "")))
  holds("a text has one cell of its own, in which nothing begins that a spreadsheet would run, also after a semicolon or a tab", { text: fc.oneof(fc.string(), fc.tuple(fc.constantFrom("=", "+", "-", "@", "\t", "\r", "'=", "''+", "'", " =", "＝"), fc.string()).map((parts) => parts.join("")), fc.array(fc.constantFrom("=", "-", ";", "\t", "\r", "\n", "'", " ", "a"), { maxLength: 9 }).map((parts) => parts.join(""))) },
    ({ text }) => unguardText(guardText(text)) === text && !/^[\t\r]/u.test(guardText(text)) && guardText(text).split(/[;\t\r\n]/u).every((part) => !/^\s*[=+\-@＝]/u.test(part)))
  const guards: ReadonlyArray<readonly [string, string]> = [["=1", "'=1"], ["+381", "'+381"], ["-5", "'-5"], ["@x", "'@x"], ["'=1", "''=1"], ["'тис", "'тис"], ["a=1", "a=1"], ["", ""],
    ["чај;=1", "чај;'=1"], ["чај\t @x", "чај\t' @x"], ["чај; бели", "чај; бели"], ["a;'=1", "a;''=1"], ["a\r\n-1", "a\r\n'-1"]]
  holdsForEvery("only where a formula could begin there is an apostrophe", guards, ([text, cell]) => guardText(text) === cell)
  holdsForEvery("a product written out", [["001", "Хлеб, бели", "8600000000015", "kom", "120.50", "Ђ|Е", "true"]], (row) => {
    const read = readBack([header, row])
    return read !== null && Equal.equals(productSheet(read), [header, row]) &&
      told(read[0] as ProductContent) ===
        "{\"sku\":\"001\",\"gtin\":\"8600000000015\",\"name\":\"Хлеб, бели\",\"unitOfMeasure\":\"kom\",\"grossUnitPrice\":\"120.5\",\"taxLabels\":[\"Ђ\",\"Е\"],\"isActive\":true}"
  })
})

/** A way in which a spreadsheet may write the cells of the same table. */
interface Habit {
  readonly comma: boolean
  readonly active: (value: boolean) => string
  readonly blankRows: number
  readonly columns: ReadonlyArray<number>
}

const habit: fc.Arbitrary<Habit> = fc.record({
  comma: fc.boolean(),
  active: fc.constantFrom(
    (value: boolean) => String(value),
    (value: boolean) => String(value).toUpperCase(),
    (value: boolean) => (value ? "1" : "0"),
    (value: boolean) => (value ? "TAČNO" : "NETAČNO"),
    (value: boolean) => (value ? "ТАЧНО" : "НЕТАЧНО")
  ),
  blankRows: fc.integer({ min: 0, max: 2 }),
  columns: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 })
})

const writtenBy = (how: Habit, products: ReadonlyArray<ProductContent>): ReadonlyArray<ReadonlyArray<string>> => {
  const [names = [], ...rows] = productSheet(products)
  const cellsOf = (row: ReadonlyArray<string>) =>
    row.map((cell, column) => {
      if (names[column] === "grossUnitPrice") return how.comma ? cell.replace(".", ",") : cell
      return names[column] === "isActive" ? how.active(cell === "true") : cell
    })
  const table = [names, ...Array.from({ length: how.blankRows }, () => names.map(() => "")), ...rows.map(cellsOf)]
  return table.map((row) => how.columns.map((column) => row[column] ?? ""))
}

rule("CATALOGUE-2", {
  says: "A file is read as any spreadsheet writes it: decimal point or comma, truth in its words, columns in any order, blank rows; texts are taken " +
    "as they stand.",
  source: "Spec, Catalogue operations (import); Decisions §1 (strings are neither trimmed nor normalized); Decisions §11"
}, ({ holds, holdsForEvery }) => {
  holds("whoever wrote one catalogue, it holds the same products", { products: catalogue(), how: habit }, ({ products, how }) => {
    const read = readBack(writtenBy(how, products))
    return read !== null && sameProducts(read, products)
  })
  holdsForEvery("names of columns may be written in capitals and with blanks around them, nameless columns may be empty", [
    [["SKU", " Name", "gtin ", "UNITOFMEASURE", "grossUnitPrice", "TaxLabels", "ISACTIVE"], good],
    [[...header, "", ""], [...good, "", ""]]
  ], (rows) => refusalOf(rows) === "taken")
  const formulas: ReadonlyArray<readonly [string, string]> = [["=\"0012\"", "0012"], ["=\"a\"\"b\"", "a\"b"], ["'=1", "=1"], ["'0012", "'0012"], ["+381", "+381"]]
  holdsForEvery("a formula that only holds a text is that text, an apostrophe that keeps a formula off is taken off", formulas, ([cell, sku]) =>
    readBack([header, [cell, ...good.slice(1)]])?.[0]?.sku === sku)
  holds("whatever cells are sent, the answer is products or a refusal, never a crash", { rows: fc.array(fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...header, "1,5", "true", "Ђ|Ђ", "=", "'"))), { maxLength: 6 }) },
    ({ rows }) => refusalOf([header, ...rows]) !== "" && refusalOf(rows) !== "")
})

rule("CATALOGUE-3", {
  says: "A file without exactly the columns of an export is refused, naming what is missing, unknown or written twice.",
  source: "Spec, Errors, Catalogue (the export is the template)",
  proves: ["CATALOGUE_IMPORT_HEADERS_INVALID"]
}, ({ holdsForEvery }) => {
  const named = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const failure = failureOf(rows)
    return failure !== null && "code" in failure && failure.code === "CATALOGUE_IMPORT_HEADERS_INVALID" ? failure : null
  }
  holdsForEvery("each column left out", header, (column) => named([header.filter((other) => other !== column)])?.missing.join() === column)
  holdsForEvery("each column written twice", header, (column) => named([[...header, column]])?.repeated.join() === column)
  holdsForEvery("a column that is no field of a product", ["price", "skü", "taxLabel"], (column) => named([[...header, column]])?.unexpected.join() === column)
  holdsForEvery("of very many or very long unknown columns the first are named, shortened", [[...header, ...Array.from({ length: 50_000 }, () => "x")], [...header, "x".repeat(50_000)]], (names) => {
    const unexpected = named([names])?.unexpected ?? []
    return unexpected.length > 0 && unexpected.length <= 20 && unexpected.every((column) => column.startsWith("x") && column.length <= 101)
  })
  holdsForEvery("no header at all", [[], [good], [["sep=;"], good]], (rows) => named(rows)?.missing.length === 7 && named(rows)?.expected.join() === header.join())
})

const rowsOf = (count: number): ReadonlyArray<ReadonlyArray<string>> => Array.from({ length: count }, (_, at) => [`s${at}`, ...good.slice(1)])

rule("CATALOGUE-4", {
  says: "One import takes 1 to 1,000 products; blank rows are none.",
  source: "Spec, Limits; Resources, ProductImportResult (total 1..1000)",
  proves: ["CATALOGUE_IMPORT_TOO_MANY_ROWS"]
}, ({ holdsForEvery }) => {
  const sizes: ReadonlyArray<readonly [ReadonlyArray<ReadonlyArray<string>>, string]> = [
    [rowsOf(1), "taken"],
    [rowsOf(1000), "taken"],
    [[...rowsOf(1000), [], ["", ""]], "taken"],
    [rowsOf(1001), "CATALOGUE_IMPORT_TOO_MANY_ROWS"],
    [rowsOf(5000), "CATALOGUE_IMPORT_TOO_MANY_ROWS"],
    // Too many rows are reported before the faults in them.
    [[...rowsOf(1001), ["broken"]], "CATALOGUE_IMPORT_TOO_MANY_ROWS"],
    [[], "/rows"],
    [[["", ""], []], "/rows"]
  ]
  holdsForEvery("up to the limit and beyond it", sizes, ([rows, answer]) => refusalOf([header, ...rows]) === answer)
  holdsForEvery("the refusal names the limit", [rowsOf(1001)], (rows) => {
    const failure = failureOf([header, ...rows])
    return mostImportRows === 1000 && failure !== null && "limit" in failure && failure.limit === 1000
  })
})

const long = (count: number): string => "x".repeat(count)

/** The good row, changed in some columns. */
const row = (change: Readonly<Record<string, string>>): ReadonlyArray<string> => header.map((column, at) => change[column] ?? (column === "sku" ? "b" : good[at] ?? ""))

rule("CATALOGUE-5", {
  says: "An import is all or nothing: one wrong cell refuses the file, and every wrong cell is named by its row as a spreadsheet shows it, its " +
    "column and what stands in it, the first hundred at once.",
  source: "Spec, Catalogue operations (import: all or nothing; bounds of create); Decisions §11"
}, ({ holds, holdsForEvery }) => {
  const cells: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [row({ sku: long(100) }), "taken"],
    [row({ sku: long(101) }), "/rows/3/sku"],
    [row({ sku: "" }), "/rows/3/sku"],
    [row({ name: long(500), gtin: long(32), unitOfMeasure: long(50), grossUnitPrice: "999999999999.99" }), "taken"],
    [row({ name: long(501), gtin: long(33), unitOfMeasure: long(51), grossUnitPrice: "1000000000000" }), "/rows/3/grossUnitPrice /rows/3/gtin /rows/3/name /rows/3/unitOfMeasure"],
    [row({ name: "" }), "/rows/3/name"],
    [row({ unitOfMeasure: "" }), "/rows/3/unitOfMeasure"],
    [row({ gtin: "8.60E+12" }), "/rows/3/gtin"],
    [row({ gtin: "8,60012E+12" }), "/rows/3/gtin"],
    [row({ grossUnitPrice: "1,5" }), "taken"],
    [row({ grossUnitPrice: "0", isActive: "false" }), "taken"],
    ...["1.005", "1.234,50", "1,234.50", "1,234", "1 234,50", "1\u00a0234", "1'234", "-1", "1e3", " 1", "", "120 RSD", "=1+1"].map((price) => [row({ grossUnitPrice: price }), "/rows/3/grossUnitPrice"] as const),
    [row({ taxLabels: "" }), "/rows/3/taxLabels"],
    [row({ taxLabels: "Ђ|Ђ" }), "/rows/3/taxLabels"],
    [row({ taxLabels: "Ђ|" }), "/rows/3/taxLabels/1"],
    [row({ isActive: "yes" }), "/rows/3/isActive"],
    [row({}).slice(0, 6), "/rows/3/isActive"],
    [[...row({}), "more"], "/rows/3"],
    [[...row({}), "", ""], "taken"],
    [row({ name: "a\nb" }), "/rows/3/name"],
    [row({ name: "=A1&B1" }), "/rows/3/name"],
    [row({ sku: "=1+1", gtin: "=A1" }), "/rows/3/gtin /rows/3/sku"],
    [row({ taxLabels: "=A1" }), "/rows/3/taxLabels"]
  ]
  holdsForEvery("a second product with this or that in it", cells, ([second, answer]) => refusalOf([header, good, second]) === answer)
  const told = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const failure = failureOf(rows)
    return failure !== null && "faults" in failure ? failure.faults.map(({ key, message }) => `${key} ${message}`) : []
  }
  const sentences: ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]> = [
    [{ sku: "" }, /^Rows\[4\]\.Sku must not be empty$/],
    [{ unitOfMeasure: "" }, /^Rows\[4\]\.UnitOfMeasure must not be empty$/],
    [{ grossUnitPrice: "1.234,50" }, /^Rows\[4\]\.GrossUnitPrice must be a price like .* without separators of thousands; the cell has: 1\.234,50$/],
    [{ gtin: "8,60012E+12" }, /^Rows\[4\]\.Gtin must have all its digits: .* format the column as text .*; the cell has: 8,60012E\+12$/],
    [{ name: "=A1" }, /^Rows\[4\]\.Name contains a formula; .*; the cell has: =A1$/],
    [{ name: long(501) }, /^Rows\[4\]\.Name must have at most 500 characters; the cell has: x{60}…$/],
    [{ isActive: "да" }, /^Rows\[4\]\.IsActive must be true or false; the cell has: да$/],
    [{ taxLabels: "Ђ|" }, /^Rows\[4\]\.TaxLabels must not be empty; the cell has: Ђ\|$/]
  ]
  holdsForEvery("row, column, what is wrong and what stands there; blank rows are counted", sentences, ([change, sentence]) =>
    told([header, good, [], row(change)]).length === 1 && sentence.test(told([header, good, [], row(change)])[0] ?? ""))
  holdsForEvery("a hundred faults are told, and no more", [150, 100, 99], (count) =>
    told([header, ...rowsOf(count).map((cells) => [...cells.slice(0, 6), "?"])]).length === Math.min(count, 100))
  holdsForEvery("where a file cannot be read further, its row is told", [{ rows: [{ number: 1, cells: header }], fault: { row: 7, message: "has a cell that never ends" } }], (sheet) => {
    const read = readProductSheet(sheet)
    return Result.isFailure(read) && "faults" in read.failure && read.failure.faults[0]?.key === "Rows[7]" && read.failure.faults[0].pointer === "/rows/7"
  })
  holds("one broken row among good ones takes the whole file with it", { products: catalogue(6), at: fc.nat() }, ({ products, at }) => {
    const index = at % products.length
    const broken = products.map((product, place) => (place === index ? { ...product, taxLabels: [] } : product))
    return refusalOf(productSheet(products)) === "taken" && /^\/rows\/\d+\/taxLabels$/.test(refusalOf(productSheet(broken)))
  })
})

rule("CATALOGUE-10", {
  says: "A sku that stands twice in one file is a conflict, and its rows are named; every other fault of the file is told before it.",
  source: "Decisions §11 (the same SKU twice in a file: 409)",
  proves: ["CATALOGUE_SKU_ALREADY_EXISTS"]
}, ({ holds, holdsForEvery }) => {
  holds("wherever the twins stand", { products: catalogue(6), of: fc.nat(), at: fc.nat() }, ({ products, of, at }) => {
    const [, ...rows] = productSheet(products)
    const first = of % rows.length
    const twin = [rows[first]?.[0] ?? "", ...good.slice(1)]
    const behind = first + 1 + (at % (rows.length - first))
    const failure = failureOf([header, ...rows.slice(0, behind), twin, ...rows.slice(behind)])
    return failure !== null && "code" in failure && failure.code === "CATALOGUE_SKU_ALREADY_EXISTS" && failure.productId === null &&
      failure.sku === unguardText(twin[0] ?? "") && failure.rows?.join() === `${first + 2},${behind + 2}`
  })
  holdsForEvery("with another fault in the file", [[header, good, good, row({ name: "" })]], (rows) => refusalOf(rows) === "/rows/4/name")
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

rule("CATALOGUE-11", {
  says: "A refused file says of each cell once what it may hold, in words of files, and shows what stands in it, shortened after sixty characters; of a file " +
    "with many faults the first hundred are told.",
  source: "Spec, Catalogue operations; Decisions §11"
}, ({ holdsForEvery }) => {
  const faultsOf = (...rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const failure = failureOf([header, ...rows])
    return failure === null || "code" in failure ? [] : failure.faults.map(({ message, pointer }) => `${pointer.replace("/rows/2/", "")} ${message}`)
  }
  const row = (fields: Partial<Record<"name" | "price" | "labels" | "active", string>>) =>
    ["a", fields.name ?? "n", "", "kom", fields.price ?? "1", fields.labels ?? "Ђ", fields.active ?? "true"]
  const price = "must be a price like 1234.50 or 1234,50, with at most two decimals and without separators of thousands"
  const formula = "contains a formula; save its value instead, or put an apostrophe before the text if it is meant literally"
  const cells = [
    { cells: row({ price: "1.234,50" }), told: [`grossUnitPrice ${price}; the cell has: 1.234,50`] },
    { cells: row({ active: "ja" }), told: ["isActive must be true or false; the cell has: ja"] },
    { cells: row({ price: "x", name: "" }), told: ["name must not be empty", `grossUnitPrice ${price}; the cell has: x`] },
    { cells: row({ name: `=${"1".repeat(600)}` }), told: [`name ${formula}; the cell has: =${"1".repeat(59)}…`] },
    { cells: row({ labels: `=${"1".repeat(70)}` }), told: [`taxLabels ${formula}; the cell has: =${"1".repeat(59)}…`] },
    { cells: row({ labels: `=${"1".repeat(70)}`, active: "ja" }), told: [`taxLabels ${formula}; the cell has: =${"1".repeat(59)}…`, "isActive must be true or false; the cell has: ja"] },
    { cells: row({ active: "ж".repeat(60) }), told: [`isActive must be true or false; the cell has: ${"ж".repeat(60)}`] },
    { cells: row({ active: "🙂".repeat(61) }), told: [`isActive must be true or false; the cell has: ${"🙂".repeat(60)}…`] }
  ]
  holdsForEvery("what stands in a cell", cells, ({ cells: written, told: expected }) => Equal.equals(faultsOf(written), expected))
  holdsForEvery("a price with too many decimals is told as a body's is", [row({ price: "1.005" })], (written) =>
    faultsOf(written).length === 1 && faultsOf(written)[0]?.startsWith("grossUnitPrice ") === true && !faultsOf(written)[0]?.includes(price))
  holdsForEvery("the eleventh label of a cell has its place", [["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "x".repeat(51)].join("|")], (labels) => {
    const failure = failureOf([header, row({ labels })])
    return failure !== null && !("code" in failure) && failure.faults.map(({ key, pointer }) => `${pointer} ${key}`).join() === "/rows/2/taxLabels/10 Rows[2].TaxLabels"
  })
  holdsForEvery("no more than a hundred faults", [99, 100, 101, 150], (count) =>
    faultsOf(...Array.from({ length: count }, () => row({ active: "ja" }))).length === Math.min(count, 100))
  holdsForEvery("also where rows have several", [33, 34, 50], (count) =>
    faultsOf(...Array.from({ length: count }, () => row({ active: "ja", price: "x", name: "" }))).length === Math.min(3 * count, 100))
  const headers = [
    { columns: [...header, "sku", "more"], told: "-sku-more" },
    { columns: [...header.slice(1), "name"], told: "sku-name-" },
    { columns: [], told: `${header.join("+")}--` }
  ]
  holdsForEvery("a header is refused for what is missing, repeated and unknown, though they are as many", headers, ({ columns, told: expected }) => {
    const read = readProductSheet({ rows: columns.length === 0 ? [] : [{ number: 1, cells: columns }, { number: 2, cells: good }], fault: null })
    return Result.isFailure(read) && "missing" in read.failure &&
      [read.failure.missing, read.failure.repeated, read.failure.unexpected].map((names) => names.join("+")).join("-") === expected
  })
})
