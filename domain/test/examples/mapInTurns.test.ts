import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { mapInTurns } from "../../src/use-cases/mapInTurns.ts"

describe("The rows of a report", () => {
  it("are mapped in their order, each once", async () => {
    const rows = Array.from({ length: 1_234 }, (_, row) => row)
    expect(await Effect.runPromise(mapInTurns(rows, (row) => -row))).toEqual(rows.map((row) => -row))
  })

  it("let timers and sockets of the process have their turn between them", async () => {
    let turns = 0
    let reading = true
    const count = (): void => {
      turns += 1
      if (reading) setImmediate(count)
    }
    setImmediate(count)
    const seen = await Effect.runPromise(mapInTurns(Array.from({ length: 10_000 }), () => turns))
    reading = false
    // Without any, every row is mapped in the same turn.
    expect(new Set(seen).size).toBeGreaterThan(100)
  })
})
