import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Deferred, Effect, Schema } from "effect"
import { isFree } from "./freePort.ts"
import { readPrivate, writePrivate } from "./privateFile.ts"
import { stopLeftover } from "./processCommand.ts"
import { SandboxProblem } from "./SandboxProblem.ts"

const Far = Schema.Struct({ url: Schema.String, verificationUrl: Schema.String })

/** What the simulator prints when it is ready. */
const Announcement = Schema.Struct({ ready: Schema.Literal(true), sandbox: Far, production: Far, controlUrl: Schema.String })

/** The V-PFR simulator, in a process of its own. */
export interface RunningSimulator {
  readonly sandbox: typeof Far.Type
  readonly production: typeof Far.Type
  readonly controlUrl: string
  /** True when a simulator of an earlier, killed start had to be stopped first. */
  readonly recovered: boolean
  /** Fails when the simulator ends by itself. */
  readonly ended: Effect.Effect<never, SandboxProblem>
}

const portNames = [
  "SANDBOX_PORT",
  "PRODUCTION_PORT",
  "SANDBOX_VERIFICATION_PORT",
  "PRODUCTION_VERIFICATION_PORT",
  "CONTROL_PORT"
] as const

const Ports = Schema.Record(Schema.Literals(portNames), Schema.Int)

const Remembered = Schema.Struct({ pid: Schema.NullOr(Schema.Int), ports: Schema.NullOr(Ports) })

const main = fileURLToPath(new URL("./main.ts", import.meta.resolve("@overa/vpfr-simulator")))

const portOf = (address: string): number => Number(new URL(address).port)

const portsOf = (ready: typeof Announcement.Type): typeof Ports.Type => ({
  SANDBOX_PORT: portOf(ready.sandbox.url),
  PRODUCTION_PORT: portOf(ready.production.url),
  SANDBOX_VERIFICATION_PORT: portOf(ready.sandbox.verificationUrl),
  PRODUCTION_VERIFICATION_PORT: portOf(ready.production.verificationUrl),
  CONTROL_PORT: portOf(ready.controlUrl)
})

/** Receipts contain the verification page's address, so its port is used again unless another program has taken it meanwhile. */
const portVariables = Effect.fnUntraced(function*(ports: typeof Ports.Type | null) {
  const variables: Record<string, string> = {}
  for (const name of portNames) {
    const port = ports?.[name] ?? 0
    variables[`OVERA_SIMULATOR_${name}`] = port > 0 && (yield* isFree(port)) ? String(port) : "0"
  }
  return variables
})

const launch = (folder: string, variables: Record<string, string>): ChildProcess => {
  const log = openSync(join(folder, "simulator.log"), "a", 0o600)
  // A later start recognizes the process by the data folder on its command line.
  const child = spawn(process.execPath, ["--conditions=@overa/source", main, folder], {
    // In its own process group: Ctrl-C at the terminal reaches only this process. When this process ends, the simulator's standard input closes, and
    // the simulator stops.
    detached: true,
    stdio: ["pipe", "pipe", log],
    env: { ...process.env, ...variables, OVERA_SIMULATOR_DATA: folder, OVERA_SIMULATOR_STOP_WITH_PARENT: "1" }
  })
  closeSync(log)
  return child
}

const lastLogLine = (folder: string): string =>
  readFileSync(join(folder, "simulator.log"), "utf8").trim().split("\n").at(-1) ?? "no log"

const problem = (why: string) => Effect.fail(new SandboxProblem({ line: `the V-PFR simulator did not start: ${why}` }))

const announced = (child: ChildProcess, folder: string) =>
  Effect.callback<string, SandboxProblem>((resume) => {
    let text = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes("\n")) resume(Effect.succeed(text.slice(0, text.indexOf("\n"))))
    })
    child.once("error", (error) => resume(problem(error.message)))
    child.once("exit", () => resume(problem(lastLogLine(folder))))
  }).pipe(
    Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => problem("it was not ready within 30 s") }),
    Effect.flatMap((line) => Schema.decodeUnknownEffect(Schema.fromJsonString(Announcement))(line)),
    Effect.catchTag("SchemaError", () => problem("its start message has an unexpected form"))
  )

const stop = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGTERM")
  }).pipe(Effect.timeoutOrElse({
    duration: "10 seconds",
    orElse: () => Effect.sync(() => child.kill("SIGKILL"))
  }))

const whenEnded = (child: ChildProcess) => {
  const ended = Deferred.makeUnsafe<never, SandboxProblem>()
  child.once("exit", () =>
    Deferred.doneUnsafe(ended, Effect.fail(new SandboxProblem({ line: "the V-PFR simulator ended unexpectedly" }))))
  return Deferred.await(ended)
}

/** Starts the V-PFR simulator as a process of its own. It keeps its data between starts and stops when the scope closes. */
export const simulatorProcess = Effect.fn("simulatorProcess")(function*(home: string) {
  const folder = join(home, "simulator")
  const memory = join(home, "simulator.json")
  yield* Effect.sync(() => mkdirSync(folder, { recursive: true }))
  const remembered = yield* readPrivate(memory, Remembered)
  const pid = remembered?.pid ?? null
  const recovered = pid !== null && (yield* stopLeftover({ pid, mark: folder, name: "the V-PFR simulator" }, "SIGTERM"))
  const variables = yield* portVariables(remembered?.ports ?? null)
  const child = yield* Effect.acquireRelease(Effect.sync(() => launch(folder, variables)), stop)
  yield* writePrivate(memory, { pid: child.pid ?? null, ports: remembered?.ports ?? null })
  const ready = yield* announced(child, folder)
  yield* writePrivate(memory, { pid: child.pid ?? null, ports: portsOf(ready) })
  const running: RunningSimulator = { ...ready, recovered, ended: whenEnded(child) }
  return running
})
