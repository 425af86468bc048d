import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, watch } from "node:fs"
import { existsSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** A sandbox of its own: PostgreSQL, the V-PFR simulator, worker and API, as `npm start` runs them (Decisions §8). */
export interface SandboxProcess {
  /** Its `sandbox.json`. */
  readonly file: string
  readonly stop: () => Promise<void>
}

const entry = fileURLToPath(new URL("../../../hosts/sandbox/src/main.ts", import.meta.url))

/** Starts one in a folder that is deleted when it stops; resolves when it is ready. */
export const startSandboxProcess = async (): Promise<SandboxProcess> => {
  const home = join(mkdtempSync(join(tmpdir(), "overa-http-")), "home")
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const file = join(home, "sandbox.json")
  const child = spawn(process.execPath, ["--conditions=@overa/source", entry], {
    env: { ...process.env, OVERA_HOME: home, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const output: Array<string> = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk.toString()))
  await Promise.race([fileAppears(home, file), ended(child, output)])
  return {
    file,
    stop: async () => {
      const exited = once(child, "exit")
      child.kill("SIGTERM")
      await exited
      rmSync(join(home, ".."), { recursive: true, force: true })
    }
  }
}

const fileAppears = (folder: string, file: string): Promise<void> =>
  new Promise((resolve) => {
    const watcher = watch(folder, () => {
      if (!existsSync(file)) return
      watcher.close()
      resolve()
    })
  })

const ended = async (child: ChildProcess, output: ReadonlyArray<string>): Promise<never> => {
  await once(child, "exit")
  throw new Error(`The sandbox ended before it was ready: ${output.join("").slice(-1_000)}`)
}
