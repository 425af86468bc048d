import { assert, describe, it } from "vitest"
import { soak } from "./soak.ts"

/** `SOAK_MINUTES=3` for a shorter one; each disturbance comes at least once, however short it is. */
const minutes = Number(process.env["SOAK_MINUTES"] ?? 10)

const say = (): void => undefined

describe("a whole installation under load, disturbed in turn", () => {
  it("at the end both sides of everything agree, and nothing waits or grows", async () => {
    const { begun, comparisons, happened, samples } = await soak({ minutes, errandsPerSecond: 2, say })
    assert.deepStrictEqual(comparisons.filter(({ faults }) => faults.length > 0), [])
    assert.isAbove(begun, 100 * minutes)
    assert.isAbove(happened.length, 10)
    for (const { pairs, what } of comparisons) assert.isAbove(pairs, 0, what)
    // A shorter run ends before everything is loaded.
    if (minutes >= 10) assert.deepStrictEqual(samples.growth(), [])
  }, (minutes * 60 + 1_500) * 1_000)
})
