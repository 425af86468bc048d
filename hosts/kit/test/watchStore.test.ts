import { it } from "@effect/vitest"
import { InstallationOversight, StoreUnavailable } from "@overa/domain"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { hostLog } from "../src/logs.ts"
import { watchStore } from "../src/operational/watchStore.ts"

describe("a database that goes away and comes back", () => {
  it.effect("has one line in the log for each change", () => {
    const lines: Array<string> = []
    const world = { up: true }
    const pendingMigrations = Effect.suspend(() => world.up ? Effect.succeed([]) : new StoreUnavailable({ committed: "no", cause: "away" }))
    const services = watchStore.pipe(
      Layer.provide(Layer.mock(InstallationOversight, { pendingMigrations })),
      Layer.provideMerge(hostLog((line) => lines.push(line)))
    )
    return Effect.gen(function*() {
      for (const up of [true, false, false, true, true, false]) {
        world.up = up
        yield* TestClock.adjust("5 seconds")
      }
      expect(lines.map((line) => (JSON.parse(line) as { readonly event: string }).event))
        .toEqual(["the database does not answer", "the database answers again", "the database does not answer"])
    }).pipe(Effect.provide(services))
  })
})
