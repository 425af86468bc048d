import { formatDecimal } from "@overa/domain"
import { BigDecimal, Effect, Result } from "effect"
import * as fc from "fast-check"
import { strToU8, zipSync } from "fflate"
import { assert, describe, it } from "vitest"
import { bookBytes, readAnySheet, readWorkbook } from "../src/index.ts"

const rowsOf = (bytes: Uint8Array, name?: string) => Result.getOrThrow(readWorkbook(bytes, 10_000, name)).rows.map(({ cells }) => [...cells])

/** A workbook as another program writes it: prefixes, shared texts, cells that are left out, stored values of formulas. */
const foreign = zipSync({
  "xl/workbook.xml": strToU8(`<x:workbook xmlns:x="m" xmlns:r="o"><x:sheets><x:sheet name="Лист" sheetId="1" r:id="rId7"/></x:sheets></x:workbook>`),
  "xl/_rels/workbook.xml.rels": strToU8(`<Relationships><Relationship Id="rId7" Target="/xl/worksheets/s.xml"/></Relationships>`),
  "xl/sharedStrings.xml": strToU8(`<sst><si><t>Šifra</t></si><si><r><t>Ђум</t></r><r><t>бир &amp; со</t></r><rPh><t>x</t></rPh></si></sst>`),
  "xl/worksheets/s.xml": strToU8(`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row r="4"><c r="B4"><v>2399.9899999999998</v></c>
    <c r="C4" t="b"><v>1</v></c><c r="D4" t="str"><f>A1</f><v>tekst</v></c><c r="E4"><v>8.600123456789E12</v></c></row></sheetData></worksheet>`)
})

describe("a workbook that a person uploads", () => {
  it("is read as the spreadsheet shows it: shared texts, digits, answers, formulas by their value, rows with their numbers", () => {
    const { rows } = Result.getOrThrow(readWorkbook(foreign, 100))
    assert.deepStrictEqual(rows, [{ number: 1, cells: ["Šifra", "", "Ђумбир & со"] }, { number: 4, cells: ["", "2399.99", "true", "tekst", "8600123456789"] }])
  })

  it("written by us is read back, every text and amount, in any of its sheets", async () => {
    const cell = fc.oneof(fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !/[\uD800-\uDFFF]/.test(text.replaceAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, ""))), fc.integer({ min: -1_000_000, max: 1_000_000 }).map((paras) => BigDecimal.make(BigInt(paras), 2)))
    await fc.assert(fc.asyncProperty(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), async (rows) => {
      const bytes = await Effect.runPromise(bookBytes([{ name: "Први", titles: ["x"], rows: [] }, { name: "Други & <>", titles: ["x"], rows }]))
      const told = rows.map((cells) => cells.map((it) => typeof it === "string" ? it : formatDecimal(it)))
      assert.deepStrictEqual(rowsOf(bytes, "Други & <>").slice(1), told)
    }), { numRuns: 50 })
  })

  it("that is none, or unpacks to more than a product file can have, is refused with a sentence", () => {
    for (const bytes of [Uint8Array.of(0x50, 0x4b, 3, 4), zipSync({ "a.txt": strToU8("x") }), zipSync({ "xl/workbook.xml": strToU8("<broken") })]) {
      assert.isTrue(Result.isFailure(readWorkbook(bytes, 10)))
    }
    const bomb = zipSync({ "xl/workbook.xml": new Uint8Array(20_000_000) })
    assert.match(Result.getOrThrow(Result.flip(readWorkbook(bomb, 10))), /unpacks to more/)
  })
})

describe("a file of Excel in Serbia", () => {
  const files: ReadonlyArray<readonly [as: string, bytes: ReadonlyArray<number>]> = [
    ["UTF-8", [...new TextEncoder().encode("Šećer")]],
    ["UTF-16", [0xff, 0xfe, ...[..."Šećer"].flatMap((it) => [it.charCodeAt(0) & 0xff, it.charCodeAt(0) >> 8])]],
    ["Windows-1250", [0x8a, 0x65, 0xe6, 0x65, 0x72]]
  ]
  it.each(files)("in %s is read with its letters", async (as, bytes) => {
    const found = Result.getOrThrow(await readAnySheet(Uint8Array.from(bytes), 10))
    assert.deepStrictEqual([found.as, found.sheet.rows[0]?.cells], [as, ["Šećer"]])
  })

  it("in Windows-1251 is read with its letters, an old workbook is named", async () => {
    const found = Result.getOrThrow(await readAnySheet(Uint8Array.of(0xd8, 0xe5, 0xed, 0xe5, 0xf0), 10))
    assert.deepStrictEqual([found.as, found.sheet.rows[0]?.cells], ["Windows-1251", ["Шенер"]])
    assert.match(Result.getOrThrow(Result.flip(await readAnySheet(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0), 10))), /XLSX/)
  })
})
