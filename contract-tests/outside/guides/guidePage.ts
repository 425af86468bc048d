/** A block of code of a page. */
export interface Block {
  readonly language: string
  readonly code: string
  /** Line of the page where its code begins. */
  readonly line: number
}

/** A command of a page, with the answer that the page shows right below it. */
export interface Step {
  readonly command: Block
  readonly answer: Block | null
}

const opening = /^( *)```(\w*)\s*$/

/** The fenced blocks of a page, those inside lists included. */
export const blocksOf = (markdown: string): ReadonlyArray<Block> => {
  const lines = markdown.split("\n")
  const blocks: Array<Block> = []
  for (let at = 0; at < lines.length; at++) {
    const fence = opening.exec(lines[at] ?? "")
    if (fence === null) continue
    const [, indent = "", language = ""] = fence
    const end = lines.findIndex((line, index) => index > at && line.trim() === "```")
    if (end < 0) throw new Error(`A block that begins on line ${at + 1} has no end.`)
    blocks.push({ language, line: at + 2, code: lines.slice(at + 1, end).map((line) => line.slice(indent.length)).join("\n") })
    at = end
  }
  return blocks
}

/** Each command of a page, with the answer where one follows directly. */
export const stepsOf = (markdown: string): ReadonlyArray<Step> => {
  const blocks = blocksOf(markdown)
  return blocks.flatMap((command, at) => {
    if (command.language !== "sh") return []
    const next = blocks[at + 1]
    // One line ends the command's block, one is empty, one begins the answer's.
    const follows = next !== undefined && next.line === command.line + command.code.split("\n").length + 3 && ["text", "json"].includes(next.language)
    return [{ command, answer: follows ? next : null }]
  })
}
