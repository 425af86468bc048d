import { foldText } from "../search/foldText.ts"

/** Bounds in code points. */
export const passwordLimits = { shortest: 12, longest: 200 } as const

/** Why a password is not accepted. */
export type PasswordFault = "TOO_SHORT" | "TOO_LONG" | "LIKE_EMAIL" | "LIKE_ORGANIZATION" | "TOO_SIMPLE" | "TOO_COMMON" | "SAME_AS_BEFORE"

/** What is known about the person who sets a password, and about passwords of others. */
export interface PasswordContext {
  readonly email: string
  /** The names of the organizations in which the person has, or is about to have, a role. */
  readonly organizations: ReadonlyArray<string>
  /** Whether a word is one of the most common passwords; it is asked in lower case. */
  readonly isCommon: (word: string) => boolean
}

const sequence = "abcdefghijklmnopqrstuvwxyz01234567890qwertyuiopasdfghjklzxcvbnm1234567890"

// Words that people here repeat when a short password was refused; lists of leaks have few of them.
const ownWords: ReadonlySet<string> = new Set([
  "admin", "asdf", "azerty", "beograd", "crvenazvezda", "fiskalni", "iloveyou", "kasa", "kasica", "letmein", "lozinka", "mojalozinka", "novalozinka", "overa", "partizan", "password",
  "pfr", "prodavnica", "qwerty", "racun", "racuni", "sifra", "srbija", "welcome", "zvezda"
])

const isSimple = (password: string): boolean => {
  const text = password.toLowerCase()
  return new Set(text).size < 5 || sequence.includes(text)
}

const lettersOf: Readonly<Record<string, string>> = { "0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i", "€": "e" }

/** Digits and signs for letters, as in `p@ssw0rd`; 1 stands for i and for l. */
const asLetters = (text: string, one: "i" | "l"): string => text.replace(/[0134578@$!€]/g, (sign) => sign === "1" ? one : lettersOf[sign] ?? sign)

/** As many digits and signs at an end are taken off one by one; of more, only all. */
const mostOneByOne = 8

/** The text without the digits and signs at its end, and without some of them: they may stand for letters, as in `b@seb@11`. */
const endings = (text: string): ReadonlyArray<string> => {
  const bare = text.replace(/[^a-z]+$/, "")
  return [bare, ...Array.from({ length: Math.min(text.length - bare.length, mostOneByOne) }, (_, at) => text.slice(0, text.length - at))]
}

const mirrored = (text: string): string => [...text].toReversed().join("")

/** The same at both ends. */
const cores = (text: string): ReadonlyArray<string> => endings(text).flatMap((it) => endings(mirrored(it)).map(mirrored))

/** The part that is repeated, as in `dragondragon`; the text itself where none is. */
const repeatedPart = (text: string): string => {
  const length = (text + text).indexOf(text, 1)
  return length > 0 ? text.slice(0, length) : text
}

/** What a guesser who knows common passwords tries first: the word itself, with digits and signs around it, with digits for letters, with gaps, repeated. */
const wordsIn = (password: string): ReadonlyArray<string> => {
  const text = foldText(password)
  const joined = text.replace(/[\s._-]+/g, "")
  const found = new Set([...cores(text), ...cores(joined)].flatMap((it) => [it, repeatedPart(it)]).flatMap((it) => [it, asLetters(it, "i"), asLetters(it, "l")]))
  return [...found].filter((it) => it.length >= 3)
}

/** The words of an organization's name that are long enough to name it; forms of companies are shorter. */
const namesOf = (organizations: ReadonlyArray<string>): ReadonlyArray<string> =>
  organizations.flatMap((name) => foldText(name).split(/[^a-z0-9]+/)).filter((word) => word.length >= 5)

/**
 * What is wrong with a new password, or null. Length is what protects: there are no rules about kinds of characters (NIST SP 800-63B §3.1.1.2), and
 * what is guessed first is refused: the most common passwords, in the forms in which people vary them, and names of the person and the organization.
 */
export const passwordFault = (password: string, { email, isCommon, organizations }: PasswordContext): PasswordFault | null => {
  const length = [...password].length
  if (length < passwordLimits.shortest) return "TOO_SHORT"
  if (length > passwordLimits.longest) return "TOO_LONG"
  const [name = ""] = email.split("@")
  if (name.length >= 4 && password.toLowerCase().includes(name.toLowerCase())) return "LIKE_EMAIL"
  const folded = foldText(password)
  if (namesOf(organizations).some((word) => folded.includes(word))) return "LIKE_ORGANIZATION"
  if (isSimple(password)) return "TOO_SIMPLE"
  return wordsIn(password).some((word) => ownWords.has(word) || isCommon(word)) ? "TOO_COMMON" : null
}
