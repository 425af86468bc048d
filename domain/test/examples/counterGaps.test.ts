import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { counterGaps, counterOf, type CounterSpan, gapSentence } from "../../src/counters/counterGaps.ts"

const at = (first: number, notedAt = 0, last = first): CounterSpan => ({ first, last, notedAt })

describe("Counters of an element", () => {
  it.each([
    ["ABCD2345-ABCD2345-9", { series: "ABCD2345-ABCD2345", counter: 9 }],
    ["ABCD2345-EFGH6789-1047", { series: "ABCD2345-EFGH6789", counter: 1047 }],
    ["ABCD2345", null],
    ["ABCD2345-ABCD2345-x", null],
    ["ABCD2345\nABCD2345-9", null],
    ["ABCD2345-ABCD2345-9\nx", null],
    ["ABCD2345-ABCD2345-9999999999999999", null]
  ])("%s counts as %j", (number, counter) => expect(counterOf(number)).toEqual(counter))

  it.each([
    [{ first: 7, last: 7 }, "counter 7 of A-B is missing"],
    [{ first: 7, last: 9 }, "counters 7 to 9 of A-B are missing"]
  ])("a gap of %j is told", (gap, sentence) => expect(gapSentence("A-B", gap).split(":")[0]).toBe(sentence))

  it.each<[string, number | null, ReadonlyArray<CounterSpan>, ReadonlyArray<number>, number, ReadonlyArray<readonly [number, number]>]>([
    ["nothing yet", null, [], [], 0, []],
    ["counting begins with the first receipt", null, [at(40), at(41)], [], 41, []],
    ["one is missing", 41, [at(43)], [], 43, [[42, 42]]],
    ["several are missing in two places", 10, [at(12), at(16)], [], 16, [[11, 11], [13, 15]]],
    ["one is missing, and one that was sent before is in doubt", 41, [at(43, 100)], [99], 41, []],
    ["one is missing, and one that was sent in the same millisecond is in doubt", 41, [at(43, 100)], [100], 41, []],
    ["one is missing, and what is in doubt was sent later", 41, [at(43, 100)], [101], 43, [[42, 42]]],
    ["two are missing, one is in doubt", 41, [at(44, 100)], [50], 44, [[42, 43]]],
    ["one is waited for, a second is not", 41, [at(43, 100), at(45, 100)], [50], 41, [[44, 44]]],
    ["what was raised is no gap again", 41, [at(43, 100), at(45, 100), at(44, 120)], [50], 41, []],
    ["the doubt turned out to be it", 41, [at(43, 100), at(42, 200)], [], 43, []],
    ["a number seen twice is no gap", 5, [at(6), at(6), at(7)], [], 7, []],
    ["an earlier counter found late is no gap", 50, [at(30)], [], 50, []],
    ["a raised range with a receipt found inside it", 5, [at(6, 0, 9), at(8), at(10)], [], 10, []]
  ])("%s", (_what, accountedTo, spans, doubts, expected, gaps) => {
    const verdict = counterGaps(accountedTo, spans, doubts)
    expect([verdict.accountedTo, verdict.gaps.map(({ first, last }) => [first, last])]).toEqual([expected, gaps])
  })

  /**
   * The history of an element. Each receipt is signed in order and is stored at once, later, or never (lost, or signed for another installation). A
   * receipt that will be stored later is in doubt until then.
   */
  const life = fc.array(fc.constantFrom("stored", "late", "lost"), { maxLength: 40 })

  it("every receipt lost is raised once and by the next stored one; none that is only late is ever raised", () => {
    fc.assert(fc.property(life, fc.nat(), (fates, seed) => {
      let accountedTo: number | null = null
      const [spans, doubts, raised, lost]: [Array<CounterSpan>, Map<number, number>, Array<number>, Array<number>] = [[], new Map(), [], []]
      const check = () => {
        const verdict = counterGaps(accountedTo, spans, [...doubts.values()])
        for (const gap of verdict.gaps) {
          for (let counter = gap.first; counter <= gap.last; counter += 1) raised.push(counter)
          spans.push({ first: gap.first, last: gap.last, notedAt: gap.before.notedAt })
        }
        accountedTo = spans.length === 0 ? null : verdict.accountedTo
      }
      spans.push(at(0))
      check()
      fates.forEach((fate, index) => {
        const [counter, now] = [index + 1, index * 10]
        if (fate === "lost") lost.push(counter)
        else if (fate === "late") doubts.set(counter, now)
        else spans.push(at(counter, now))
        check()
        // Sometimes a receipt that was in doubt is found.
        const [found] = [...doubts.keys()].filter((one) => (one * 7 + seed) % 3 === index % 3)
        if (found !== undefined) {
          doubts.delete(found)
          spans.push(at(found, now + 5))
          check()
        }
      })
      for (const found of doubts.keys()) spans.push(at(found, fates.length * 10))
      doubts.clear()
      spans.push(at(fates.length + 1, fates.length * 10 + 1))
      check()
      check()
      expect(new Set(raised).size).toBe(raised.length)
      expect(lost.filter((counter) => !raised.includes(counter))).toEqual([])
      // Where more is missing than is in doubt, it is unknown which of them are lost; without a loss nothing is raised.
      if (lost.length === 0) expect(raised).toEqual([])
    }), { numRuns: 500 })
  })
})
