import { type ChildProcess, spawn } from "node:child_process"
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { Clock, Deferred, Effect, Schedule } from "effect"
import { freePort } from "./freePort.ts"
import { clusterPaths, initialiseCluster, superuser } from "./initialiseCluster.ts"
import { postgresBinaries, type PostgresRelease } from "./postgresBinaries.ts"
import { canBeSignalled, stopLeftover } from "./processCommand.ts"
import { SandboxProblem } from "./SandboxProblem.ts"
import { type ServerAccount, serverAccount } from "./serverAccount.ts"

/** A running server, reachable on the loopback only. */
export interface RunningPostgres {
  /** Connects as the superuser to the database of this name. */
  readonly url: (database: string) => string
  /** True when a server of an earlier, killed start had to be stopped first. */
  readonly recovered: boolean
  readonly pid: number
  readonly port: number
  /** Fails when the server ends by itself. */
  readonly ended: Effect.Effect<never, SandboxProblem>
}

const pidOf = (dataDirectory: string): number | null => {
  const file = join(dataDirectory, "postmaster.pid")
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, "utf8").split("\n")[0])
  return Number.isInteger(pid) && pid > 0 ? pid : null
}

/**
 * A server whose sandbox was killed may still run: it is asked to stop, so that only one server uses the data. The pid file of a server that has
 * ended is left to the next server, unless PostgreSQL would take the id in it for a running server: the id may now belong to another process or to a
 * zombie. A process that still uses the data is also found without the file, by the shared memory that belongs to the folder.
 */
const recoverData = Effect.fn("recoverData")(function*(dataDirectory: string) {
  const pid = pidOf(dataDirectory)
  if (pid === null) return false
  // SIGINT is PostgreSQL's fast shutdown: it ends connections and writes a checkpoint.
  const stopped = yield* stopLeftover({ pid, mark: dataDirectory, name: "PostgreSQL" }, "SIGINT")
  if (canBeSignalled(pid)) yield* Effect.sync(() => rmSync(join(dataDirectory, "postmaster.pid"), { force: true }))
  return stopped
})

/** The server's own reason if it logged one, else its last line. */
const lastWords = (logFile: string): string => {
  const lines = readFileSync(logFile, "utf8").trim().split("\n")
  return lines.findLast((line) => line.includes("FATAL:")) ?? lines.at(-1) ?? "no log"
}

/** A killed server's child processes hold its shared memory for a moment, until they notice. */
const isStillInUse = (logFile: string): boolean =>
  readFileSync(logFile, "utf8").split("\n").some((line) => line.includes("FATAL: ") && line.includes("still in use"))

const problem = (why: string) => Effect.fail(new SandboxProblem({ line: `PostgreSQL did not start: ${why}` }))

/** On the loopback only; 200 connections are enough for several hosts. */
const usualSettings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"]

interface Launch {
  readonly program: string
  readonly account: ServerAccount
  readonly dataDirectory: string
  readonly logFile: string
  readonly port: number
  readonly settings: ReadonlyArray<string>
}

const launch = ({ account, dataDirectory, logFile, port, program, settings }: Launch): ChildProcess => {
  const flags = [...usualSettings, ...settings].flatMap((setting) => ["-c", setting])
  const command = account.command(program, ["-D", dataDirectory, "-p", String(port), ...flags])
  const log = openSync(logFile, "w", 0o600)
  // In its own process group: Ctrl-C at the terminal reaches only this process, which stops the server last.
  const child = spawn(command.program, command.args, { ...command.identity, detached: true, stdio: ["ignore", log, log] })
  child.once("error", (error) => appendFileSync(logFile, `${error.message}\n`))
  closeSync(log)
  return child
}

const hasEnded = (child: ChildProcess): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null

const isReady = (logFile: string): boolean =>
  readFileSync(logFile, "utf8").includes("database system is ready to accept")

/** A server that recovers from a crash may first replay a long log, so only its end or a minute without output is a failure. */
const whenReady = Effect.fnUntraced(function*(child: ChildProcess, logFile: string) {
  const deadline = (yield* Clock.currentTimeMillis) + 60_000
  while (!isReady(logFile)) {
    if (hasEnded(child) || (yield* Clock.currentTimeMillis) > deadline) return yield* problem(lastWords(logFile))
    yield* Effect.sleep("10 millis")
  }
})

const stopServer = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (hasEnded(child)) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGINT")
  })

const whenEnded = (child: ChildProcess) => {
  const ended = Deferred.makeUnsafe<never, SandboxProblem>()
  child.once("exit", () =>
    Deferred.doneUnsafe(ended, Effect.fail(new SandboxProblem({ line: "PostgreSQL ended unexpectedly; npm start recovers its data" }))))
  return Deferred.await(ended)
}

/** The sandbox's real PostgreSQL: fsync on, data kept between starts, stopped when the scope closes. */
export const embeddedPostgres = Effect.fn("embeddedPostgres")(function*(options: {
  readonly folder: string
  readonly password: string
  /** A free one when absent. */
  readonly port?: number
  /** `name=value`, beside the usual ones. */
  readonly settings?: ReadonlyArray<string>
  /** That of the platform package when absent. */
  readonly release?: PostgresRelease
}) {
  const paths = clusterPaths(options.folder)
  const { postgres, ...initialising } = options.release ?? (yield* postgresBinaries)
  yield* Effect.sync(() => mkdirSync(options.folder, { recursive: true }))
  const account = yield* serverAccount([options.folder, dirname(postgres)])
  const recovered = yield* recoverData(paths.data)
  yield* initialiseCluster({ ...options, ...initialising, account })
  const port = options.port ?? (yield* freePort)
  const settings = options.settings ?? []
  const launching = { program: postgres, account, dataDirectory: paths.data, logFile: paths.log, port, settings }
  const server = yield* Effect.acquireRelease(Effect.sync(() => launch(launching)), stopServer).pipe(
    Effect.tap((child) => whenReady(child, paths.log)),
    Effect.retry({ while: () => isStillInUse(paths.log), schedule: Schedule.spaced("50 millis"), times: 40 })
  )
  const running: RunningPostgres = {
    url: (database) => `postgres://${superuser}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${database}`,
    recovered,
    pid: server.pid ?? 0,
    port,
    ended: whenEnded(server)
  }
  return running
})
