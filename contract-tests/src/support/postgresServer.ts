import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PostgresRelease, RunningPostgres } from "@overa/sandbox"
import { Effect, Exit, Scope } from "effect"

/** A real PostgreSQL of its own, deleted afterwards. */
export interface PostgresServer {
  readonly port: number
  readonly directory: string
  /** The address of one of its databases. */
  readonly url: (database: string) => string
  /** The process id of the postmaster, for tests that kill it. */
  readonly processId: () => number
  readonly start: () => Promise<void>
  /** Kills it, and starts it again over its data. */
  readonly crashAndRestart: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Stops it and deletes its files. */
  readonly destroy: () => Promise<void>
}

const prefix = "overa-postgres-"
const password = "throwaway"

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const postmasterOf = (directory: string): number => {
  const file = join(directory, "data", "postmaster.pid")
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0
}

// A test run that was killed leaves its server running, because PostgreSQL does not end with its parent. Directories carry the id of the process that
// created them; if that process has ended, server and directory are removed.
const removeAbandoned = (): void => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const maker = Number(name.slice(prefix.length).split("-")[0])
    if (isAlive(maker)) continue
    const directory = join(tmpdir(), name)
    const postmaster = postmasterOf(directory)
    const commandLine = `/proc/${postmaster}/cmdline`
    if (postmaster > 0 && existsSync(commandLine) && readFileSync(commandLine, "utf8").includes(directory)) {
      process.kill(postmaster, "SIGKILL")
    }
    rmSync(directory, { recursive: true, force: true })
  }
}

const prepareDirectory = (name: string): string => {
  const directory = join(tmpdir(), `${prefix}${process.pid}-${name}`)
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  return directory
}

/** The address of a database on a server created here. */
export const urlOn = (port: number | string, database: string): string =>
  `postgres://overa:${password}@127.0.0.1:${port}/${database}`

/** One run of the server: from a start to a stop or a kill. */
class Life {
  private readonly scope: Scope.Closeable
  private readonly running: RunningPostgres

  private constructor(running: RunningPostgres, scope: Scope.Closeable) {
    this.running = running
    this.scope = scope
  }

  static async begin(options: {
    readonly folder: string
    readonly port?: number
    readonly settings: ReadonlyArray<string>
    readonly release?: PostgresRelease
  }): Promise<Life> {
    // It loads the whole sandbox, so only a process that starts a server should import it.
    const { embeddedPostgres } = await import("@overa/sandbox")
    const scope = Scope.makeUnsafe()
    const start = embeddedPostgres({ ...options, password }).pipe(Effect.provideService(Scope.Scope, scope))
    return new Life(await Effect.runPromise(start), scope)
  }

  get port(): number {
    return this.running.port
  }

  get processId(): number {
    return this.running.pid
  }

  end(): Promise<void> {
    return Effect.runPromise(Scope.close(this.scope, Exit.void))
  }
}

/**
 * Creates and starts a server. With `durable: false` it does not wait for the disk: allowed only here. It is the sandbox's own starter, so that the
 * tests run wherever `npm start` does, also as root and in private folders.
 */
export const startPostgresServer = async (
  name: string,
  options: { readonly durable: boolean; readonly maxConnections?: number; readonly release?: PostgresRelease; readonly settings?: ReadonlyArray<string> }
): Promise<PostgresServer> => {
  removeAbandoned()
  const directory = prepareDirectory(name)
  const settings = [
    ...(options.durable ? [] : ["fsync=off", "full_page_writes=off"]),
    `max_connections=${options.maxConnections ?? 200}`,
    ...(options.settings ?? [])
  ]
  const launching = { folder: directory, settings, ...(options.release === undefined ? {} : { release: options.release }) }
  let life = await Life.begin(launching)
  const { port } = life
  const start = async () => {
    life = await Life.begin({ ...launching, port })
  }
  return {
    port,
    directory,
    url: (database) => urlOn(port, database),
    processId: () => life.processId,
    start,
    crashAndRestart: async () => {
      process.kill(life.processId, "SIGKILL")
      await start()
    },
    stop: () => life.end(),
    destroy: async () => {
      await life.end()
      rmSync(directory, { recursive: true, force: true })
    }
  }
}
