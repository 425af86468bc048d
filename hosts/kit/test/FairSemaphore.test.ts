import { describe, expect, it } from "vitest"
import { FairSemaphore, loopMillis } from "../src/front/FairSemaphore.ts"
import { CallerLeft } from "../src/front/readBody.ts"

const size = { places: 1, waitingEach: 100, waitingTogether: 120 }

/** Enters, records its name when it is admitted, and leaves at once. */
const pass = async (gate: FairSemaphore, holder: string, name: string, order: Array<string>): Promise<void> => {
  const leave = await gate.enter(holder)
  if (leave === null) throw new Error(`${name} was turned away`)
  order.push(name)
  leave()
}

describe("a gate that is fair", () => {
  it("lets one of each holder in, however many of another came before", async () => {
    const gate = new FairSemaphore(size)
    const order: Array<string> = []
    const flood = Array.from({ length: 50 }, (_, index) => pass(gate, "a", `a${index}`, order))
    await Promise.all([...flood, pass(gate, "b", "b", order), pass(gate, "c", "c", order)])
    expect(order.indexOf("b")).toBeLessThanOrEqual(3)
    expect(order.indexOf("c")).toBeLessThanOrEqual(4)
    expect(order).toHaveLength(52)
  })

  it("turns away who has too many waiting, and nobody else", () => {
    const gate = new FairSemaphore({ places: 1, waitingEach: 2, waitingTogether: 4 })
    expect(["a", "a", "a", "a"].map((holder) => gate.enter(holder) !== null)).toEqual([true, true, true, false])
    expect(["b", "b", "b"].map((holder) => gate.enter(holder) !== null)).toEqual([true, true, false])
    expect(gate.enter("c")).toBeNull()
  })

  it("lets the next one in where a caller has left meanwhile, and has room for another", async () => {
    const gate = new FairSemaphore({ places: 1, waitingEach: 1, waitingTogether: 2 })
    const order: Array<string> = []
    const first = await gate.enter("a")
    const caller = new AbortController()
    const left = gate.enter("a", caller.signal)?.catch((error: unknown) => error)
    const behind = pass(gate, "b", "b", order)
    expect([gate.enter("a"), gate.enter("c")]).toEqual([null, null])
    caller.abort()
    expect(await left).toBeInstanceOf(CallerLeft)
    const inItsPlace = pass(gate, "a", "a", order)
    expect(gate.enter("c")).toBeNull()
    first?.()
    await Promise.all([behind, inItsPlace])
    expect(order).toEqual(["b", "a"])
    await pass(gate, "c", "c", order)
  })

  it("refuses a caller that has left already, and keeps the place of one that leaves during its work", async () => {
    const gate = new FairSemaphore({ places: 1, waitingEach: 1, waitingTogether: 1 })
    await expect(gate.enter("a", AbortSignal.abort())).rejects.toBeInstanceOf(CallerLeft)
    const caller = new AbortController()
    const before = await gate.enter("a")
    const turn = gate.enter("a", caller.signal)
    before?.()
    const leave = await turn
    caller.abort()
    const next = gate.enter("b")
    expect(gate.enter("c")).toBeNull()
    leave?.()
    expect(await next).not.toBeNull()
  })

  it("rests by its own clock: of work that waited for others, no longer than the loop was busy", async () => {
    const passed = async (clock?: () => number) => {
      const gate = new FairSemaphore({ ...size, rest: 20, ...(clock === undefined ? {} : { clock }) })
      const from = performance.now()
      for (let turn = 0; turn < 3; turn++) {
        const leave = await gate.enter("a")
        await new Promise((resolve) => setTimeout(resolve, 10))
        leave?.()
      }
      return performance.now() - from
    }
    const byTheDay = await passed()
    expect(byTheDay).toBeGreaterThan(400)
    // Beside the other one: where other programs use the machine, both take longer.
    expect(await passed(loopMillis)).toBeLessThan(0.8 * byTheDay)
  })

  it("never has more inside than places, and rests after long work", async () => {
    const gate = new FairSemaphore({ ...size, places: 2, rest: 2 })
    let inside = 0
    const times: Array<number> = []
    const work = async () => {
      const leave = await gate.enter("a")
      inside += 1
      expect(inside).toBeLessThanOrEqual(2)
      const until = performance.now() + 5
      while (performance.now() < until);
      inside -= 1
      leave?.()
      times.push(performance.now())
    }
    const from = performance.now()
    await Promise.all(Array.from({ length: 6 }, work))
    // Three pairs of 5 ms on the one loop, with at least 10 ms of rest between the pairs.
    expect(performance.now() - from).toBeGreaterThan(40)
    expect(times).toHaveLength(6)
  })
})
