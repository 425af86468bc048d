import { runDeliveries } from "./deliveryWorld.ts"
import { runSeed } from "./runSeed.ts"
import { addRun, noTotals, type SimulationTotals } from "./SimulationTotals.ts"

/** Seeds that are run, stored and counted together. */
export interface Part {
  readonly from: number
  readonly seeds: number
}

/** Runs a part: of each seed the world of documents and the world of deliveries. */
export const runPart = async ({ from, seeds }: Part): Promise<SimulationTotals> => {
  const totals = noTotals()
  for (let seed = from; seed < from + seeds; seed += 1) {
    addRun(totals, await runSeed(seed))
    const { deeds } = await runDeliveries(seed)
    totals.deliveries += deeds.size
    for (const deed of [...deeds.values()].flat()) {
      if (deed === "taken, told") continue
      const fault = `mail: ${deed}`
      totals.faults[fault] = (totals.faults[fault] ?? 0) + 1
    }
  }
  return totals
}

// Started by `runParts` as a process of its own: it gets parts one after another and answers each with its totals.
process.on("message", (part: Part) => {
  runPart(part).then(
    (totals) => process.send?.(totals),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    }
  )
})
process.on("disconnect", () => process.exit(0))
