import { expect, it } from "vitest"
import { runSeed } from "../proof/worlds/runSeed.ts"

const seeds = 150

// A first look at each change; `npm run proof` runs two thousand and looks for planted bugs (docs/simulation.md).
it(`the service keeps every promise in ${seeds} simulated worlds`, async () => {
  let receipts = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const report = await runSeed(seed)
    receipts += report.receipts
    expect(report.violations, `replay: npm run simulate -- --seed ${seed}`).toEqual([])
  }
  expect(receipts).toBeGreaterThan(seeds)
}, 120_000)
