import { foldText } from "@overa/domain"

/** The separator between the searched texts of a row; folding leaves no control character, so no search can contain it. */
const textSeparator = "\n"

/**
 * The most parts by which a search is looked up; the comparison with the text itself does the rest. The index reads the list of the rarest part and
 * looks up each entry in the lists of the others, so among short texts, where few parts leave few rows, more parts cost more than they save.
 */
export const mostSought = { inShortTexts: 4, inLongTexts: 12 } as const

const fnvPrime = 0x01000193
const fnvOffset = 0x811c9dc5

/** FNV-1a over UTF-16 units, as the signed 32-bit number that `integer` holds. */
const hashOn = (start: number, text: string): number => {
  let hash = start
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), fnvPrime)
  return hash | 0
}

/** Numbers texts within a scope: the same text has other numbers for another tenant or another month. */
export type Numbering = (text: string) => number

export const numberingOf = (...scope: ReadonlyArray<string>): Numbering => {
  const seed = hashOn(fnvOffset, `${scope.join(" ")} `)
  return (text) => hashOn(seed, text)
}

/** All parts of a folded text that have this many characters. */
const partsOf = (characters: ReadonlyArray<string>, size: number): ReadonlyArray<string> =>
  characters.slice(0, Math.max(0, characters.length - size + 1)).map((_, at) => characters.slice(at, at + size).join(""))

/** What a row stores for searches: its folded text, and the numbers of all parts by which a search may look it up. */
export interface SearchKeys {
  readonly text: string
  readonly grams: ReadonlyArray<number>
}

export const searchKeys = (numbering: Numbering, texts: ReadonlyArray<string>): SearchKeys => {
  const folded = texts.map(foldText)
  const grams = new Set<number>()
  for (const text of folded) {
    const characters = [...text]
    for (const size of [1, 2, 3]) for (const part of partsOf(characters, size)) grams.add(numbering(part))
  }
  return { text: folded.join(textSeparator), grams: [...grams] }
}

/** At most `most` of the parts, spread evenly from the first to the last. */
const spread = (parts: ReadonlyArray<string>, most: number): ReadonlyArray<string> =>
  parts.length <= most ? parts : Array.from({ length: most }, (_, at) => parts[Math.round((at * (parts.length - 1)) / (most - 1))] ?? "")

/** A part that this share of the rows have leaves hardly fewer rows, and its list in the index is the longest. */
const commonShare = 3 / 4

/** The parts without those that most of the texts have, as `order-` in the references of a shop; all of them where nothing else is left. */
const telling = (parts: ReadonlyArray<string>, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seldom = parts.filter((part) => texts.filter((text) => text.includes(part)).length < texts.length * commonShare)
  return seldom.length === 0 ? parts : seldom
}

/**
 * The parts by which a text is looked up, at most `most`; none where nothing remains to look for.
 *
 * @param texts folded texts of some rows, from which it is seen which parts most rows have. Twice as many parts as are wanted are compared with them, so that a
 *   long text does not take long.
 */
export const soughtParts = (search: string, most: number, texts: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const characters = [...foldText(search)]
  const parts = partsOf(characters, Math.min(3, characters.length))
  return spread(texts.length === 0 ? parts : telling(spread(parts, 2 * most), texts), most)
}

/** What a search looks for: the folded text, and numbers that every row with the text has. Null where nothing remains to look for. */
export const soughtKeys = (numbering: Numbering, search: string, most: number): SearchKeys | null => {
  const text = foldText(search)
  return text === "" ? null : { text, grams: [...new Set(soughtParts(search, most).map(numbering))] }
}
