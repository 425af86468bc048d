import type { BelowBlock, Column } from "../layout/ReceiptLayout.ts"
import type { Group, Row, Run } from "./flow.ts"
import { baseline, space } from "./flow.ts"
import type { Paper, Type } from "./Paper.ts"
import { type FontName, receiptFont } from "./receiptFonts.ts"
import { wrapText } from "./wrapText.ts"

/** Text over the full width, with line breaks where needed. */
export const paragraph = (paper: Paper, text: string, font: FontName, type: Type): ReadonlyArray<Row> =>
  wrapText(text, receiptFont(font), type.size, paper.own.width).map((line) => ({
    height: type.line,
    runs: [{ font, size: type.size, x: paper.own.x, dy: type.line * baseline, text: line }]
  }))

const heading = (paper: Paper, title: string): Group => ({
  tag: "H2",
  rows: paragraph(paper, title, "sansBold", paper.own.heading),
  keepWithNext: true
})

const cellRuns = (
  column: Column & { readonly x: number; readonly width: number },
  cell: number,
  text: string,
  font: FontName,
  type: Type
): ReadonlyArray<Run> => {
  const face = receiptFont(font)
  return wrapText(text, face, type.size, column.width).map((line, index) => ({
    font,
    size: type.size,
    x: column.align === "left" ? column.x : column.x + column.width - face.width(line, type.size),
    dy: type.line * (index + baseline),
    text: line,
    cell
  }))
}

/** Columns beside each other under their heads, a thin line under every row. */
export const wideTable = (paper: Paper, block: BelowBlock & { readonly kind: "table" }): Group => {
  const gutter = 8
  const { small, type, width, x } = paper.own
  let left = x
  const columns = block.columns.map((column) => {
    const placed = { ...column, x: left, width: column.share * width - gutter }
    left += column.share * width
    return column.align === "right" ? { ...placed, x: placed.x + gutter } : placed
  })
  const row = (cells: ReadonlyArray<string>, font: FontName, face: Type, heads: boolean): Row => {
    const runs = columns.flatMap((column, index) => cellRuns(column, index, cells[index] ?? "", font, face))
    const height = Math.max(...runs.map((run) => run.dy)) + face.line * (1 - baseline) + 2.5
    const bar = { x, dy: height - 1.2, width, height: heads ? 0.7 : 0.35, grey: heads ? 0.25 : 0.75 }
    return { height, runs, bars: [bar], heads }
  }
  const heads = row(block.columns.map((column) => column.title), "sansBold", small, true)
  return { tag: "Table", rows: [heads, ...block.rows.map((cells) => row(cells, "sans", type, false))] }
}

/** On a roll each row is its first cell on a line of its own, then every other value behind its name. */
const narrowTable = (paper: Paper, block: BelowBlock & { readonly kind: "table" }): Group => {
  const { small, type, width, x } = paper.own
  const rows = block.rows.map((cells): Row => {
    const names = cellRuns({ title: "", align: "left", share: 1, x, width }, 0, cells[0] ?? "", "sans", type)
    const named = block.columns.slice(1).map((column, index) =>
      block.columns.length > 2 ? `${column.title} ${cells[index + 1] ?? ""}`.replaceAll(" ", "\u00a0") : cells[index + 1] ?? ""
    )
    const values = cellRuns({ title: "", align: "right", share: 1, x, width }, 1, named.join("  "), "sans", small)
    const top = names.length * type.line
    const height = top + values.length * small.line + small.line * 0.15
    return { height, runs: [...names, ...values.map((run) => ({ ...run, dy: run.dy + top }))] }
  })
  return { tag: "Table", rows }
}

/** Name at the left, amount at the right edge; a value too long for its line goes under the name. */
const amountsGroup = (paper: Paper, rows: ReadonlyArray<readonly [string, string]>): Group => {
  const { type, x } = paper.own
  const width = Math.min(paper.own.width, paper.column.width * 1.4)
  return {
    tag: "Table",
    rows: rows.map(([name, value]): Row => {
      const [sans, bold] = [receiptFont("sans"), receiptFont("sansBold")]
      const valueWidth = bold.width(value, type.size)
      const fits = sans.width(name, type.size) + valueWidth + type.size <= width
      const dy = type.line * baseline
      return {
        height: fits ? type.line : 2 * type.line,
        runs: [
          { font: "sans", size: type.size, x, dy, text: name, cell: 0 },
          { font: "sansBold", size: type.size, x: x + width - valueWidth, dy: fits ? dy : dy + type.line, text: value, cell: 1 }
        ]
      }
    })
  }
}

/** Left of each line of the seller's message, and from it to the text. */
const messageBar = { width: 1.6, gutter: 6 } as const

const messageGroup = (paper: Paper, text: string): Group => {
  const { type, width, x } = paper.own
  const bar = { x, dy: 0, width: messageBar.width, height: type.line, grey: 0.2 }
  const indent = messageBar.width + messageBar.gutter
  return {
    tag: "P",
    rows: wrapText(text, receiptFont("sans"), type.size, width - indent).map((line): Row => ({
      height: type.line,
      runs: [{ font: "sans", size: type.size, x: x + indent, dy: type.line * baseline, text: line }],
      bars: [bar]
    }))
  }
}

const thanksGroup = (paper: Paper, text: string): Group => {
  const { type } = paper.own
  const font = receiptFont("sansBold")
  const rows = wrapText(text, font, type.size, paper.own.width).map((line): Row => ({
    height: type.line,
    runs: [{ font: "sansBold", size: type.size, x: (paper.width - font.width(line, type.size)) / 2, dy: type.line * baseline, text: line }]
  }))
  return { tag: "P", rows }
}

const blockGroups = (paper: Paper, block: BelowBlock): ReadonlyArray<Group> => {
  switch (block.kind) {
    case "table":
      return [heading(paper, block.title), paper.wideTables ? wideTable(paper, block) : narrowTable(paper, block)]
    case "amounts":
      return [heading(paper, block.title), amountsGroup(paper, block.rows)]
    case "message":
      return [heading(paper, block.title), messageGroup(paper, block.text)]
    case "thanks":
      return [thanksGroup(paper, block.text)]
  }
}

/** The parts below the closing line, set for a paper. */
export const belowGroups = (paper: Paper, blocks: ReadonlyArray<BelowBlock>): ReadonlyArray<Group> =>
  blocks.flatMap((block) => [space(paper.gap), ...blockGroups(paper, block)])
