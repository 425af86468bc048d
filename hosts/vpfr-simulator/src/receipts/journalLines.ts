import { characterCount, piecesOf } from "../characters.ts"

/** The paper's width in characters (V-PFR §8.1). */
export const width = 40

export const padded = (text: string): string => text + " ".repeat(Math.max(0, width - characterCount(text)))

/** Centred, the left side rounded down, padded with the sign: `-----ПРОМЕТ ПРОДАЈА-----`. */
export const centred = (text: string, sign = " "): string => {
  const free = Math.max(0, width - characterCount(text))
  const left = Math.floor(free / 2)
  return sign.repeat(left) + text + sign.repeat(free - left)
}

/** Split every forty characters, the last line padded. */
export const hardWrapped = (text: string): ReadonlyArray<string> => piecesOf(text, width).map(padded)

/**
 * Wrapped at blanks; only a word longer than a line is split. A text that fits is unchanged: a certificate's trailing blanks count when it is centred
 * (V-PFR §3, address; §8.8 B).
 */
export const wordWrapped = (text: string): ReadonlyArray<string> => {
  if (characterCount(text) <= width) return [text]
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ").filter((part) => part !== "")) {
    const joined = line === "" ? word : `${line} ${word}`
    if (characterCount(joined) <= width) {
      line = joined
      continue
    }
    if (line !== "") lines.push(line)
    const pieces = hardWrapped(word).map((piece) => piece.trimEnd())
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ""
  }
  return line === "" ? lines : [...lines, line]
}

/** The key left, the value right; where both and a blank do not fit, split at the end of the line and continued (V-PFR §8.1). */
export const keyAndValue = (key: string, value: string): ReadonlyArray<string> => {
  const free = width - characterCount(key) - characterCount(value)
  return free >= 1 ? [key + " ".repeat(free) + value] : hardWrapped(`${key} ${value}`)
}

/** Texts that end in given columns, counted from one; a text too long for its column pushes the rest to the right. */
export const endingIn = (columns: ReadonlyArray<readonly [text: string, column: number]>): string =>
  padded(
    columns.reduce((line, [text, column]) => {
      const blanks = column - characterCount(line) - characterCount(text)
      return line + " ".repeat(Math.max(line === "" ? 0 : 1, blanks)) + text
    }, "")
  )
