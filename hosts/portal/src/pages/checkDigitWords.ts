import type { Say } from "../language/Language.ts"

/** A wrong digit may stand anywhere; the last one only shows that there is one. */
const checkAll = (say: Say): string => say(" Проверите све цифре.", " Check every digit.")

/** Of a tax identifier whose last digit is not the expected one (docs/adr/0320). */
export const taxIdDigitWords = (say: Say, expected: string): string =>
  say(`Последња цифра ПИБ-а не одговара осталима: требало би да буде ${expected}.`, `The last digit of the tax id does not fit the others: it should be ${expected}.`) + checkAll(say)

/** Of a barcode whose last digit is not the expected one. */
export const gtinDigitWords = (say: Say, expected: string): string =>
  say(`Последња цифра баркода не одговара осталима: требало би да буде ${expected}.`, `The last digit of the barcode does not fit the others: it should be ${expected}.`) + checkAll(say)

/** Of a barcode that is stored so already, and stays. */
export const storedGtinWords = (say: Say, expected: string): string =>
  `${gtinDigitWords(say, expected)} ${say("Тако је сачуван, и тако се штампа.", "It is stored so, and is printed so.")}`
