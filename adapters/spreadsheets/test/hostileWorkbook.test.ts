import { Result } from "effect"
import { strToU8, zipSync } from "fflate"
import { assert, describe, it } from "vitest"
import { readWorkbook } from "../src/index.ts"

/** A workbook whose only sheet has these rows, and these shared texts. */
const workbook = (rows: string, shared = ""): Uint8Array => zipSync({
  "xl/workbook.xml": strToU8(`<workbook xmlns:r="o"><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>`),
  "xl/_rels/workbook.xml.rels": strToU8(`<Relationships><Relationship Id="rId1" Target="worksheets/s.xml"/></Relationships>`),
  "xl/sharedStrings.xml": strToU8(`<sst><si><t>${shared}</t></si></sst>`),
  "xl/worksheets/s.xml": strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)
})
const read = (rows: string, shared?: string) => Result.getOrThrow(readWorkbook(workbook(rows, shared), 1_002))

const numbered = (...numbers: ReadonlyArray<string | null>) => numbers.map((number) => `<row${number === null ? "" : ` r="${number}"`}><c><v>1</v></c></row>`).join("")
const referring = (...references: ReadonlyArray<string | null>) => `<row>${references.map((reference) => `<c${reference === null ? "" : ` r="${reference}"`}><v>1</v></c>`).join("")}</row>`
const priced = (stored: string) => read(`<row><c><v>${stored}</v></c></row>`).rows[0]?.cells[0]

describe("the rows of a workbook", () => {
  it.each([
    [["1", "2", "5"], [1, 2, 5]],
    [[null, null], [1, 2]],
    [["3", null, "7"], [3, 4, 7]],
    [["1048576"], [1_048_576]]
  ])("numbered %j, as programs number them, are read", (numbers, expected) => {
    const { fault, rows } = read(numbered(...numbers))
    assert.deepStrictEqual([rows.map(({ number }) => number), fault], [expected, null])
  })

  it.each(["Infinity", "1e9", "1048577", "20000000", "9".repeat(400), "0", "1", "2", "-3", "3.5", "NaN", "x", ""])("are read up to one that is numbered %j behind row 2", (number) => {
    const { fault, rows } = read(numbered("1", "2", number, "4"))
    assert.deepStrictEqual(rows.map((row) => row.number), [1, 2])
    assert.strictEqual(fault?.row, 3)
    assert.match(fault?.message ?? "", /^has a row number/)
  })

  it("without numbers end where those of a spreadsheet end", () => {
    assert.match(read(`${numbered("1048576")}<row/>`).fault?.message ?? "", /^has a row number/)
  })

  it("beyond those asked for are not read", () => {
    const { fault, rows } = read(numbered(...Array.from({ length: 1_500 }, () => null), "Infinity"))
    assert.deepStrictEqual([rows.length, fault], [1_002, null])
  })
})

describe("the cells of a workbook", () => {
  it("stand where their references say, or one after another", () => {
    assert.deepStrictEqual(read(referring("A1", "C1", null, "AB1")).rows[0]?.cells, ["1", "", "1", "1", ...Array.from({ length: 23 }, () => ""), "1"])
  })

  it.each(["ZZZZZZ2", "XFE2", "A2", "B2", "2", "C", "", "1A", "=C2", "Ж2"])("are read up to a row with the reference %j behind B", (reference) => {
    const { fault, rows } = read(`${numbered(null)}${referring("A2", "B2", reference)}${numbered(null)}`)
    assert.deepStrictEqual([rows.length, fault?.row], [1, 2])
    assert.match(fault?.message ?? "", /^has a cell whose reference/)
  })

  it("are as many as a file of products can have", () => {
    assert.deepStrictEqual(read(referring(...Array.from({ length: 1_000 }, () => null))).fault, null)
    assert.deepStrictEqual(read(referring("ALM1")).fault, { row: 1, message: "has more than 1000 cells" })
    // Without a text it is a format alone, and spreadsheets write those.
    assert.deepStrictEqual(read("<row><c r=\"XFD1\"/></row>"), { rows: [], fault: null })
  })

  it.each([["1E-3", "0.001"], ["8.600123456789E12", "8600123456789"], ["1e+2", "100"], ["-0.10", "-0.1"], [".5", "0.5"], ["1.1102230246251565E-16", "0.000000000000000111022302462516"]])(
    "that store the number %s have %s",
    (stored, text) => assert.strictEqual(priced(stored), text)
  )

  it.each(["1e400000000", "1e30000000", "1e-400000000", "1E+100", "1e99999999999", "9".repeat(30_000), "Infinity", "1e"])("keep %s as it is written: no price has as many digits", (stored) => {
    assert.strictEqual(priced(stored), stored)
  })

  it("have at most as many characters as Excel's", () => {
    const held = "ж".repeat(32_767)
    const cell = (text: string) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`
    assert.deepStrictEqual(read(cell(held)), { rows: [{ number: 1, cells: [held] }], fault: null })
    assert.deepStrictEqual(read(`${numbered(null)}${cell(`${held}ж`)}`).fault, { row: 2, message: "has a cell with more than 32767 characters" })
    assert.deepStrictEqual(read(`${numbered(null)}<row><c t="s"><v>0</v></c></row>`, `${held}ж`).fault, { row: 2, message: "has a cell with more than 32767 characters" })
  })

  it("that share one long text do not fill the memory with it", () => {
    const row = `<row>${`<c t="s"><v>0</v></c>`.repeat(100)}</row>`
    const { fault, rows } = read(row.repeat(1_000), "a".repeat(30_000))
    assert.deepStrictEqual([rows.length, fault?.row], [1, 2])
    assert.match(fault?.message ?? "", /^has, with the rows before it, more than 5000000 characters/)
  })
})
