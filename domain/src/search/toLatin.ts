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
