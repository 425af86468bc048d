import { describe, expect, it } from "vitest"
import { plantedBugs } from "./plantedBugs.ts"
import { runSeed } from "./runSeed.ts"
import type { PlantedBug } from "./SimulatedHost.ts"

const seeds = 2_000

/** The first seed in which a planted bug shows, or null. */
const firstSeedThatShows = async (bug: PlantedBug, most = seeds, months = false): Promise<number | null> => {
  for (let seed = 1; seed <= most; seed++) if ((await runSeed(seed, bug, undefined, undefined, months)).violations.length > 0) return seed
  return null
}

describe("the service in simulated worlds", () => {
  it(`keeps every promise in ${seeds} seeds`, async () => {
    let receipts = 0
    for (let seed = 1; seed <= seeds; seed++) {
      const report = await runSeed(seed)
      receipts += report.receipts
      expect(report.violations, `replay: npm run simulate -- --seed ${seed}`).toEqual([])
    }
    // A world in which nothing is signed would prove nothing.
    expect(receipts).toBeGreaterThan(seeds)
  }, 900_000)

  it.each([
    [2269, "a failover freed a proforma that was being given back, and another refund took it"],
    [2487, "of two processes that sent a copy for the first time, a failover lost one's attempt, and the other took its number"],
    [5005, "a failover freed a key, another body took it, and the first caller was told of that body's receipt"],
    [133, "a failover lost an advance, a closing had its place, and its caller was answered with the case alone"]
  ])("keeps every promise in seed %i with failovers of one commit, which once broke one: %s", async (seed) => {
    expect((await runSeed(seed, null, undefined, () => 1)).violations).toEqual([])
  })

  it("meets in worlds of three months what ends in them, and keeps every promise", async () => {
    const met = new Set<string>()
    for (let seed = 1; seed <= 12; seed++) {
      const report = await runSeed(seed, null, undefined, undefined, true)
      expect(report.violations, `replay: npm run simulate -- --months --seed ${seed}`).toEqual([])
      for (const what of report.met) met.add(what)
    }
    // What no world meets is not shown by any.
    for (const what of ["licence ended", "certificate ended", "an outcome that is unknown after seven days", "a month's end", "clocks set back", "clocks set forward", "receipts by mail"]) expect([...met]).toContain(what)
  }, 300_000)

  it("is the same world for the same seed", async () => {
    for (const seed of [6, 7, 13, 36, 937, 1656]) expect((await runSeed(seed)).log).toEqual((await runSeed(seed)).log)
  })

  it.each(plantedBugs.filter(({ worlds }) => worlds === "memory").map(({ bug }) => bug))(
    `shows a planted bug within ${seeds} seeds: %s`,
    async (bug) => {
      expect(await firstSeedThatShows(bug)).not.toBeNull()
    },
    900_000
  )

  it.each(plantedBugs.filter(({ worlds }) => worlds === "months").map(({ bug }) => bug))(
    "shows a planted bug within 40 worlds of three months: %s",
    async (bug) => {
      expect(await firstSeedThatShows(bug, 40, true)).not.toBeNull()
    },
    300_000
  )
})
