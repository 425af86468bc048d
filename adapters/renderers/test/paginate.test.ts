import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Group, Row } from "../src/pdf/flow.ts"
import { leastHeight, paginate } from "../src/pdf/paginate.ts"

const room = { top: 10, bottom: 110 }
const run = { font: "sans", size: 9, x: 0, dy: 0, text: "a" } as const

const row = fc.record({ height: fc.integer({ min: 1, max: 60 }), stays: fc.boolean(), blank: fc.boolean() })
  .map(({ blank, height, stays }): Row => ({ height, stays, runs: blank ? [] : [run] }))
const group = fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 8 }), keepWithNext: fc.boolean() })
  .map(({ keepWithNext, rows }): Group => ({ tag: "P", rows, keepWithNext }))

const groupLists = fc.array(group, { maxLength: 20 })

const says = (line: Row): boolean => line.runs.length > 0

describe("Pages", () => {
  it("hold every row that says something, once and in order", () => {
    fc.assert(fc.property(groupLists, (groups) => {
      const placed = paginate(groups, room).flatMap((page) => page.flatMap(({ rows }) => rows.map(({ row }) => row)))
      const unique = new Set(placed)
      expect(unique.size).toBe(placed.length)
      expect(placed.filter(says)).toEqual(groups.flatMap(({ rows }) => rows).filter(says))
    }))
  })

  it("are never overfull, and rows never lie on each other", () => {
    fc.assert(fc.property(groupLists, (groups) => {
      for (const page of paginate(groups, room)) {
        let y = room.top
        for (const { row, top } of page.flatMap(({ rows }) => rows)) {
          expect(top).toBe(y)
          y += row.height
        }
        expect(y).toBeLessThanOrEqual(room.bottom)
      }
    }))
  })

  it("are never fewer than the least height needs", () => {
    fc.assert(fc.property(groupLists, (groups) => {
      expect(leastHeight(groups)).toBeLessThanOrEqual(paginate(groups, room).length * (room.bottom - room.top))
    }))
  })

  it("keep a heading with its first row, and repeat a table's heads", () => {
    const line = (height: number, heads = false): Row => ({ height, runs: [run], heads })
    const heading: Group = { tag: "H2", rows: [line(10)], keepWithNext: true }
    const heads = line(10, true)
    const table: Group = { tag: "Table", rows: [heads, ...Array.from({ length: 5 }, () => line(30))] }
    const pages = paginate([{ tag: "P", rows: [line(60)] }, heading, table], room)
    const shape = pages.map((page) => page.map(({ group, rows }) => `${group.tag}${rows.length}`))
    expect(shape).toEqual([["P1"], ["H21", "Table3"], ["Table4"]])
    expect(pages[2]?.[0]?.rows[0]).toMatchObject({ row: heads, repeated: true })
  })
})
