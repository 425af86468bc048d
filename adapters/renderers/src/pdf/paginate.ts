import type { Group, Row } from "./flow.ts"

/** Consecutive rows of a group on one page, each with the top at which it is painted. */
export interface Placed {
  readonly group: Group
  readonly rows: ReadonlyArray<{ readonly row: Row; readonly top: number; readonly repeated: boolean }>
}

export interface PageRoom {
  readonly top: number
  readonly bottom: number
}

interface Line {
  readonly row: Row
  readonly group: Group
  /** Must be on the same page as the line before it. */
  readonly glued: boolean
}

const linesOf = (groups: ReadonlyArray<Group>): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let glueNext = false
  for (const group of groups) {
    for (const row of group.rows) {
      lines.push({ row, group, glued: glueNext || row.stays === true })
      glueNext = group.keepWithNext === true || row.heads === true
    }
  }
  return lines
}

const isBlank = ({ row }: Line): boolean => row.runs.length === 0 && row.picture === undefined

/** Lines that stay together, in order; a bundle higher than a page is split into single lines. */
const bundles = (lines: ReadonlyArray<Line>, room: number): ReadonlyArray<ReadonlyArray<Line>> => {
  const joined: Array<Array<Line>> = []
  for (const line of lines) {
    const last = joined[joined.length - 1]
    if (line.glued && last !== undefined) last.push(line)
    else joined.push([line])
  }
  return joined.flatMap((bundle) => heightOf(bundle) > room ? bundle.map((line) => [line]) : [bundle])
}

const heightOf = (lines: ReadonlyArray<Line>): number => lines.reduce((sum, { row }) => sum + row.height, 0)

/** The heads of a table that continues, repeated at the top of the next page. */
const repeatedHeads = (bundle: ReadonlyArray<Line>): Row | null => {
  const [first] = bundle
  const heads = first?.group.rows[0]
  return first?.group.tag === "Table" && heads?.heads === true && first.row !== heads ? heads : null
}

interface Page {
  readonly placed: Array<{ readonly group: Group; readonly rows: Array<Placed["rows"][number]> }>
  y: number
}

const place = (page: Page, group: Group, row: Row, repeated: boolean): void => {
  const last = page.placed[page.placed.length - 1]
  const line = { row, top: page.y, repeated }
  if (last?.group === group) last.rows.push(line)
  else page.placed.push({ group, rows: [line] })
  page.y += row.height
}

/** The groups need at least this height, on however many pages: white space may be left out at the top of a page, everything else is painted. */
export const leastHeight = (groups: ReadonlyArray<Group>): number => heightOf(linesOf(groups).filter((line) => !isBlank(line)))

/** Distributes groups over pages: what belongs together stays together, and no page begins with white space. */
export const paginate = (groups: ReadonlyArray<Group>, room: PageRoom): ReadonlyArray<ReadonlyArray<Placed>> => {
  const pages: Array<Page> = [{ placed: [], y: room.top }]
  for (const bundle of bundles(linesOf(groups), room.bottom - room.top)) {
    let page = pages[pages.length - 1] ?? { placed: [], y: room.top }
    const continues = page.placed.length > 0
    if (continues && page.y + heightOf(bundle) > room.bottom + 0.01) {
      if (bundle.every(isBlank)) continue
      page = { placed: [], y: room.top }
      pages.push(page)
      const heads = repeatedHeads(bundle)
      const group = bundle[0]?.group
      if (heads !== null && group !== undefined) place(page, group, heads, true)
    }
    if (page.placed.length === 0 && pages.length > 1 && bundle.every(isBlank)) continue
    for (const { group, row } of bundle) place(page, group, row, false)
  }
  return pages.map((page) => page.placed)
}
