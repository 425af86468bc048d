import { formatDecimal, type SheetCell } from "@overa/domain"
import { BigDecimal, Effect, Stream } from "effect"
import * as fc from "fast-check"
import { strFromU8, unzipSync } from "fflate"
import { assert, describe, it } from "vitest"
import { writeWorkbook } from "../src/index.ts"

const decimal = BigDecimal.fromStringUnsafe

const bytesOf = async (rows: ReadonlyArray<ReadonlyArray<SheetCell>>, pieces = 2): Promise<Uint8Array> => {
  const size = Math.max(1, Math.ceil(rows.length / pieces))
  const parts = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))
  const written = await Effect.runPromise(Stream.runCollect(writeWorkbook({ sheetName: "Журнал", titles: ["a", "б"] }, Stream.fromIterable(parts))))
  return Buffer.concat([...written])
}

const plain = (xml: string): string =>
  xml.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")
    .replaceAll(/_x([0-9A-F]{4})_/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The cells of the sheet as a spreadsheet reads them: texts, numbers, and null for nothing. */
const cellsOf = (bytes: Uint8Array): ReadonlyArray<ReadonlyArray<string | { readonly number: string } | null>> => {
  const sheet = strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"] ?? new Uint8Array())
  return [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<c\/>|<c[^>]*>(?:<is><t[^>]*>(.*?)<\/t><\/is>|<v>(.*?)<\/v>)<\/c>/gs)].map(([, text, number]) => {
      if (number !== undefined) return { number }
      return text === undefined ? null : plain(text)
    }))
}

describe("a workbook", () => {
  it("holds the rows it was given, however they came, and the same rows are the same bytes", async () => {
    const text = fc.oneof(fc.string({ minLength: 1 }), fc.string({ minLength: 1, unit: "binary" }), fc.constantFrom("=1+1", "@a", "_x000D_", "__x0041_", "a\r\nб", "\u0000\uFFFF", "<&>\"", " а "))
    const amount = fc.tuple(fc.integer({ min: -1, max: 999_999_999 }), fc.integer({ min: 0, max: 4 })).map(([value, scale]) => BigDecimal.make(BigInt(value), scale))
    const rows = fc.array(fc.tuple(fc.oneof(text, amount, fc.constant(null)), text), { maxLength: 9 })
    await fc.assert(fc.asyncProperty(rows, fc.integer({ min: 1, max: 4 }), async (given, pieces) => {
      const bytes = await bytesOf(given, pieces)
      const shown = given.map((row) => row.map((cell) => (cell === null || typeof cell === "string" ? cell : { number: formatDecimal(cell) })))
      assert.deepStrictEqual(cellsOf(bytes), [["a", "б"], ...shown])
      assert.isTrue(Buffer.compare(await bytesOf(given, pieces), bytes) === 0)
    }), { numRuns: 30 })
  })

  it("keeps every digit of an amount too long for a spreadsheet's numbers", async () => {
    const rows = [[decimal("999999999999999"), "x"], [decimal("99999999999999.99"), "x"]]
    assert.deepStrictEqual(cellsOf(await bytesOf(rows)).slice(1), [[{ number: "999999999999999" }, "x"], ["99999999999999.99", "x"]])
  })

  it("writes each piece before it asks for the next", async () => {
    let taken = 0
    const piece = Array.from({ length: 2_000 }, (_, at) => [`текст ${at} ${Math.sin(at)}`, decimal("1.5")])
    const rows = Stream.fromIterable([1, 2, 3, 4]).pipe(Stream.rechunk(1), Stream.map(() => {
      taken += 1
      return piece
    }))
    const seen: Array<number> = []
    await Effect.runPromise(Stream.runForEach(writeWorkbook({ sheetName: "S", titles: ["a"] }, rows), () => Effect.sync(() => seen.push(taken))))
    for (const count of [1, 2, 3, 4]) assert.include(seen, count)
  })
})
