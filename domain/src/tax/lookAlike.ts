/**
 * Letters that look alike in Latin, Cyrillic and Greek, each with the shape they share. Used to name the label that was probably meant, never to
 * replace it: a receipt carries what its issuer wrote, or it is refused (Decisions §1).
 */
const shapes = new Map<string, string>(
  [
    ["A", "АΑ"],
    ["B", "ВΒ"],
    ["C", "СϹ"],
    ["E", "ЕΕ"],
    ["H", "НΗ"],
    ["I", "ІΙ"],
    ["J", "ЈͿ"],
    ["K", "КΚ"],
    ["M", "МΜ"],
    ["N", "Ν"],
    ["O", "ОΟ"],
    ["P", "РΡ"],
    ["S", "Ѕ"],
    ["T", "ТΤ"],
    ["X", "ХΧ"],
    ["Y", "УΥҮ"],
    ["Z", "Ζ"],
    // Written for Ђ and Г by those who have no Cyrillic keyboard.
    ["Đ", "ЂЋÐ"],
    ["G", "ГΓ"],
    ["F", "ФΦ"],
    ["Ž", "Ж"]
  ].flatMap(([shape = "", others = ""]) => [...others].map((other): [string, string] => [other, shape]))
)

const shapeOf = (label: string): string =>
  [...label.normalize("NFC").trim().toUpperCase()].map((letter) => shapes.get(letter) ?? letter).join("")

/**
 * The label among the valid ones that a wrong label looks like; undefined when there is none.
 *
 * @example lookAlike("E", ["Ђ", "Е"]) // the Cyrillic "Е"
 */
export const lookAlike = (wrong: string, valid: Iterable<string>): string | undefined => {
  const shape = shapeOf(wrong)
  for (const label of valid) {
    if (shapeOf(label) === shape) return label
  }
  return undefined
}

/** A label with its code points, so that a message distinguishes two letters that look alike. */
export const spelledOut = (label: string): string => {
  const points = [...label].map((letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
  return `${label} (${points.join(" ")})`
}
