import { fork } from "node:child_process"
import { once } from "node:events"
import { describe, expect, it } from "vitest"

interface Drawn {
  readonly size: readonly [number, number]
  readonly processorSeconds: number
  readonly peakMegabytes: number
}

describe("The longest receipt of the contract: 1 000 items of 2 048 characters (Decisions §1, Bounds)", () => {
  // A host waits 30 seconds for a drawing. Processor time is compared, because the tests beside this one take the clock's.
  it("is drawn as a preview on A4 within 25 seconds of one processor and a gigabyte", { timeout: 300_000 }, async () => {
    const child = fork(new URL("drawLongest.ts", import.meta.url), { execArgv: ["--conditions=@overa/source"] })
    const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`ended with ${code} before it had drawn`)))
    const [drawn] = await Promise.race([once(child, "message"), ended]) as [Drawn]
    await ended.catch(() => {})
    const [width, height] = drawn.size
    expect(width).toBe(1_678)
    expect(height).toBeGreaterThan(1_000_000)
    expect(drawn.processorSeconds).toBeLessThan(25)
    expect(drawn.peakMegabytes).toBeLessThan(1_000)
  })
})
