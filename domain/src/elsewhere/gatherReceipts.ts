import { fiscalFrame, nonFiscalFrame } from "../receipt-text/textLines.ts"

/** A piece of a file that tells of one receipt, with the line on which it begins. */
export type GatheredPiece =
  | { readonly _tag: "Link"; readonly line: number; readonly text: string }
  | { readonly _tag: "Journal"; readonly line: number; readonly text: string }
  /** A receipt's text whose end is missing. */
  | { readonly _tag: "Cut"; readonly line: number }
  /** A line that should tell of a receipt and does not. */
  | { readonly _tag: "Nothing"; readonly line: number }
  /** The rest of a file that cannot be read. */
  | { readonly _tag: "Unreadable"; readonly line: number; readonly reason: string }

/** Takes a file line by line, so that memory does not grow with it. */
export interface ReceiptGatherer {
  readonly take: (line: string) => ReadonlyArray<GatheredPiece>
  readonly end: () => ReadonlyArray<GatheredPiece>
}

const address = /https?:\/\/[^\s"'<>();,|]{1,200}[?&]vl=[^\s"'<>();,|]{1,4000}/g
/** A string of JSON. Its end is optional in the pattern: otherwise one without an end, as a CSV file's cell of several lines is, would be tried again from each quote. */
const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"?/g
/** The longest receipt has some thousand items of a few lines. */
const mostLines = 20_000
const bare = (line: string): string => line.replaceAll("=", "").trim()
const marks = [bare(fiscalFrame.first), bare(fiscalFrame.last), bare(nonFiscalFrame.first)]

interface Open {
  readonly line: number
  readonly last: string
  /** In a CSV file's cell quotes are doubled. */
  readonly quoted: boolean
  readonly lines: Array<string>
}

const opening = (text: string, line: number): Open | null => {
  for (const { first, last } of [fiscalFrame, nonFiscalFrame]) {
    const at = text.indexOf(first)
    if (at >= 0) return { line, last, quoted: text[at - 1] === "\"", lines: [text.slice(at)] }
  }
  return null
}

const literal = (text: string): string => {
  try {
    return String(JSON.parse(text))
  } catch {
    return ""
  }
}

/** The strings of a line of JSON, and what stands outside of them. */
const decoded = (text: string): { readonly values: ReadonlyArray<string>; readonly rest: string } => {
  const values: Array<string> = []
  if (!/^\s*[[{"]/.test(text)) return { values, rest: text }
  const rest = text.replaceAll(jsonString, (found) => {
    const value = literal(found)
    if (value === "") return found
    values.push(value)
    return " "
  })
  return { values, rest }
}

/** The pieces of a whole text. `everyLine`: see `receiptGatherer`. */
export const gatherText = (text: string, everyLine = false): ReadonlyArray<GatheredPiece> => {
  const gatherer = receiptGatherer({ everyLine })
  return [...text.split(/\r?\n/).flatMap(gatherer.take), ...gatherer.end()]
}

/**
 * Finds the verification links and the texts of receipts in a file of another program: a list of links, receipts one after the other, CSV with either in
 * a column, JSON lines or JSON with either in any member. What stands around them is not read.
 *
 * @param everyLine The file is a list: each line but its first, which may be a heading, must tell of a receipt.
 */
export const receiptGatherer = ({ everyLine }: { readonly everyLine: boolean }): ReceiptGatherer => {
  let number = 0
  let open: Open | null = null

  const close = (receipt: Open, rest: string): ReadonlyArray<GatheredPiece> => {
    open = null
    const text = receipt.lines.join("\r\n")
    return [{ _tag: "Journal", line: receipt.line, text: receipt.quoted ? text.replaceAll("\"\"", "\"") : text }, ...outside(rest)]
  }

  const inside = (receipt: Open, text: string): ReadonlyArray<GatheredPiece> => {
    const at = text.indexOf(receipt.last)
    if (at < 0) {
      receipt.lines.push(text)
      if (receipt.lines.length <= mostLines && !text.includes(fiscalFrame.first)) return []
      open = null
      return [{ _tag: "Cut", line: receipt.line }, ...(text.includes(fiscalFrame.first) ? outside(text) : [])]
    }
    const end = at + receipt.last.length
    receipt.lines.push(text.slice(0, end))
    return close(receipt, text.slice(end))
  }

  const outside = (text: string): ReadonlyArray<GatheredPiece> => {
    const { rest, values } = decoded(text)
    const found: ReadonlyArray<GatheredPiece> = [
      ...values.flatMap((value) => gatherText(value).map((piece) => ({ ...piece, line: number }))),
      ...Array.from(rest.matchAll(address), ([link]): GatheredPiece => ({ _tag: "Link", line: number, text: link }))
    ]
    open = opening(rest, number)
    return found
  }

  /** What is surely meant as a receipt: a mark of its text, a link. */
  const isMeant = (text: string): boolean => /[?&]vl=|https?:\/\//.test(text) || marks.some((mark) => text.includes(mark))

  return {
    take: (text) => {
      number += 1
      if (open !== null) return inside(open, text)
      const found = outside(number === 1 ? text.replace(/^\uFEFF/, "") : text)
      if (found.length > 0 || open !== null || text.trim() === "") return found
      return (everyLine && number > 1) || isMeant(text) ? [{ _tag: "Nothing", line: number }] : []
    },
    end: () => open === null ? [] : [{ _tag: "Cut", line: open.line }]
  }
}
