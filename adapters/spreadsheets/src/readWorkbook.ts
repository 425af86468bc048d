import type { Sheet } from "@overa/domain"
import { Result } from "effect"
import { strFromU8, unzipSync } from "fflate"
import { parseXml, unescaped } from "./parseXml.ts"
import { readRows } from "./readRows.ts"

/** No product file comes near; a small file that unpacks to more is meant to exhaust the memory. */
const mostUnpackedBytes = 12_000_000

/** Whether a file is a ZIP archive, as every workbook is since 2007. */
export const isWorkbook = (bytes: Uint8Array): boolean => [0x50, 0x4b, 0x03, 0x04].every((byte, at) => bytes[at] === byte)

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
 * value. The first sheet, unless another is named; at most `mostRows` rows with content. A sentence where the file is no workbook. Source: ECMA-376, Part 1.
 */
export const readWorkbook = (bytes: Uint8Array, mostRows: number, sheetName?: string): Result.Result<Sheet, string> => {
  try {
    const parts = unpack(bytes)
    const sheets = sheetsOf(parts)
    const sheet = sheetName === undefined ? sheets[0] : sheets.find(({ name }) => name === sheetName)
    if (sheet === undefined) return Result.fail("is a workbook without such a sheet")
    return Result.succeed(readRows(textOf(parts, sheet.path), sharedTexts(textOf(parts, "xl/sharedStrings.xml")), mostRows))
  } catch (cause) {
    return Result.fail(`cannot be read as a workbook: ${(cause as Error).message}`)
  }
}
