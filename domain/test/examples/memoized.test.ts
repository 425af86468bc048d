import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memoized } from "../../src/search/foldText.ts"

describe("A function that keeps its results", () => {
  it("gives what the function gives, computes the first texts once and every other text each time", () => {
    fc.assert(fc.property(fc.array(fc.constantFrom("", "a", "b", "c", "d", "e")), fc.nat(6), (texts, most) => {
      const computed: Array<string> = []
      const kept = memoized((text) => {
        computed.push(text)
        return `${text}.`
      }, most)
      expect(texts.map(kept)).toEqual(texts.map((text) => `${text}.`))
      const firstTexts = [...new Set(texts)].slice(0, most)
      expect(computed).toEqual(texts.filter((text, at) => !firstTexts.includes(text) || texts.indexOf(text) === at))
    }))
  })
})
