/** One statement of the interface specification. */
export interface Sentence {
  /** The anchor of the place, and the number of the sentence there: `refunds-rule-4.2`, `catalogue-of-codes.17`. */
  readonly id: string
  /** The anchors of the place, the innermost one first: a rule, then its heading. */
  readonly places: ReadonlyArray<string>
  readonly text: string
  /** The cells of a table's row by their column; null where it is no row. */
  readonly cells: Readonly<Record<string, string>> | null
}

const anchor = /<a id="([^"]+)"><\/a>/g
const anchorsOf = (line: string): ReadonlyArray<string> => [...line.matchAll(anchor)].map(([, id = ""]) => id)
const withoutAnchors = (line: string): string => line.replaceAll(anchor, "").trim()

const cellsOf = (line: string): ReadonlyArray<string> => line.trim().slice(1, -1).split(" | ").map((cell) => cell.replaceAll(/^\||\|$/g, "").trim())

/** Where a sentence ends: at a full stop before a capital letter, a digit, a backtick or a bold word; not after an abbreviation. */
const between = /(?<=\.)(?<!e\.g\.)\s+(?=[A-Z0-9`*{])/

const isTable = (line: string): boolean => line.trim().startsWith("|")
const isRule = (line: string): boolean => /^\|[\s:|-]+\|$/.test(line.trim())
const beginsItem = (line: string): boolean => /^\s*(?:\d+\.|-)\s/.test(line)

interface Block {
  readonly places: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
}

/** Paragraphs, list items and tables, each with the anchors of its place. */
const blocksOf = (page: string): ReadonlyArray<Block> => {
  const blocks: Array<{ places: ReadonlyArray<string>; lines: Array<string> }> = []
  let heading: ReadonlyArray<string> = []
  let pending: Array<string> = []
  let open: Array<string> | null = null
  let item: ReadonlyArray<string> = []
  for (const line of page.split("\n")) {
    const ids = anchorsOf(line)
    const text = withoutAnchors(line)
    // What is indented belongs to the rule above it.
    if (!/^\s/.test(line) && text !== "") item = ids
    const inItem = /^\s/.test(line) ? item : []
    if (text === "") {
      open = null
      pending.push(...ids)
    } else if (text.startsWith("#")) {
      heading = [...pending]
      item = []
      pending = []
      open = null
    } else if (isTable(text)) {
      const table = open !== null && isTable(open[0] ?? "") ? open : null
      if (table === null) {
        open = [line]
        blocks.push({ places: [...pending, ...inItem, ...heading], lines: open })
        pending = []
      } else table.push(line)
    } else if (open !== null && !beginsItem(text) && !isTable(open[0] ?? "")) open.push(text)
    else {
      open = [text]
      blocks.push({ places: [...ids, ...pending, ...inItem, ...heading], lines: open })
      pending = []
    }
  }
  return blocks
}

const rowsOf = ({ lines, places }: Block): ReadonlyArray<Omit<Sentence, "id">> => {
  const [head = "", ...rows] = lines
  const columns = cellsOf(withoutAnchors(head))
  return rows.filter((line) => !isRule(line)).map((line) => {
    const cells = cellsOf(withoutAnchors(line))
    return {
      places: [...anchorsOf(line), ...places],
      text: cells.filter((cell) => cell !== "").join(": "),
      cells: Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]))
    }
  })
}

const proseOf = ({ lines, places }: Block): ReadonlyArray<Omit<Sentence, "id">> =>
  lines.join(" ").replace(/^(?:\d+\.|-)\s+/, "").split(between).map((text) => ({ places, text: text.trim(), cells: null }))

/** Every statement of the page, in its order: each row of a table, each sentence of a rule or a paragraph. */
export const readSentences = (page: string): ReadonlyArray<Sentence> => {
  const counts = new Map<string, number>()
  return blocksOf(page).flatMap((block) => isTable(block.lines[0] ?? "") ? rowsOf(block) : proseOf(block))
    .filter(({ text }) => /\p{L}/u.test(text))
    .map((sentence) => {
      const place = sentence.places[0] ?? "page"
      const number = (counts.get(place) ?? 0) + 1
      counts.set(place, number)
      return { ...sentence, id: `${place}.${number}` }
    })
}
