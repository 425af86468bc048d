import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { embeddedPostgres } from "@overa/sandbox"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

const stateOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.charAt(0) ?? ""

/** A process that has ended and whose parent never reads its status, under the server's account. */
const zombie = async (account: { readonly uid: number; readonly gid: number }): Promise<{ readonly pid: number; readonly parent: ChildProcess }> => {
  const { gid, uid } = account
  const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"], cwd: "/", uid, gid })
  const pid = await new Promise<number>((resolve) => parent.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString()))))
  await vi.waitUntil(() => stateOf(pid) === "Z", { timeout: 5_000, interval: 5 })
  return { pid, parent }
}

/** The processes whose parent is this one. */
const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((one) => {
    try {
      return Number(readFileSync(`/proc/${one}/stat`, "utf8").split(") ")[1]?.split(" ")[1]) === pid
    } catch {
      return false
    }
  })

// On other systems a zombie is found by their own ps; only Linux shows its state without one.
describe.runIf(process.platform === "linux")("what a killed PostgreSQL leaves behind", () => {
  let folder: string
  const pidFile = () => join(folder, "data/postmaster.pid")
  const startAndStop = () =>
    Effect.runPromise(Effect.scoped(embeddedPostgres({ folder, password: "throwaway", settings: ["fsync=off"] })).pipe(
      Effect.map(() => "started"),
      Effect.catch((problem) => Effect.succeed(problem.line))
    ))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "overa-leftovers-"))
    expect(await startAndStop()).toBe("started")
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("a pid file that names a zombie is a dead server's", async () => {
    const { parent, pid } = await zombie(statSync(join(folder, "data")))
    try {
      writeFileSync(pidFile(), `${pid}\n${join(folder, "data")}\n1\n5432\n\n127.0.0.1\n  1 1\nready\n`)
      expect(await startAndStop()).toBe("started")
    } finally {
      parent.kill("SIGKILL")
    }
  })

  it("a server's living children keep a second one away from its data, although the server itself is a zombie", async () => {
    const start = embeddedPostgres({ folder, password: "throwaway", settings: ["fsync=off"] })
    await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { pid } = yield* start
      const children = childrenOf(pid)
      expect(children.length).toBeGreaterThan(0)
      for (const child of children) process.kill(child, "SIGSTOP")
      process.kill(pid, "SIGKILL")
      // A suspended child cannot notice its server's end; a running one ends by itself.
      yield* Effect.promise(() => vi.waitUntil(() => childrenOf(pid).length === 0, { timeout: 5_000, interval: 5 }))
      const { parent, pid: unreaped } = yield* Effect.promise(() => zombie(statSync(join(folder, "data"))))
      writeFileSync(pidFile(), readFileSync(pidFile(), "utf8").replace(/^\d+/, String(unreaped)))
      expect(yield* Effect.promise(startAndStop)).toMatch(/still in use/)
      parent.kill("SIGKILL")
      for (const child of children) process.kill(child, "SIGCONT")
      expect(yield* Effect.promise(startAndStop)).toBe("started")
    })))
  }, 30_000)
})
