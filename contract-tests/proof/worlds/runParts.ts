import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { WorldPlace } from "./postgres/WorldDatabase.ts"
import type { Part, PartOrder } from "./runPart.ts"
import type { SimulationTotals } from "./SimulationTotals.ts"

const worker = fileURLToPath(new URL("./runPart.ts", import.meta.url))

const run = async (child: ChildProcess, part: PartOrder): Promise<SimulationTotals> => {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the process for seeds from ${part.from} ended with ${code}`)
  })
  child.send(part)
  const [totals] = await Promise.race([once(child, "message"), ended]) as [SimulationTotals]
  ended.catch(() => undefined)
  child.removeAllListeners()
  return totals
}

/**
 * Runs parts in several processes, each part by the next free one. `done` is called as each ends. `placeOf` makes the database of a process; null for
 * worlds in memory.
 */
export const runParts = async (
  parts: ReadonlyArray<Part>,
  processes: number,
  placeOf: ((process: number) => Promise<WorldPlace>) | null,
  done: (part: Part, totals: SimulationTotals) => void
): Promise<void> => {
  const waiting = [...parts]
  await Promise.all(Array.from({ length: Math.min(processes, parts.length) }, async (_, number) => {
    const place = placeOf === null ? null : await placeOf(number)
    const child = fork(worker, { execArgv: ["--conditions=@overa/source", "--max-semi-space-size=32"] })
    try {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) done(part, await run(child, { ...part, place }))
    } finally {
      child.disconnect()
    }
  }))
}
