import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { OrderQueue } from "../src/OrderQueue.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How long a request to a service whose V-PFR is away lasts with the client's repetitions. */
const timeOut = 22_000

const later = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** A queue whose sends are answered at once, or from a time on. An order that is not paid has nothing to say and nothing to send. */
const shopWhoseServiceAnswersFrom = (answersAt: number, isPaid: (id: string) => boolean = () => true, readMillis = 100) => {
  const [said, signed, under] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()]
  let doubled = 0
  const begin = (id: string): void => {
    if (under.has(id)) doubled += 1
    under.add(id)
    if (isPaid(id) && !said.has(id)) said.set(id, Date.now())
  }
  const queue = new OrderQueue({
    note: async (id) => {
      begin(id)
      await later(200)
      under.delete(id)
    },
    look: async (id) => {
      begin(id)
      const isAnswered = Date.now() >= answersAt || !isPaid(id)
      await later(isAnswered ? readMillis : timeOut)
      under.delete(id)
      if (isAnswered) signed.set(id, (signed.get(id) ?? 0) + 1)
      return isAnswered
    },
    warn: (words) => {
      throw new Error(words)
    }
  })
  return { queue, said, signed, doubled: () => doubled }
}

describe("the queue of orders", () => {
  it("lets no order be silent for two seconds, however many come while nothing is answered; a sweep finds them again and again", async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 20, maxLength: 80 }), async (pauses) => {
      const came = new Map<string, number>()
      const { doubled, queue, said } = shopWhoseServiceAnswersFrom(Number.POSITIVE_INFINITY, (id) => came.has(id))
      for (const [number, pause] of pauses.entries()) {
        // Placed, and paid later.
        queue.add(`order-${number}`)
        await vi.advanceTimersByTimeAsync(pause)
        came.set(`order-${number}`, Date.now())
        queue.add(`order-${number}`)
        await vi.advanceTimersByTimeAsync(pause)
        if (number % 3 === 0) queue.add(`order-${number - (number % 7)}`)
        if (number % 10 === 0) queue.addFound([...came.keys()])
      }
      await vi.advanceTimersByTimeAsync(3_000)
      const silent = [...came].map(([id, at]) => (said.get(id) ?? Number.POSITIVE_INFINITY) - at)
      expect(Math.max(...silent)).toBeLessThan(2_000)
      expect(doubled()).toBe(0)
      queue.stop()
    }), { numRuns: 30 })
  })

  it("tells an order that it waits although it was paid in the very moment in which it was looked at", async () => {
    let isPaid = false
    const { doubled, queue, said } = shopWhoseServiceAnswersFrom(Number.POSITIVE_INFINITY, (id) => id !== "late" || isPaid, 800)
    for (let number = 0; number < 7; number += 1) queue.add(`stuck-${number}`)
    await vi.advanceTimersByTimeAsync(60)
    // It takes the last place until the database has answered, while others queue up for it.
    queue.add("late")
    await vi.advanceTimersByTimeAsync(60)
    for (let number = 0; number < 40; number += 1) queue.add(`waiting-${number}`)
    await vi.advanceTimersByTimeAsync(500)
    isPaid = true
    queue.add("late")
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said.has("late")).toBe(true)
    expect(doubled()).toBe(0)
    queue.stop()
  })

  it("never notes and sends an order at once", async () => {
    const { doubled, queue, signed } = shopWhoseServiceAnswersFrom(0)
    for (let number = 0; number < 10; number += 1) queue.add(`order-${number}`)
    await vi.advanceTimersByTimeAsync(100)
    for (let number = 0; number < 10; number += 1) queue.add(`order-${number}`)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(doubled()).toBe(0)
    expect(signed.size).toBe(10)
  })

  it("signs each order once within six minutes after the service answers again", async () => {
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 0, max: 1_800_000 }), async (orders, outage) => {
      const { doubled, queue, signed } = shopWhoseServiceAnswersFrom(Date.now() + outage)
      for (let number = 0; number < orders; number += 1) queue.add(`order-${number}`)
      await vi.advanceTimersByTimeAsync(outage + 360_000)
      expect(signed.size).toBe(orders)
      expect([...signed.values()].every((times) => times === 1)).toBe(true)
      expect(doubled()).toBe(0)
    }), { numRuns: 20 })
  })

  it("looks once more at an order that changed while it was looked at, and not meanwhile", async () => {
    const { doubled, queue, signed } = shopWhoseServiceAnswersFrom(0)
    queue.add("order")
    await vi.advanceTimersByTimeAsync(80)
    queue.add("order")
    await vi.advanceTimersByTimeAsync(1_000)
    expect(signed.get("order")).toBe(2)
    expect(doubled()).toBe(0)
  })
})
