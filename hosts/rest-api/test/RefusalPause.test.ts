import { describe, expect, it } from "vitest"
import { RefusalPause } from "../src/http/RefusalPause.ts"

const millisOf = async (work: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

describe("refusals of a caller who repeats at once", () => {
  it("wait when there are too many, and those of another caller do not", async () => {
    const pause = new RefusalPause()
    const first = await millisOf(async () => {
      for (let refused = 0; refused < 100; refused++) await pause.until("a", "ordinary")
    })
    expect(first).toBeLessThan(200)
    expect(await millisOf(() => pause.until("b", "large"))).toBeLessThan(200)
    await Promise.all(Array.from({ length: 60 }, () => pause.until("a", "ordinary")))
    expect(await millisOf(() => pause.until("b", "ordinary"))).toBeLessThan(200)
  })

  it("wait longer where a large body comes with each", async () => {
    const pause = new RefusalPause()
    await Promise.all(Array.from({ length: 150 }, () => pause.until("a", "ordinary")))
    const again = Array.from({ length: 100 }, () => "a")
    const ordinary = millisOf(async () => void await Promise.all(again.map((caller) => pause.until(caller, "ordinary"))))
    const large = millisOf(async () => void await Promise.all(again.map((caller) => pause.until(caller, "large"))))
    expect(await ordinary).toBeGreaterThan(200)
    expect(await large).toBeGreaterThan(900)
  })
})
