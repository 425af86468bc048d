import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const main = fileURLToPath(new URL("./main.ts", import.meta.resolve("@overa/sandbox")))

/** The content of `.overa/sandbox.json` (Decisions §8). */
export interface SandboxFacts {
  readonly baseUrl: string
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly organizationId: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
  readonly vpfr: { readonly url: string; readonly controlUrl: string }
  readonly smtp: { readonly webUrl: string }
  readonly production: Readonly<Record<"clientId" | "clientSecret" | "taxpayerId" | "businessPremiseId", string>>
  readonly other: Readonly<Record<"clientId" | "clientSecret" | "taxpayerId" | "businessPremiseId", string>>
  readonly noEnvironment: Readonly<Record<"clientId" | "clientSecret", string>>
}

/** `npm start` as a process, with its output. */
export class SandboxProcess {
  readonly home: string
  private readonly child: ChildProcess
  /** Everything printed so far, to either stream. */
  printed = ""
  readonly ended: Promise<number | null>

  constructor(home: string, port = "0") {
    this.home = home
    this.child = spawn(process.execPath, ["--conditions=@overa/source", main], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, OVERA_HOME: home, PORT: port }
    })
    const keep = (chunk: Buffer) => {
      this.printed += chunk.toString()
    }
    this.child.stdout?.on("data", keep)
    this.child.stderr?.on("data", keep)
    this.ended = once(this.child, "close").then(([code]) => code as number | null)
  }

  /** Resolves when it reports that it is ready; rejects when it ends before. */
  async ready(): Promise<SandboxFacts> {
    const ready = new Promise<void>((resolve) => {
      const look = () => {
        if (this.printed.includes("Ctrl-C stops everything")) resolve()
      }
      this.child.stdout?.on("data", look)
    })
    await Promise.race([ready, this.ended.then(() => Promise.reject(new Error(`it ended: ${this.printed}`)))])
    return this.facts()
  }

  facts(): SandboxFacts {
    return JSON.parse(readFileSync(this.file, "utf8")) as SandboxFacts
  }

  get file(): string {
    return join(this.home, "sandbox.json")
  }

  get isAnnounced(): boolean {
    return existsSync(this.file)
  }

  /** Pastes the printed command into a shell and answers its output. */
  async paste(): Promise<Record<string, unknown>> {
    const command = /^curl [\s\S]*?^ {2}-d '.*'$/m.exec(this.printed)?.[0] ?? "no command was printed"
    const { stdout } = await promisify(execFile)("sh", ["-c", command])
    return JSON.parse(stdout) as Record<string, unknown>
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  async stop(): Promise<number | null> {
    this.signal("SIGINT")
    return this.ended
  }
}
