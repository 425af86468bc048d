import type { ReceiptFont } from "./receiptFonts.ts"

/** The longest beginning of a word that fits; at least one character, so that the loop around it ends. */
const fittingLength = (word: ReadonlyArray<string>, font: ReceiptFont, size: number, width: number): number => {
  let used = 0
  for (const [index, character] of word.entries()) {
    used += font.width(character, size)
    if (used > width && index > 0) return index
  }
  return word.length
}

const wrapParagraph = (paragraph: string, font: ReceiptFont, size: number, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of paragraph.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`
    if (font.width(joined, size) <= width) {
      line = joined
      continue
    }
    if (line !== "") lines.push(line.trimEnd())
    let rest = [...word]
    while (font.width(rest.join(""), size) > width) {
      const length = fittingLength(rest, font, size, width)
      lines.push(rest.slice(0, length).join(""))
      rest = rest.slice(length)
      if (rest.length === 0) break
    }
    line = rest.join("")
  }
  return [...lines, line]
}

/** Text in lines no wider than `width`: broken at spaces, inside a word only where it must be, and at every newline. */
export const wrapText = (text: string, font: ReceiptFont, size: number, width: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, font, size, width))
