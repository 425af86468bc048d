import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as wait } from "node:timers/promises"

/** The result of a block. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  /** Commands of the block that failed, with their status. */
  readonly failed: ReadonlyArray<string>
}

const mark = "--- end of block ---"

/** The shells of Linux and of macOS, with the arguments that leave out personal settings and the options of a strict terminal. */
const programs = {
  bash: { args: ["--noprofile", "--norc"], options: "set -m -u -E -o pipefail" },
  zsh: { args: ["-f"], options: "setopt NO_UNSET PIPE_FAIL" }
} as const
export type ShellProgram = keyof typeof programs

/** A terminal: a shell that keeps its variables and functions from one block to the next. */
export class Shell {
  readonly #process: ChildProcess
  #stdout = ""
  #stderr = ""

  constructor(folder: string, variables: Readonly<Record<string, string>> = {}, program: ShellProgram = "bash") {
    const { args, options } = programs[program]
    this.#process = spawn(program, args, { cwd: folder, env: { ...process.env, ...variables } })
    this.#process.stdout?.on("data", (chunk: Buffer) => (this.#stdout += chunk.toString()))
    this.#process.stderr?.on("data", (chunk: Buffer) => (this.#stderr += chunk.toString()))
    // A command that fails is named; an unset variable ends the terminal.
    this.#process.stdin?.write(`${options}; trap 'echo "failed ($?): \${BASH_COMMAND:-a command}" >&3' ERR; exec 3>&2\n`)
  }

  /** Runs a block as if it were pasted. */
  async run(code: string, withinMillis = 120_000): Promise<Ran> {
    this.#stdout = ""
    this.#stderr = ""
    this.#process.stdin?.write(`${code}\necho "${mark}" >&2; echo "${mark}"\n`)
    await this.#until(() => this.#stdout.includes(mark) && this.#stderr.includes(mark), withinMillis, code)
    const lines = this.#stderr.slice(0, this.#stderr.indexOf(mark)).split("\n")
    return {
      stdout: this.#stdout.slice(0, this.#stdout.indexOf(mark)).trim(),
      stderr: lines.filter((line) => !line.startsWith("failed (")).join("\n").trim(),
      failed: lines.filter((line) => line.startsWith("failed ("))
    }
  }

  /** Starts a command that does not end by itself; answers its output once that matches `ready`. */
  async start(code: string, ready: RegExp, withinMillis = 180_000): Promise<string> {
    this.#stdout = ""
    this.#process.stdin?.write(`${code} &\n`)
    await this.#until(() => ready.test(this.#stdout), withinMillis, code)
    return this.#stdout
  }

  async #until(isDone: () => boolean, withinMillis: number, code: string): Promise<void> {
    const end = Date.now() + withinMillis
    while (!isDone()) {
      const why = this.#process.exitCode !== null ? "The terminal ended" : Date.now() > end ? `Not done within ${withinMillis / 1_000} s` : null
      if (why !== null) throw new Error(`${why}:\n${code}\n${this.#stdout}\n${this.#stderr}`)
      await wait(20)
    }
  }

  /** Sends every process that it started the signal of a stopping system, waits for them, and ends. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return
    const exited = once(this.#process, "exit")
    const end = "for job in $(jobs -p); do kill -TERM -- -$job; while ps -e -o pgid=,stat= | grep -q \"^ *$job [^Z]\"; do sleep 0.1; done; done; exit"
    this.#process.stdin?.write(`trap - ERR; set +u; ${end}\n`)
    await exited
  }
}
