import { describe, expect, it } from "vitest"
import { rangeFaults } from "../../src/journal/queryFields.ts"

describe("A time in a query", () => {
  const form = "must be a date-time with seconds and an offset or Z, e.g. 2026-08-29T12:30:00+02:00"

  it.each([
    ["2026-08-29T12:30:00+02:00", undefined],
    ["2026-08-29T12:30:00 02:00", "must have its + written as %2B, because a + in an address is a space"],
    ["2026-08-29 12:30:00+02:00", form],
    ["2026-08-29T12:30:00", form],
    ["yesterday", form],
    ["2026-02-30T12:30:00 02:00", form],
    ["2026-02-30T12:30:00+02:00", "must be a date that exists"]
  ])("%s", (text, message) => {
    const faults = message === undefined ? [] : [{ pointer: "", key: "CreatedFrom", message }]
    expect(rangeFaults({ createdFrom: [text] }, "createdFrom", "createdTo")).toEqual(faults)
  })
})
