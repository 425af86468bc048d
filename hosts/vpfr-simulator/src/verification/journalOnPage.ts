import { hardWrapped } from "../receipts/journalLines.ts"

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const amounts = /^ *[\d.]+,\d\d +[\d.,]+ +-?[\d.]+,\d\d$/

/** Names of items are escaped before they are wrapped, so that a line of forty may end inside `&amp;`. */
const itemLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const printed: Array<string> = []
  let name = ""
  for (const line of lines) {
    if (name.trimEnd().endsWith(")") && amounts.test(line)) {
      printed.push(...hardWrapped(escaped(name.trimEnd())), line)
      name = ""
    } else name += line
  }
  return printed
}

/**
 * The journal in the public check: the tax authority prints it again, escaped for its page, and without a line end at its end (V-PFR §3, §7.2; published receipts of 2023
 * and 2025).
 */
export const journalOnPage = (journal: string): string => {
  const lines = journal.replace(/\r\n$/, "").split("\r\n")
  const from = lines.indexOf("=".repeat(40)) + 2
  const to = lines.indexOf("-".repeat(40), from)
  return to < 0 ? journal : [...lines.slice(0, from).map(escaped), ...itemLines(lines.slice(from, to)), ...lines.slice(to).map(escaped)].join("\r\n")
}
