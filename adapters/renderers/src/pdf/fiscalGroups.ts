import type { FiscalBlock } from "../layout/ReceiptLayout.ts"
import type { Group, Row } from "./flow.ts"
import { baseline, space } from "./flow.ts"
import type { Paper } from "./Paper.ts"
import { type FontName, receiptFont } from "./receiptFonts.ts"
import { wrapText } from "./wrapText.ts"

// The frame's two lines and the total are emphasized; the characters are the journal's own.
const isEmphasised = (line: string): boolean =>
  /^=+ .+ =+\s*$/.test(line) || line.startsWith("Укупан износ:") || line.startsWith("Укупна рефундација:")

/** The line with an item's price, quantity and total belongs to the name above it (V-PFR §8.1). */
const isItemAmounts = (line: string): boolean => /^\s+-?[\d.]+,\d{2}\s+[\d.,]+\s+-?[\d.]+,\d{2}\s*$/.test(line)

/** A line is drawn no narrower than at this share of its width: 66 columns in the room of forty. */
const narrowest = 0.6

/** How much narrower the letters of a line too long for its column are drawn; null where they would be too narrow to read. */
const squeezeFor = (paper: Paper, font: FontName, text: string): number | null => {
  const width = receiptFont(font).width(text.trimEnd(), paper.column.type.size)
  const share = Math.min(1, (paper.column.width + 0.01) / width)
  return share < narrowest ? null : share
}

/** One line of the journal; one too long even for narrow letters continues in the next row. Nothing of it is cut off. */
const journalRows = (paper: Paper, text: string): ReadonlyArray<Row> => {
  const { type, width, x } = paper.column
  const font = isEmphasised(text) ? "monoBold" : "mono"
  const squeeze = squeezeFor(paper, font, text)
  const parts = squeeze === null ? wrapText(text, receiptFont(font), type.size, width) : [text]
  return parts.map((part, index) => ({
    height: type.line,
    runs: [{ font, size: type.size, x, dy: type.line * baseline, text: part, ...(squeeze === null || squeeze === 1 ? {} : { squeeze }) }],
    stays: index > 0 || isItemAmounts(text)
  }))
}

/** Double the journal's size, on as many lines as the paper needs (PRAV art. 2 as V-PFR §8.5; Decisions §6). */
const noticeGroup = (paper: Paper, notice: string): Group => {
  const font = receiptFont("monoBold")
  const size = paper.column.type.size * 2
  const line = paper.column.type.line * 1.9
  const rows = wrapText(notice.trim(), font, size, paper.noticeWidth).map((text): Row => ({
    height: line,
    runs: [{ font: "monoBold", size, x: (paper.width - font.width(text, size)) / 2, dy: line * baseline, text }],
    stays: true
  }))
  return { tag: "P", rows, keepWithNext: true }
}

/** Set in another face, indented behind a bar: visibly not the V-PFR's text. */
const buyerDetailsGroup = (paper: Paper, lines: ReadonlyArray<string>): Group => {
  const { small } = paper.own
  const indent = small.size * 1.1
  const width = paper.column.width - indent
  const bar = { x: paper.column.x + indent * 0.35, dy: 0, width: small.size * 0.14, height: small.line, grey: 0 }
  const rows = lines.flatMap((text, index) => {
    const font = index === 0 ? "sansBold" as const : "sans" as const
    return wrapText(text, receiptFont(font), small.size, width).map((part): Row => ({
      height: small.line,
      runs: [{ font, size: small.size, x: paper.column.x + indent, dy: small.line * baseline, text: part }],
      bars: [bar],
      stays: true
    }))
  })
  const edge: Row = { height: small.line * 0.2, runs: [], stays: true }
  return { tag: "P", rows: [edge, ...rows, edge] }
}

const qrGroup = (paper: Paper, modules: number): Group => {
  const side = paper.moduleSize(modules) * modules
  const picture = { kind: "qr", x: (paper.width - side) / 2, width: side, height: side } as const
  return { tag: "Figure", alt: "QR код за проверу рачуна", rows: [{ height: side, runs: [], picture }], keepWithNext: true }
}

const signatureGroup = (paper: Paper, text: string): Group => {
  const { type, x } = paper.column
  const row: Row = { height: type.line * 2.7, runs: [{ font: "mono", size: type.size, x, dy: type.line * 1.9, text }] }
  return { tag: "P", rows: [row], keepWithNext: true }
}

const blockGroups = (paper: Paper, block: FiscalBlock, qrModules: number): ReadonlyArray<Group> => {
  switch (block.kind) {
    case "journal":
      return [{ tag: "P", rows: block.lines.flatMap((line) => journalRows(paper, line)) }]
    case "notice":
      return [noticeGroup(paper, block.text)]
    case "buyerDetails":
      return [buyerDetailsGroup(paper, block.lines)]
    case "qr": {
      // Quiet zone: four modules above and below, the paper's white at the sides.
      const quiet = { ...space(paper.moduleSize(qrModules) * 4), keepWithNext: true }
      return [quiet, qrGroup(paper, qrModules), quiet]
    }
    case "signature":
      return [signatureGroup(paper, block.text)]
  }
}

/** The fiscal part set for a paper. */
export const fiscalGroups = (
  paper: Paper,
  blocks: ReadonlyArray<FiscalBlock>,
  qrModules: number
): ReadonlyArray<Group> => {
  const groups = blocks.map((block) => blockGroups(paper, block, qrModules))
  const qrAt = blocks.findIndex((block) => block.kind === "qr")
  // The block with number and time stays on the page of the QR code that proves it.
  return groups.flatMap((group, index) =>
    index === qrAt - 1 ? group.map((one) => ({ ...one, keepWithNext: true })) : group
  )
}
