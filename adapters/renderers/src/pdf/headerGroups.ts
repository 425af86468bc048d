import type { Branding } from "@overa/domain"
import type { Group, Row, Run } from "./flow.ts"
import { space } from "./flow.ts"
import { logoSize } from "./logoSize.ts"
import type { Paper } from "./Paper.ts"
import { receiptFont } from "./receiptFonts.ts"
import { wrapText } from "./wrapText.ts"

const centred = (paper: Paper, text: string, first: boolean): Row => {
  const type = first ? paper.own.heading : paper.own.small
  const font = receiptFont(first ? "sansBold" : "sans")
  const x = paper.own.x + (paper.own.width - font.width(text, type.size)) / 2
  return { height: type.line, runs: [{ font: font.name, size: type.size, x, dy: type.line * 0.78, text }] }
}

const logoGroup = (paper: Paper, branding: Branding, x: (width: number) => number): Group | null => {
  if (branding.logo === null) return null
  const size = logoSize(branding.logo, paper.logo)
  const picture = { kind: "logo", logo: branding.logo, x: x(size.width), ...size } as const
  return { tag: "Figure", alt: "Лого продавца", rows: [{ height: size.height, runs: [], picture }] }
}

/** On a roll: logo and contact lines centred above each other, the first line the largest. */
export const rollHeader = (paper: Paper, branding: Branding | null): ReadonlyArray<Group> => {
  if (branding === null) return []
  const logo = logoGroup(paper, branding, (width) => (paper.width - width) / 2)
  const wrapped = branding.contactLines.flatMap((line, index) => {
    const first = index === 0
    const type = first ? paper.own.heading : paper.own.small
    return wrapText(line, receiptFont(first ? "sansBold" : "sans"), type.size, paper.own.width)
      .map((text) => centred(paper, text, first))
  })
  return [
    ...(logo === null ? [] : [logo, space(paper.gap / 2)]),
    ...(wrapped.length === 0 ? [] : [{ tag: "P", rows: wrapped } as const]),
    space(paper.gap)
  ]
}

/** On A4: logo at the left, contact lines at the right edge, a hairline below both. */
export const pageHeader = (paper: Paper, branding: Branding | null): ReadonlyArray<Group> => {
  if (branding === null) return []
  const right = paper.own.x + paper.own.width
  const textWidth = paper.own.width - paper.logo.width - paper.gap
  let dy = 0
  const runs = branding.contactLines.flatMap((line, index) => {
    const type = index === 0 ? { size: 12, line: 17 } : { size: 9, line: 12.5 }
    const font = receiptFont(index === 0 ? "sansBold" : "sans")
    return wrapText(line, font, type.size, textWidth).map((text): Run => {
      dy += type.line
      const grey = index === 0 ? {} : { grey: 0.3 }
      return { font: font.name, size: type.size, x: right - font.width(text, type.size), dy: dy - type.line * 0.25, text, ...grey }
    })
  })
  const logo = logoGroup(paper, branding, () => paper.own.x)
  const logoRow = logo?.rows[0]
  const height = Math.max(dy, logoRow?.height ?? 0)
  const line = { x: paper.own.x, dy: height + paper.gap, width: paper.own.width, height: 0.6, grey: 0.65 }
  const contacts: Row = { height: height + 2 * paper.gap, runs, bars: [line] }
  // The logo has no height of its own: it is beside the contact lines.
  const beside = logo === null || logoRow === undefined ? [] : [{ ...logo, rows: [{ ...logoRow, height: 0 }] }]
  return [...beside, { tag: "P", rows: [contacts] }]
}
