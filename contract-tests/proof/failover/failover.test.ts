import { assert, describe, it } from "vitest"
import { failOverUnderLoad } from "./failOverUnderLoad.ts"

const say = (): void => undefined

describe("the primary is killed under load and its standby promoted", () => {
  it("hosts find it by themselves; nothing acknowledged is lost, nothing signed twice", async () => {
    const verdict = await failOverUnderLoad({ rounds: 1, connections: 12, replication: "synchronous", say })
    assert.deepStrictEqual(verdict.contradictions, [])
    assert.isAbove(verdict.sales, 12)
    // Five seconds where nothing else runs (`npm run failover`); a loaded machine takes longer.
    assert.isBelow(verdict.slowestMillis, 20_000)
  }, 180_000)
})
