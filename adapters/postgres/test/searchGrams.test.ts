import fc from "fast-check"
import { foldText } from "@overa/domain"
import { describe, expect, it } from "vitest"
import { numberingOf, searchKeys, soughtParts } from "../src/search/searchGrams.ts"

const numbering = numberingOf("organization", "sandbox", "2026-11")
const numbersOf = (...parts: ReadonlyArray<string>): ReadonlyArray<number> => parts.map(numbering)
const most = 12

const letters = fc.string({ unit: fc.constantFrom("a", "б", "1", "-", " ", "Š"), maxLength: 12 })

describe("the numbers by which a text is looked up", () => {
  it("are numbers of every row that has the text, whatever other rows say", () => {
    fc.assert(fc.property(letters, letters, letters, fc.array(letters, { maxLength: 6 }), (before, text, behind, others) => {
      const row = searchKeys(numbering, [`${before}${text}${behind}`])
      const sought = soughtParts(text, most, others.map(foldText)).map(numbering)
      expect(sought.filter((gram) => !row.grams.includes(gram))).toEqual([])
    }))
  })

  it("leave out the parts that three of four rows have, as long as others are left", () => {
    const references = [1, 2, 3, 4].map((number) => `order-${number}${number}7`)
    const asked = (texts: ReadonlyArray<string>) => soughtParts("order-99", most, texts).map(numbering)
    expect(asked(references)).toEqual(numbersOf("r-9", "-99"))
    expect(asked([...references, "x", "y"])).toEqual(numbersOf("ord", "rde", "der", "er-", "r-9", "-99"))
    expect(asked([])).toEqual(asked([...references, "x", "y"]))
  })

  it("are all of them where each part is in most rows", () => {
    expect(soughtParts("order", most, ["order-1", "order-2"]).map(numbering)).toEqual(numbersOf("ord", "rde", "der"))
  })
})
