import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { residentMegabytes } from "../../src/support/hostProcess.ts"

/** This checkout, laid out as a release is. */
export const checkout = fileURLToPath(new URL("../../..", import.meta.url))

/** Which program of which release, and its settings. */
export interface HostOrder {
  readonly role: "api" | "worker"
  /** The folder of the release: with `deploy/overa.mjs` and its packages. */
  readonly release: string
  readonly variables: Readonly<Record<string, string>>
}

const longestLog = 200_000

/** A program of an installation in a process of its own, started by the launcher as an operator starts it. */
export class HostProcess {
  readonly role: HostOrder["role"]
  private readonly child: ChildProcess
  private written = ""
  readonly ended: Promise<void>

  private constructor({ release, role, variables }: HostOrder) {
    this.role = role
    this.child = spawn(process.execPath, [join(release, "deploy/overa.mjs"), role], { cwd: release, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...variables } })
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.written = (this.written + chunk.toString()).slice(-longestLog)
      })
    }
    this.ended = once(this.child, "exit").then(() => undefined)
  }

  /** Resolves when it says that it serves. */
  static async start(order: HostOrder): Promise<HostProcess> {
    const host = new HostProcess(order)
    while (host.alive && !/"(?:serving|running)"/.test(host.written)) {
      await Promise.race([host.ended, once(host.child.stdout ?? host.child, "data")])
    }
    if (!host.alive) throw new Error(`the ${order.role} of ${order.release} did not start: ${host.written}`)
    return host
  }

  /** The end of its output. */
  get log(): string {
    return this.written
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** What it holds of the machine now; null once it has ended. Linux only. */
  get holds(): Holding | null {
    try {
      return { megabytes: residentMegabytes(this.pid), handles: readdirSync(`/proc/${this.pid}/fd`).length }
    } catch {
      return null
    }
  }

  async stop(): Promise<void> {
    this.child.kill("SIGTERM")
    await this.ended
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL")
    await this.ended
  }
}

export interface Holding {
  readonly megabytes: number
  /** Open files and connections. */
  readonly handles: number
}
