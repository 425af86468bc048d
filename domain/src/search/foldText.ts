/** Cyrillic letters with their Latin equivalents, without diacritics. Source: Decisions §11. */
const latinOf: Readonly<Record<string, string>> = {
  а: "a", б: "b", в: "v", г: "g", д: "d", ђ: "dj", е: "e", ж: "z", з: "z", и: "i", ј: "j", к: "k", л: "l", љ: "lj", м: "m",
  н: "n", њ: "nj", о: "o", п: "p", р: "r", с: "s", т: "t", ћ: "c", у: "u", ф: "f", х: "h", ц: "c", ч: "c", џ: "dz", ш: "s", đ: "dj"
}

const plainAscii = /^[\x20-\x7e]*$/
// Marks are removed after decomposition; a control character becomes a blank, so that a search text never contains a stored separator.
const mark = /\p{M}/gu
const control = /\p{Cc}/u

const lowerCase = (character: string): string => {
  let lower = ""
  // Upper case first: some letters have two small forms, which lower case alone would keep different (Greek sigma, German sharp s).
  for (const one of character.toUpperCase()) lower += one.toLowerCase()
  return lower
}

/** One character as `foldText` folds it, computed anew. */
export const foldCharacter = (character: string): string => {
  if (control.test(character)) return " "
  let folded = ""
  // Decomposed after the change of case too, because the small form of a capital letter may contain a mark.
  for (const one of lowerCase(character.normalize("NFKD")).normalize("NFKD").replace(mark, "")) folded += latinOf[one] ?? one
  return folded
}

/**
 * The same function of a text, which keeps the results of its first `most` different texts. Every other text is computed at each call, so that no caller can
 * fill the memory.
 *
 * @example const folded = memoized(foldCharacter, 4_096)
 */
export const memoized = (compute: (text: string) => string, most: number): (text: string) => string => {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const result = compute(text)
    if (known.size < most) known.set(text, result)
    return result
  }
}

/** As many characters as the scripts of Europe have; folding one takes a microsecond, a look-up a hundredth of it. */
const mostKnown = 4_096

const foldedOnce = memoized(foldCharacter, mostKnown)

/**
 * A text in the form that searches compare: without letter case, script and diacritics, so that `secer`, `ŠEĆER` and `шећер` are equal. Each
 * character is folded separately, whatever its neighbours; therefore a part of a text folds to a part of the folded text. The result contains no
 * control character. Source: Decisions §11.
 *
 * @example foldText("Шећер у праху") // "secer u prahu"
 */
export const foldText = (text: string): string => {
  if (plainAscii.test(text)) return text.toLowerCase()
  let folded = ""
  for (const character of text) folded += foldedOnce(character)
  return folded
}

const letters: Readonly<Record<string, string>> = {
  а: "a", б: "b", в: "v", г: "g", д: "d", ђ: "đ", е: "e", ж: "ž", з: "z", и: "i", ј: "j", к: "k", л: "l", љ: "lj", м: "m", н: "n", њ: "nj", о: "o",
  п: "p", р: "r", с: "s", т: "t", ћ: "ć", у: "u", ф: "f", х: "h", ц: "c", ч: "č", џ: "dž", ш: "š"
}

const latin = (letter: string, next: string | undefined): string => {
  const small = letters[letter]
  if (small !== undefined) return small
  const large = letters[letter.toLowerCase()]
  if (large === undefined) return letter
  // LJ in a word of capitals, Lj at the beginning of a name.
  const inCapitals = next !== undefined && next !== next.toLowerCase()
  return inCapitals ? large.toUpperCase() : large.slice(0, 1).toUpperCase() + large.slice(1)
}

/** Serbian Cyrillic in the Latin script, letter by letter; everything else is unchanged. */
export const toLatin = (text: string): string => {
  const characters = [...text]
  return characters.map((letter, index) => latin(letter, characters[index + 1])).join("")
}
