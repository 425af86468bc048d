import { Cause, ConfigProvider, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { hostLog, isWritten, type Level, logLevel, logLine } from "../src/logs.ts"

const linesOf = async (effect: Effect.Effect<unknown>, least?: Level): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const lines: Array<string> = []
  await Effect.runPromise(Effect.provide(effect, hostLog((line) => lines.push(line), least)))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe("a line of a host's log", () => {
  it("has time, level and event, then the event's facts", () => {
    expect(JSON.parse(logLine("info", "serving", { url: "http://here" }))).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: "info",
      event: "serving",
      url: "http://here"
    })
  })

  it("has the same form when a service logs: facts and annotations are members, a cause is short", async () => {
    const deep = new Error("no answer")
    deep.stack = `Error: no answer\n${"    at somewhere\n".repeat(60)}`
    const [line] = await linesOf(
      Effect.logError("a job failed", { job: "search" }, Cause.fail(deep)).pipe(Effect.annotateLogs({ failures: 3 }))
    )
    expect(line).toMatchObject({ level: "error", event: "a job failed", job: "search", failures: 3 })
    expect(String(line?.["cause"])).toContain("no answer")
    expect(String(line?.["cause"]).split("\n").length).toBeLessThanOrEqual(8)
  })

  it("is never lost because of its form: a message that is no text has its event too", async () => {
    expect(await linesOf(Effect.logInfo({ count: 2 }))).toMatchObject([{ level: "info", event: "log", count: 2 }])
    expect(await linesOf(Effect.logWarning("odd", new Error("why"), 7))).toMatchObject([{ level: "warning", event: "odd" }])
  })

  it("is written from the configured level on", async () => {
    const all = Effect.all([Effect.logDebug("a"), Effect.logInfo("b"), Effect.logWarning("c"), Effect.logError("d")])
    const events = async (least: Level) => (await linesOf(all, least)).map(({ event }) => event)
    expect(await events("debug")).toEqual(["a", "b", "c", "d"])
    expect(await events("info")).toEqual(["b", "c", "d"])
    expect(await events("warning")).toEqual(["c", "d"])
    expect(await events("error")).toEqual(["d"])
    expect([isWritten("info", "warning"), isWritten("warning", "warning"), isWritten("error", "debug")]).toEqual([false, true, true])
  })
})

describe("OVERA_LOG_LEVEL", () => {
  const read = (variables: Readonly<Record<string, string>>) =>
    Effect.runPromise(Effect.result(logLevel).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))))

  it("is info where it is absent, and a level that does not exist is named in one line", async () => {
    expect(await read({})).toMatchObject({ success: "info" })
    expect(await read({ OVERA_LOG_LEVEL: "error" })).toMatchObject({ success: "error" })
    expect(await read({ OVERA_LOG_LEVEL: "loud" })).toMatchObject({ failure: { line: "OVERA_LOG_LEVEL must be debug, info, warning, error, not \"loud\"" } })
  })
})
