import type { Sheet } from "@overa/domain"
import { Result } from "effect"
import { decodeCsvText, looksCyrillic } from "./decodeCsvText.ts"
import { readCsv } from "./readCsv.ts"
import { isWorkbook, readWorkbook } from "./readWorkbook.ts"

/** How a file was read: its kind, and where that was a guess, the character set. */
export type ReadAs = "XLSX" | "UTF-8" | "UTF-16" | "Windows-1250" | "Windows-1251"

const utf16 = (bytes: Uint8Array): string | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  return bytes[0] === 0xfe && bytes[1] === 0xff ? new TextDecoder("utf-16be").decode(bytes) : null
}

const textOf = (bytes: Uint8Array): { readonly text: string; readonly as: ReadAs } => {
  const wide = utf16(bytes)
  if (wide !== null) return { text: wide, as: "UTF-16" }
  const plain = decodeCsvText(bytes)
  if (Result.isSuccess(plain)) return { text: plain.success, as: "UTF-8" }
  const as = looksCyrillic(bytes) ? "Windows-1251" : "Windows-1250"
  return { text: new TextDecoder(as.toLowerCase()).decode(bytes), as }
}

/** The old workbooks (XLS), which are no archives. */
const isOldWorkbook = (bytes: Uint8Array): boolean => [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte)

/**
 * A file as Excel or LibreOffice in Serbia writes it: a workbook, or CSV in UTF-8, UTF-16, Windows-1250 or Windows-1251. A sentence where it is none of them.
 * A person looks at the result before anything is done with it, because the two Windows character sets can only be told apart by their letters.
 */
export const readAnySheet = async (bytes: Uint8Array, mostRows: number): Promise<Result.Result<{ readonly sheet: Sheet; readonly as: ReadAs }, string>> => {
  if (isOldWorkbook(bytes)) return Result.fail("is a workbook of the old kind (XLS); save it as XLSX")
  if (isWorkbook(bytes)) return Result.map(readWorkbook(bytes, mostRows), (sheet) => ({ sheet, as: "XLSX" as const }))
  const { as, text } = textOf(bytes)
  return Result.succeed({ sheet: await readCsv(text, mostRows), as })
}
