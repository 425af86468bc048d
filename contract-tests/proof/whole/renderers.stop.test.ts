import { PooledReceiptRenderer } from "@overa/adapter-renderers"
import { ReceiptRenderer } from "@overa/domain"
import { Effect, ManagedRuntime } from "effect"
import { execFileSync } from "node:child_process"
import { setTimeout as wait } from "node:timers/promises"
import { expect, it } from "vitest"
import { sampleReceipt } from "../../src/support/sampleReceipts.ts"

/** This process's children, including those that have ended and were not waited for yet. */
const children = (): ReadonlyMap<number, string> =>
  new Map(
    execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n").map((line) => line.trim().split(/\s+/))
      .filter(([, parent]) => Number(parent) === process.pid)
      .map(([pid, , ...command]) => [Number(pid), command.join(" ")])
  )

// As when the system stops every process of a service at once, or kills the largest one when memory is short.
it.each(["SIGTERM", "SIGKILL"] as const)("the renderer stops although its drawing process was ended before it by %s", async (signal) => {
  const runtime = ManagedRuntime.make(PooledReceiptRenderer.layer())
  const renderer = await runtime.runPromise(ReceiptRenderer)
  await runtime.runPromise(renderer.render(sampleReceipt("NORMAL", "SALE"), Effect.succeed(null), "pdf-80mm"))
  const processes = [...children()].filter(([, command]) => command.includes("drawProcess")).map(([pid]) => pid)
  expect(processes.length).toBeGreaterThan(0)
  for (const pid of processes) process.kill(pid, signal)
  while (processes.some((pid) => children().has(pid))) await wait(20)
  expect(await Promise.race([runtime.dispose().then(() => "stopped"), wait(8_000, "still waiting")])).toBe("stopped")
})
