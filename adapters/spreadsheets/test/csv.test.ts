import { type ProductContent, productSheet, readProductSheet } from "@overa/domain"
import { Result } from "effect"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { catalogue } from "../../../domain/test/arbitraries/Product.ts"
import { decodeCsvText, readCsv, writeCsv } from "../src/index.ts"

const dialect = { delimiter: ",", newline: "\n" } as const
const exported = (products: ReadonlyArray<ProductContent>): string => writeCsv(productSheet(products), dialect)
const cells = async (file: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => (await readCsv(file, 100)).rows.map((row) => row.cells)
const numbered = async (file: string) => (await readCsv(file, 100)).rows.map((row) => [row.number, ...row.cells])

describe("a product file", () => {
  it("exported, imported and exported again is the same byte for byte", async () => {
    await fc.assert(fc.asyncProperty(catalogue(), async (products) => {
      const file = exported(products)
      const read = readProductSheet(await readCsv(file, 1002))
      if (Result.isFailure(read)) return assert.fail(JSON.stringify(read.failure))
      assert.strictEqual(exported(read.success.map(({ content }) => content)), file)
    }))
  })

  it("is the example of the guide", async () => {
    const file = readFileSync("docs/guides/products.csv", "utf8")
    const read = readProductSheet(await readCsv(file, 1002))
    if (Result.isFailure(read)) return assert.fail(JSON.stringify(read.failure))
    assert.strictEqual(exported(read.success.map(({ content }) => content)), file)
  })
})

const table: ReadonlyArray<ReadonlyArray<string>> = [["sku", "name"], ["1", "Хлеб"], ["2", "5\" цев; \"A\", кратка"], ["3", "ред\r\nред\nред"], ["4", " ,;\t| '"]]

const quoted = (cell: string, always: boolean, separator: string): string =>
  always || cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell

describe("the reader takes what spreadsheets write", () => {
  const dialects = fc.record({
    mark: fc.boolean(),
    declared: fc.boolean(),
    separator: fc.constantFrom(",", ";", "\t"),
    newlines: fc.array(fc.constantFrom("\n", "\r\n", "\r"), { minLength: 5, maxLength: 5 }),
    always: fc.boolean(),
    lastNewline: fc.boolean()
  })
  it("in every dialect, line ends mixed", async () => {
    await fc.assert(fc.asyncProperty(dialects, fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string()), { maxLength: 5 }), async (how, more) => {
      const rows = [["sku", "name"], ...more]
      // Quotes where a cell begins with one, so that the cell is read back unchanged.
      const lines = rows.map((row) => row.map((cell) => quoted(cell, how.always, how.separator)).join(how.separator))
      const body = lines.map((line, at) => line + (at === lines.length - 1 && !how.lastNewline ? "" : how.newlines[at % 5])).join("")
      const file = `${how.mark ? "\uFEFF" : ""}${how.declared ? `sep=${how.separator}\r\n` : ""}${body}`
      assert.deepStrictEqual(await cells(file), rows.filter((row) => row.some((cell) => cell !== "")))
    }))
  })

  const files: ReadonlyArray<readonly [string, string, unknown]> = [
    ["Excel, English: commas, CRLF", "sku,name\r\n1,\"Bread, white\"\r\n", [[1, "sku", "name"], [2, "1", "Bread, white"]]],
    ["Excel, Serbian: byte-order mark, semicolons", "\uFEFFsku;price\r\n1;1,50\r\n", [[1, "sku", "price"], [2, "1", "1,50"]]],
    ["Excel's own separator line is no row", "sep=;\r\nsku;name\r\n1;a\r\n", [[1, "sku", "name"], [2, "1", "a"]]],
    ["a separator line that another program saved as a row", "\"sep=;\",\nsku,name\n1,a\n", [[1, "sku", "name"], [2, "1", "a"]]],
    ["LibreOffice: every text in quotes", "\"sku\",\"name\"\n\"1\",\"a \"\"b\"\"\"\n", [[1, "sku", "name"], [2, "1", "a \"b\""]]],
    ["Google Sheets: no last line end", "sku,name\r\n1,a", [[1, "sku", "name"], [2, "1", "a"]]],
    ["trailing rows without content, and their number", "sku;name\r\n;\r\n1;a\r\n;\r\n;\r\n\r\n", [[1, "sku", "name"], [3, "1", "a"]]],
    ["a line break inside quotes is no row", "sku,name\r\n1,\"a\r\nb\"\r\n2,c\r\n", [[1, "sku", "name"], [2, "1", "a\r\nb"], [3, "2", "c"]]],
    ["an inch sign in the middle of a cell", "sku,name\n1,5\" pipe\n", [[1, "sku", "name"], [2, "1", "5\" pipe"]]],
    ["a word in quotation marks at the start of a cell without quotes", "sku,name\n1,\"Zora\" bread\n", [[1, "sku", "name"], [2, "1", "\"Zora\" bread"]]],
    ["old Macintosh line ends", "sku,name\r1,a\r", [[1, "sku", "name"], [2, "1", "a"]]],
    ["nothing", "", []]
  ]
  it.each(files)("%s", async (_name, file, rows) => assert.deepStrictEqual(await numbered(file), rows))

  const faults: ReadonlyArray<readonly [string, string, number, RegExp]> = [
    ["a quotation mark that is never closed", "sku,name\n1,\"a\n2,b\n", 2, /never closed/],
    ["a row of very many cells", `sku,name\n1,a\n${",".repeat(70_000)}\n2,b\n`, 3, /more than 1000 cells/],
    ["thousands of rows without content before it", `sku,name\n${",\n".repeat(2_500)}1,a\n`, 2_003, /follows 2000 rows without content/],
    ["a cell without end", `sku,name\n1,a\n2,${"x".repeat(70_000)}\n`, 3, /longer than 65536/]
  ]
  it.each(faults)("%s is told with its row", async (_name, file, row, message) => {
    const { fault } = await readCsv(file, 100)
    assert.strictEqual(fault?.row, row)
    assert.match(fault?.message ?? "", message)
  })

  it("stops behind the rows that were asked for, however long the file", async () => {
    const file = `sku,name\n${"1,a\n".repeat(1_000_000)}`
    const started = performance.now()
    assert.strictEqual((await readCsv(file, 1002)).rows.length, 1002)
    assert.isBelow(performance.now() - started, 2_000)
  })

  it.each(["\n", ",\r\n", ";;;;;;\n"])("does not read millions of empty rows at the end: %j", async (row) => {
    const started = performance.now()
    assert.deepStrictEqual(await numbered(`sku${row.charAt(0) === ";" ? ";" : ","}name\n1${row.charAt(0) === ";" ? ";" : ","}a\n${row.repeat(5_000_000 / row.length)}`), [[1, "sku", "name"], [2, "1", "a"]])
    assert.isBelow(performance.now() - started, 2_000)
  })

  it("reads characters of several bytes whole, wherever a slice of the file ends", async () => {
    for (const before of [0, 1, 2, 3]) {
      const rows = Array.from({ length: 9 }, (_, at) => [`${"x".repeat(before)}${at}`, "😀ж".repeat(1_500)])
      assert.deepStrictEqual(await cells(rows.map((row) => row.join("\u2028")).join("\n").replaceAll("\u2028", ",")), rows)
    }
  })

  const fiveMegabytes = 5_000_000
  const longRow = (number: number): string => `${number},"${"x\"\"".repeat(1_600)}"`
  const costly: ReadonlyArray<readonly [string, string]> = [
    ["rows as long as they may be", Array.from({ length: 1_000 }, (_, number) => longRow(number)).join("\n")],
    ["quotation marks alone", `a,b\n${"\"".repeat(fiveMegabytes)}`],
    ["separators alone", `a\n${",".repeat(fiveMegabytes)}x`],
    ["a header of separators", ";,\t".repeat(fiveMegabytes / 3)],
    ["rows without content", `a\n${",\n".repeat(fiveMegabytes / 2)}`],
    ["one cell", "x".repeat(fiveMegabytes)],
    ["a separator line without end", `sep=;${",".repeat(fiveMegabytes)}`],
    ["ends of lines", `a${"\r".repeat(fiveMegabytes)}x`]
  ]
  /** The longest processor time between two turns of the event loop, in milliseconds; other programs on the machine are not counted. */
  const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
    const millis = (): number => process.threadCpuUsage().user / 1_000
    let [longest, last, isGoing] = [0, millis(), true]
    const turn = (): void => {
      const now = millis()
      longest = Math.max(longest, now - last)
      last = now
      if (isGoing) setImmediate(turn)
    }
    turn()
    await work()
    isGoing = false
    turn()
    return longest
  }
  it.each(costly)("blocks the event loop for a few milliseconds at a time: %s", { retry: 5, timeout: 60_000 }, async (_name, file) => {
    await readCsv(file, 1_002)
    assert.isBelow(await longestTurn(() => readCsv(file, 1_002)), 20)
  })

  it("answers whatever is sent", async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.constantFrom("\"", ",", ";", "\n", "\r", "sep=;", "\uFEFF", "a", "\"\"", " "), { maxLength: 40 }).map((parts) => parts.join(""))), async (file) => {
      const sheet = await readCsv(file, 5)
      assert.isAtMost(sheet.rows.length, 5)
    }))
  })
})

