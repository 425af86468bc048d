import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Admission, type Admitted } from "../src/front/Admission.ts"

const entered = (admission: Admission, holder: string): Admitted => {
  const admitted = admission.enter(holder)
  if (admitted === null) throw new Error(`${holder} was turned away`)
  return admitted
}

describe("what one organization may bring into a host", () => {
  it("is half of it alone, and never all of it", () => {
    const admission = new Admission({ requests: 10, bodyBytes: 100, answerBytes: 50 })
    expect(Array.from({ length: 10 }, () => admission.enter("a") !== null).filter(Boolean)).toHaveLength(5)
    expect(admission.enter("b")).not.toBeNull()
  })

  it("is free again when its requests are over", () => {
    const admission = new Admission({ requests: 2, bodyBytes: 100, answerBytes: 50 })
    const first = entered(admission, "a")
    expect(admission.enter("a")).toBeNull()
    first.leave()
    expect(admission.enter("a")).not.toBeNull()
  })

  it("counts a body once, however often it is asked about", () => {
    const admission = new Admission({ requests: 10, bodyBytes: 100, answerBytes: 50 })
    const one = entered(admission, "a")
    expect([one.body(40), one.body(40), one.body(50), one.body(51)]).toEqual([true, true, true, false])
    one.leave()
    expect(entered(admission, "a").body(100)).toBe(true)
  })

  it("bounds the answers that wait for their readers, and frees them when they are out", () => {
    const admission = new Admission({ requests: 10, bodyBytes: 100, answerBytes: 50 })
    const [one, two, other] = [entered(admission, "a"), entered(admission, "a"), entered(admission, "b")]
    expect([one.answer(20), two.answer(20), other.answer(20)]).toEqual([true, false, true])
    one.leave()
    expect(two.answer(15)).toBe(true)
  })

  const steps = fc.array(fc.record({
    holder: fc.constantFrom("a", "b", "c"),
    bytes: fc.integer({ min: 0, max: 60 }),
    leaves: fc.boolean()
  }), { maxLength: 200 })

  it("never adds up to more than the host carries, and leaves room for whoever holds nothing", () => {
    fc.assert(fc.property(steps, (taken) => {
      const admission = new Admission({ requests: 12, bodyBytes: 100, answerBytes: 50 })
      const inside: Array<{ readonly admitted: Admitted; readonly holder: string; bytes: number }> = []
      for (const { bytes, holder, leaves } of taken) {
        if (leaves) {
          inside.shift()?.admitted.leave()
          continue
        }
        const admitted = admission.enter(holder)
        if (admitted === null) {
          expect(inside.some((each) => each.holder === holder)).toBe(true)
          continue
        }
        inside.push({ admitted, holder, bytes: admitted.body(bytes) ? bytes : 0 })
        expect(inside.length).toBeLessThanOrEqual(12)
        expect(inside.reduce((sum, each) => sum + each.bytes, 0)).toBeLessThanOrEqual(100)
      }
      for (const { admitted } of inside) admitted.leave()
      expect(entered(admission, "d").body(100)).toBe(true)
    }))
  })
})
