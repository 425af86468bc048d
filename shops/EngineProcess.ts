import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** How an engine is started: by the Node that runs the trial, in its own folder. */
export interface EngineStart {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Its lines that are worth showing. */
  readonly shown: RegExp
}

/** The process of a shop engine, and its commands, which are processes too. */
export class EngineProcess {
  #child: ChildProcess | null = null

  /** Starts it with the program's words; it runs until `kill`. */
  start(begin: EngineStart, words: ReadonlyArray<string>): ChildProcess {
    this.#child = this.#spawn(begin, words)
    return this.#child
  }

  /** Runs a command to its end. */
  async command(begin: EngineStart, words: ReadonlyArray<string>): Promise<void> {
    const [code] = await once(this.#spawn(begin, words), "exit") as [number]
    if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}`)
  }

  /** As a machine that loses power. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }

  #spawn({ environment, folder, shown }: EngineStart, words: ReadonlyArray<string>): ChildProcess {
    const child = spawn(process.execPath, words, { cwd: folder, env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "inherit"] })
    child.stdout?.on("data", (chunk: Buffer) => shown.test(chunk.toString()) ? process.stderr.write(chunk) : undefined)
    return child
  }
}
