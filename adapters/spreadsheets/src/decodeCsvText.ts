import { Result } from "effect"

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

const beginsWith = (bytes: Uint8Array, ...beginning: ReadonlyArray<number>): boolean =>
  beginning.every((byte, at) => bytes[at] === byte)

/** The codes of Š Ž š ž Ć Č Đ ć č đ in Windows-1250. In Windows-1251 only some of them are letters of Serbian words. */
const latinLetters: ReadonlySet<number> = new Set([0x8a, 0x8e, 0x9a, 0x9e, 0xc6, 0xc8, 0xd0, 0xe6, 0xe8, 0xf0])

const asUtf8 = "save it as “CSV UTF-8 (Comma delimited)” in Excel, or with the character set UTF-8 in LibreOffice, and send it again"

/** How many bytes above ASCII follow another one: Cyrillic text has whole words of them, Latin text only single letters. */
const neighbours = (bytes: Uint8Array): number => bytes.reduce((count, byte, at) => count + Number(byte >= 0x80 && (bytes[at - 1] ?? 0) >= 0x80), 0)

/** Whether a text of one byte for each character has Cyrillic words. */
export const looksCyrillic = (bytes: Uint8Array): boolean => {
  const sample = bytes.subarray(0, 100_000)
  return neighbours(sample) * 2 > sample.reduce((count, byte) => count + Number(byte >= 0x80), 0)
}

const otherEncoding = (bytes: Uint8Array): string => {
  const sample = bytes.subarray(0, 100_000)
  if (looksCyrillic(sample)) return "looks like Windows-1251"
  return sample.some((byte) => latinLetters.has(byte)) ? "looks like Windows-1250" : "is in another character set"
}

/**
 * The text of a CSV file in UTF-8, or a sentence about the file's real encoding and how to save it.
 *
 * @example decodeCsvText(Uint8Array.of(0x8a)) // fails with "is not UTF-8: it looks like Windows-1250; save it as …"
 */
export const decodeCsvText = (bytes: Uint8Array): Result.Result<string, string> => {
  if (beginsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || beginsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    return Result.fail(`is a workbook, not CSV; ${asUtf8}`)
  }
  if (beginsWith(bytes, 0xff, 0xfe) || beginsWith(bytes, 0xfe, 0xff)) return Result.fail(`is UTF-16, not UTF-8; ${asUtf8}`)
  try {
    return Result.succeed(strictUtf8.decode(bytes))
  } catch {
    return Result.fail(`is not UTF-8: it ${otherEncoding(bytes)}; ${asUtf8}`)
  }
}
