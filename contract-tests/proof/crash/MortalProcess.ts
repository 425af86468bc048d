import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { CrashPoint } from "./CrashPoint.ts"

const mortalHost = fileURLToPath(new URL("./mortalHost.ts", import.meta.url))

const longestLog = 1_000_000

/** Which host to run, and where it crashes. */
export interface MortalOptions {
  readonly role: "api" | "worker"
  readonly variables: Readonly<Record<string, string>>
  readonly point?: CrashPoint
  readonly hit?: number
  /** The file to run; without it, the host that knows the crash points. */
  readonly entry?: string
}

/** A host in a process of its own. */
export class MortalProcess {
  private readonly child: ChildProcess
  private errors = ""
  private written = ""
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>

  private constructor(options: MortalOptions) {
    const { entry = mortalHost, point, hit = 1, role, variables } = options
    this.child = spawn(process.execPath, ["--conditions=@overa/source", entry], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, OVERA_WORKER_PORT: "0", ...variables, CRASH_ROLE: role, ...(point === undefined ? {} : { CRASH_POINT: point, CRASH_HIT: String(hit) }) }
    })
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.written = (this.written + chunk.toString()).slice(-longestLog)
    })
    this.child.stderr?.on("data", (chunk: Buffer) => {
      this.errors += chunk.toString()
    })
    this.ended = once(this.child, "exit").then(() => undefined)
  }

  /** Resolves when the host serves, or has already crashed at its point. */
  static async start(options: MortalOptions): Promise<MortalProcess> {
    const host = new MortalProcess(options)
    const stdout = host.child.stdout
    if (stdout === null) throw new Error("a child without its output")
    await Promise.race([once(stdout, "data"), host.ended])
    if (host.child.exitCode !== null) throw new Error(`the ${options.role} did not start: ${host.errors}`)
    return host
  }

  /** The end of its output, from both streams. */
  get log(): string {
    return this.written + this.errors
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Asks it to stop, as an operator does. */
  async stop(): Promise<void> {
    this.child.kill("SIGTERM")
    await this.ended
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL")
    await this.ended
  }
}
