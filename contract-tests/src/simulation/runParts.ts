import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Part } from "./runPart.ts"
import type { SimulationTotals } from "./SimulationTotals.ts"

const worker = fileURLToPath(new URL("./runPart.ts", import.meta.url))

const run = async (child: ChildProcess, part: Part): Promise<SimulationTotals> => {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the process for seeds from ${part.from} ended with ${code}`)
  })
  child.send(part)
  const [totals] = await Promise.race([once(child, "message"), ended]) as [SimulationTotals]
  ended.catch(() => undefined)
  return totals
}

/** Runs parts in several processes, each part by the next free one. `done` is called as each ends. */
export const runParts = async (parts: ReadonlyArray<Part>, processes: number, done: (part: Part, totals: SimulationTotals) => void): Promise<void> => {
  const waiting = [...parts]
  await Promise.all(Array.from({ length: Math.min(processes, parts.length) }, async () => {
    const child = fork(worker, { execArgv: ["--conditions=@overa/source"] })
    try {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) done(part, await run(child, part))
    } finally {
      child.disconnect()
    }
  }))
}