describe("the writer", () => {
  it.each([",", ";"] as const)("writes what the reader reads, parted by %s", async (delimiter) => {
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.constant("x"), fc.string({ unit: "binary" }), fc.string())), async (rows) => {
      const file = writeCsv([["a", "b", "c"], ...rows], { delimiter, newline: "\r\n" })
      assert.deepStrictEqual(await cells(`\uFEFF${file}`), [["a", "b", "c"], ...rows])
    }))
    assert.deepStrictEqual(await cells(writeCsv(table, { delimiter, newline: "\n" })), table)
  })

  it("leaves out quotes where nobody needs them", () => {
    assert.strictEqual(writeCsv([["a b", "ć", "1.5", "", "x|y"]], { delimiter: ",", newline: "\n" }), "a b,ć,1.5,,x|y\n")
  })
})

describe("a file in another character set is told what it is and how to save it", () => {
  const inWindows1250 = Uint8Array.of(...new TextEncoder().encode("sku;name\r\n1;"), 0x8a, 0x65, 0xe6, 0x65, 0x72)
  const inWindows1251 = Uint8Array.of(...new TextEncoder().encode("sku;name\r\n1;"), 0xd8, 0xe5, 0x9e, 0xe5, 0xf0)
  const cases: ReadonlyArray<readonly [string, Uint8Array, RegExp]> = [
    ["Windows-1250", inWindows1250, /is not UTF-8: it looks like Windows-1250; save it as “CSV UTF-8/],
    ["Windows-1251", inWindows1251, /looks like Windows-1251; save it as “CSV UTF-8/],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x73, 0), /is UTF-16/],
    ["a workbook", Uint8Array.of(0x50, 0x4b, 3, 4, 0), /is a workbook, not CSV/],
    ["anything else", Uint8Array.of(0x61, 0x92, 0x61), /another character set/]
  ]
  it.each(cases)("%s", (_name, bytes, sentence) => {
    const text = decodeCsvText(bytes)
    assert.match(Result.isFailure(text) ? text.failure : "accepted", sentence)
  })

  it("takes UTF-8 with and without a byte-order mark", () => {
    assert.deepStrictEqual(decodeCsvText(new TextEncoder().encode("\uFEFFшећер")), Result.succeed("шећер"))
  })
})
