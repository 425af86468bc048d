/** A reference to a place in docs/specification, e.g. `Decisions §4, Trust`. */
export interface Citation {
  readonly page: "decisions.md" | "interface.md" | "v-pfr.md"
  /** The possible anchors, the best first; one of them must be on the page. */
  readonly anchors: ReadonlyArray<string>
  /** The words of the text that make the reference. */
  readonly words: string
  /** The position of these words in the text. */
  readonly at: number
}

/** `Document transitions` → `document-transitions`; marks between words do not count. */
const slugOf = (words: string): string =>
  words.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, "-").replaceAll(/^-|-$/g, "")

const otherCitation = /^(?:Spec|Decisions|V-PFR)\b/
const clauseEnd = /[.;:()"“”«»|`\]]|\s[–—]\s|\bSpec,|\bDecisions §|\bV-PFR §|$/

const partsUntilEnd = (rest: string): ReadonlyArray<string> =>
  rest.slice(0, clauseEnd.exec(rest)?.index).split(/,\s+|\s+and\s+/).map((part) => part.trim()).filter((part) => part !== "")

/** `rule 4 of a case` → `rule 4 of a case`, `rule 4 of a`, `rule 4 of`, `rule 4`: a number belongs to the name. */
const beginnings = (part: string): ReadonlyArray<string> => {
  const words = part.split(/\s+/)
  const shortest = Math.max(words.findIndex((word) => /^\d+$/.test(word)), 0)
  return words.slice(shortest).map((_, at) => words.slice(0, words.length - at).join(" "))
}

/** Parts that look like names: a capital letter and then a small one. The rest of a sentence is prose. */
const isName = (part: string): boolean => /^\p{Lu}\p{Ll}/u.test(part) && !otherCitation.test(part)

const numbered = (page: "decisions.md" | "v-pfr.md", text: string, from: number): ReadonlyArray<Citation> => {
  const list = /^(§§?)(\d+(?:\.\d+)?)((?:(?:,|\s+and|\s+to)\s+§?\d+(?:\.\d+)?\b(?![-%]))*)/.exec(text.slice(from))
  if (list === null) return []
  const [whole, mark, first = "", more = ""] = list
  const later = [...more.matchAll(/(§?)(\d+(?:\.\d+)?)/g)].filter(([, own]) => mark === "§§" || own === "§").map(([, , number]) => number ?? "")
  const sections = [first, ...later].map((number) => ({ page, anchors: [number], words: `§${number}`, at: from }))
  const last = later.at(-1) ?? first
  if (page === "v-pfr.md") return sections
  const clauses = partsUntilEnd(text.slice(from + whole.length)).filter(isName)
  return [
    ...sections,
    ...clauses.map((clause) => ({ page, anchors: beginnings(clause).map((words) => `${last}-${slugOf(words)}`), words: clause, at: from }))
  ]
}

const named = (text: string, from: number): ReadonlyArray<Citation> => {
  const [first = "", ...later] = partsUntilEnd(text.slice(from))
  const within = slugOf(first)
  const stem = within.replace(/-\d+$/, "").replace(/s$/, "")
  const anchorsOf = (part: string): ReadonlyArray<string> =>
    beginnings(part).map(slugOf).flatMap((slug) => [`${within}-${slug}`, ...(/^\d/.test(slug) ? [`${stem}-${slug}`, `${stem}s-${slug}`] : [slug])])
  const singular = beginnings(first).map(slugOf).flatMap((slug) => [slug, slug.replace(/rules-(\d+)$/, "rule-$1")])
  return [
    { page: "interface.md", anchors: singular, words: first, at: from },
    ...later.filter((part) => isName(part) || /^\d+$/.test(part)).map((part) => ({ page: "interface.md", anchors: anchorsOf(part), words: part, at: from } as const))
  ]
}

/** Every reference to the specification in a text. Line breaks inside a comment must have been replaced by blanks; see `proseOf`. */
export const citationsOf = (text: string): ReadonlyArray<Citation> =>
  [...text.matchAll(/\b(Spec), |\b(Decisions) (?=§)|(?<![\w-])(V-PFR) (?=§)/g)].flatMap((found) => {
    const from = found.index + found[0].length
    if (found[1] !== undefined) return named(text, from)
    return numbered(found[2] === undefined ? "v-pfr.md" : "decisions.md", text, from)
  })

/** A file's text with every line break, and the comment mark that follows it, turned into a blank of the same length. */
export const proseOf = (text: string): string =>
  text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/|--|#(?=\s))?/g, (match) => " ".repeat(match.length))

/** The anchors of a page: explicit ones only, so that a heading may be reworded. */
export const anchorsIn = (page: string): ReadonlyArray<string> => [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map((found) => found[1] ?? "")

/** A source such as `Spec, Refunds rule 2; Decisions §5`, each of its parts as a link to its place in the specification's `folder`. */
export const linkedSource = (source: string, folder: string, anchorFor: (citation: Citation) => string | undefined): string =>
  source.split("; ").map((part) => {
    const places = citationsOf(part).flatMap((citation) => {
      const anchor = anchorFor(citation)
      return anchor === undefined ? [] : [`${folder}/${citation.page}#${anchor}`]
    })
    const place = places.at(-1)
    return place === undefined ? part : `[${part.replaceAll("[", "\\[").replaceAll("]", "\\]")}](${place})`
  }).join("; ")

/** The anchor of a citation among those of its page. */
export const anchorOf = ({ anchors }: Citation, present: ReadonlySet<string>): string | undefined => anchors.find((anchor) => present.has(anchor))
