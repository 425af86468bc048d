import type { ReceiptFont } from "./receiptFonts.ts"

/** Length of the longest beginning of a word that fits; at least one character, so that the loop around it ends. */
const fittingLength = (word: string, font: ReceiptFont, size: number, width: number): number => {
  let [used, length] = [0, 0]
  for (const character of word) {
    used += font.width(character, size)
    if (used > width && length > 0) return length
    length += character.length
  }
  return length
}

const wrapParagraph = (paragraph: string, font: ReceiptFont, size: number, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of paragraph.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`
    if (font.fits(joined, size, width)) {
      line = joined
      continue
    }
    if (line !== "") lines.push(line.trimEnd())
    let rest = word
    while (rest !== "" && !font.fits(rest, size, width)) {
      const length = fittingLength(rest, font, size, width)
      lines.push(rest.slice(0, length))
      rest = rest.slice(length)
    }
    line = rest
  }
  return [...lines, line]
}

/** Text in lines no wider than `width`: broken at spaces, inside a word only where it must be, and at every newline. */
export const wrapText = (text: string, font: ReceiptFont, size: number, width: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, font, size, width))
