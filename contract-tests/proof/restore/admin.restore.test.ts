import { layerDatabase, layerInstallation } from "@overa/adapter-postgres"
import { Installation } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OperatorDesk, operatorDesk } from "../../src/support/operatorDesk.ts"

let desk: OperatorDesk
beforeAll(async () => {
  desk = await operatorDesk()
})
afterAll(() => desk.close())

/** What a host that starts now reads of both environments. */
const restoring = () =>
  Effect.runPromise(
    Effect.gen(function*() {
      const installation = yield* Installation
      return [(yield* installation.settings("sandbox")).restoring, (yield* installation.settings("production")).restoring]
    }).pipe(Effect.provide(
      layerInstallation({ hostId: "host", bootId: "boot", configuredAdapters: new Set() }).pipe(
        Layer.provide(layerDatabase({ url: Redacted.make(desk.database.url), applicationName: "host" }))
      )
    ))
  )

describe("`admin restore`", () => {
  it("is declared with its point and its reason, holds both environments, and is kept in the activity log", async () => {
    expect(await restoring()).toEqual([false, false])
    const begun = await desk.admin(["restore", "begin", "--since", "2026-08-29T10:30:00Z", "--reason", "disk lost"])
    expect([begun.code, begun.err]).toEqual([0, ""])
    expect(await restoring()).toEqual([true, true])
    expect((await desk.admin(["restore", "status", "--json"])).json).toEqual({ since: "2026-08-29T10:30:00.000Z", unresolved: 0 })
    const again = await desk.admin(["restore", "begin", "--since", "2026-08-29T10:30:00Z", "--reason", "disk lost"])
    expect([again.code, again.err.trim()]).toEqual([2, "A restore is declared already; end it first."])
    expect((await desk.admin(["restore", "end", "--reason", "done", "--yes"])).code).toBe(0)
    expect(await restoring()).toEqual([false, false])
    const { out } = await desk.admin(["activity", "search", "restore"])
    expect(out).toContain("restore begun")
    expect(out).toContain("restore ended")
  })

  it.each([
    ["without a point", ["restore", "begin", "--reason", "x"]],
    ["with a point to come", ["restore", "begin", "--since", "2999-01-01", "--reason", "x"]],
    ["with a point that does not exist", ["restore", "begin", "--since", "2026-02-30", "--reason", "x"]],
    ["without a reason", ["restore", "begin", "--since", "2026-01-01"]],
    ["where none is declared", ["restore", "end", "--reason", "x", "--yes"]],
    ["without confirmation", ["restore", "end", "--reason", "x"]]
  ])("%s is refused, and nothing changes", async (_what, args) => {
    expect((await desk.admin(args)).code).toBe(2)
    expect(await restoring()).toEqual([false, false])
  })
})
