import { formatDecimal, type Sheet, type SheetRow } from "@overa/domain"
import { BigDecimal, Option, Result } from "effect"
import { strFromU8, unzipSync } from "fflate"
import { Parser } from "saxen"

/** No product file comes near; a small file that unpacks to more is meant to exhaust the memory. */
const mostUnpackedBytes = 12_000_000
const mostCells = 1_000
/** A spreadsheet itself shows no more digits: 2399.99 is stored as 2399.9899999999998. */
const shownDigits = 15

/** Whether a file is a ZIP archive, as every workbook is since 2007. */
export const isWorkbook = (bytes: Uint8Array): boolean => [0x50, 0x4b, 0x03, 0x04].every((byte, at) => bytes[at] === byte)

interface XmlHooks {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly close: (name: string) => void
  readonly text?: (text: string) => void
}

/** Names without their prefix: writers choose it freely. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** A part that the workbook lacks has no elements. */
const parseXml = (xml: string, { close, open, text }: XmlHooks): void => {
  if (xml === "") return
  const parser = new Parser()
  let fault: Error | null = null
  parser.on("openTag", (name, attributes, decode) =>
    open(localName(name), Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [key, decode(value)]))))
  parser.on("closeTag", (name) => close(localName(name)))
  parser.on("text", (value, decode) => text?.(decode(value)))
  parser.on("cdata", (value) => text?.(value))
  parser.on("error", (error) => void (fault ??= error))
  parser.parse(xml)
  if (fault !== null) throw fault as Error
}

/** `_x000D_` stands for a character that XML cannot contain. */
const unescaped = (text: string): string => text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The texts that cells refer to by number; phonetic readings are no part of them. */
const sharedTexts = (xml: string): ReadonlyArray<string> => {
  const texts: Array<string> = []
  let [inText, inReading] = [false, false]
  parseXml(xml, {
    open: (name) => {
      if (name === "si") texts.push("")
      if (name === "t") inText = true
      if (name === "rPh") inReading = true
    },
    close: (name) => {
      if (name === "t") inText = false
      if (name === "rPh") inReading = false
    },
    text: (text) => {
      if (inText && !inReading) texts[texts.length - 1] += text
    }
  })
  return texts.map(unescaped)
}

/** A stored number with the digits that a spreadsheet shows. */
const numberText = (stored: string): string => {
  const found = Option.getOrNull(BigDecimal.fromString(stored))
  if (found === null) return stored
  const { scale, value } = BigDecimal.normalize(found)
  const digits = String(value < 0n ? -value : value).length
  return formatDecimal(digits <= shownDigits ? found : BigDecimal.round(found, { scale: scale - (digits - shownDigits), mode: "half-from-zero" }))
}

const cellText = (kind: string, stored: string, texts: ReadonlyArray<string>): string => {
  switch (kind) {
    case "s":
      return texts[Number(stored)] ?? ""
    case "b":
      return stored === "1" ? "true" : "false"
    case "n":
      return stored === "" ? "" : numberText(stored)
    default:
      return unescaped(stored)
  }
}

/** The place of a column, A is 0. */
const columnOf = (reference: string): number => [.../^[A-Z]*/.exec(reference)?.[0] ?? ""].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const rowsOf = (xml: string, texts: ReadonlyArray<string>, mostRows: number): ReadonlyArray<SheetRow> => {
  const rows: Array<SheetRow> = []
  let [number, at, kind, stored, isValue] = [0, 0, "n", "", false]
  let cells: Array<string> = []
  parseXml(xml, {
    open: (name, attributes) => {
      if (name === "row") [number, at, cells] = [Number(attributes["r"] ?? number + 1), 0, []]
      if (name === "c") {
        if (attributes["r"] !== undefined) at = columnOf(attributes["r"])
        ;[kind, stored] = [attributes["t"] ?? "n", ""]
      }
      isValue = name === "v" || name === "t"
    },
    close: (name) => {
      isValue = false
      if (name === "c") {
        const text = cellText(kind, stored, texts)
        if (text !== "" && at >= 0 && at < mostCells) {
          while (cells.length < at) cells.push("")
          cells[at] = text
        }
        at += 1
      }
      if (name === "row" && cells.length > 0 && rows.length < mostRows) rows.push({ number, cells })
    },
    text: (text) => {
      if (isValue) stored += text
    }
  })
  return rows
}

type Parts = Readonly<Record<string, Uint8Array>>

/** The names of the sheets with the paths of their parts, in the order of the workbook. */
const sheetsOf = (parts: Parts): ReadonlyArray<{ readonly name: string; readonly path: string }> => {
  const targets = new Map<string, string>()
  const sheets: Array<{ readonly name: string; readonly path: string }> = []
  const close = (): void => {}
  parseXml(textOf(parts, "xl/_rels/workbook.xml.rels"), { open: (_, { Id = "", Target = "" }) => void targets.set(Id, Target.replace(/^\/?(?:xl\/)?/, "xl/")), close })
  parseXml(textOf(parts, "xl/workbook.xml"), {
    open: (name, attributes) => {
      if (name === "sheet") sheets.push({ name: attributes["name"] ?? "", path: targets.get(attributes["r:id"] ?? "") ?? "" })
    },
    close
  })
  return sheets
}

const textOf = (parts: Parts, path: string): string => strFromU8(parts[path] ?? new Uint8Array())

const unpack = (bytes: Uint8Array): Parts => {
  let left = mostUnpackedBytes
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/^xl\/(?:_rels\/|workbook\.xml$|sharedStrings\.xml$|worksheets\/)/.test(name)) return false
      left -= originalSize
      if (left < 0) throw new RangeError("unpacks to more than a product file can have")
      return true
    }
  })
}

/**
 * A sheet of a workbook (XLSX) as rows of texts: numbers with a point and the digits that are shown, `true` and `false`, formulas with their stored
 * value. The first sheet, unless another is named. A sentence where the file is no workbook. Source: ECMA-376, Part 1.
 */
export const readWorkbook = (bytes: Uint8Array, mostRows: number, sheetName?: string): Result.Result<Sheet, string> => {
  try {
    const parts = unpack(bytes)
    const sheets = sheetsOf(parts)
    const sheet = sheetName === undefined ? sheets[0] : sheets.find(({ name }) => name === sheetName)
    if (sheet === undefined) return Result.fail("is a workbook without such a sheet")
    return Result.succeed({ rows: rowsOf(textOf(parts, sheet.path), sharedTexts(textOf(parts, "xl/sharedStrings.xml")), mostRows), fault: null })
  } catch (cause) {
    return Result.fail(`cannot be read as a workbook: ${(cause as Error).message}`)
  }
}
