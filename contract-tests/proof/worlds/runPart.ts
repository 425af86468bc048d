import { runDeliveries } from "./deliveryWorld.ts"
import type { WorldPlace } from "./postgres/WorldDatabase.ts"
import { type PostgresWorlds, worldsOn } from "./postgres/worldsOn.ts"
import { runSeed } from "./runSeed.ts"
import { addRun, noTotals, type SimulationTotals } from "./SimulationTotals.ts"

/** Seeds that are run, stored and counted together. */
export interface Part {
  readonly from: number
  readonly seeds: number
  /** Whether its worlds last three months. */
  readonly months: boolean
}

/** A part, and for worlds on PostgreSQL the database of the process that runs it. */
export interface PartOrder extends Part {
  readonly place: WorldPlace | null
}

let worlds: PostgresWorlds | null = null

const runOnPostgres = async ({ from, months, seeds }: Part, place: WorldPlace): Promise<SimulationTotals> => {
  worlds ??= await worldsOn(place)
  const totals = noTotals()
  for (let seed = from; seed < from + seeds; seed += 1) addRun(totals, await worlds.run(seed, null, months))
  return totals
}

/** Runs a part: of each seed the world of documents and, in memory, the world of deliveries. */
export const runPart = async ({ from, months, place, seeds }: PartOrder): Promise<SimulationTotals> => {
  if (place !== null) return await runOnPostgres({ from, months, seeds }, place)
  const totals = noTotals()
  for (let seed = from; seed < from + seeds; seed += 1) {
    addRun(totals, await runSeed(seed, null, undefined, undefined, months))
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
process.on("message", (part: PartOrder) => {
  runPart(part).then(
    (totals) => process.send?.(totals),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    }
  )
})
process.on("disconnect", () => process.exit(0))
