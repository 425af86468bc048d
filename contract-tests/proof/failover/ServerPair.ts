import { execFileSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { embeddedPostgres, type RunningPostgres } from "@overa/sandbox"
import { Effect, Exit, Schedule, Scope } from "effect"
import pg from "pg"
import { FaultyLine } from "../../src/support/FaultyLine.ts"
import { freePort } from "../../src/support/freePort.ts"

export type Replication = "synchronous" | "asynchronous"

/** A server and the end of it. */
class Server {
  readonly running: RunningPostgres
  private readonly scope: Scope.Closeable

  private constructor(running: RunningPostgres, scope: Scope.Closeable) {
    this.running = running
    this.scope = scope
  }

  static async start(options: { readonly folder: string; readonly password: string; readonly port: number; readonly settings: ReadonlyArray<string> }) {
    const scope = Scope.makeUnsafe()
    const starting = embeddedPostgres(options).pipe(
      Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 50 }),
      Effect.provideService(Scope.Scope, scope)
    )
    return new Server(await Effect.runPromise(starting), scope)
  }

  async query<Row extends pg.QueryResultRow>(sql: string): Promise<ReadonlyArray<Row>> {
    const client = new pg.Client({ connectionString: this.running.url("overa") })
    client.on("error", () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  kill(): Promise<unknown> {
    process.kill(this.running.pid, "SIGKILL")
    return Effect.runPromise(Effect.exit(this.running.ended))
  }

  stop(): Promise<void> {
    return Effect.runPromise(Scope.close(this.scope, Exit.void))
  }
}

const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
  while (!(await isTrue().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20))
}

/**
 * A primary with one standby that replicates over a connection that can be broken. Both are the sandbox's own PostgreSQL; the standby begins as a
 * copy of the stopped primary's files, which needs no program but the server itself.
 */
export class ServerPair {
  private readonly places: readonly [Place, Place]
  private readonly password: string
  private readonly settings: ReadonlyArray<string>
  private active = 0
  private primary: Server | undefined
  private standby: Server | undefined
  private line: FaultyLine | undefined

  private constructor(places: readonly [Place, Place], password: string, settings: ReadonlyArray<string>) {
    this.places = places
    this.password = password
    this.settings = settings
  }

  /** `folder` holds the data of a server that was stopped; `settings` are both servers' own. */
  static async over(folder: string, password: string, settings: ReadonlyArray<string> = []): Promise<ServerPair> {
    return new ServerPair([{ folder, port: await freePort() }, { folder: `${folder}-standby`, port: await freePort() }], password, settings)
  }

  /** Both addresses in one URL. */
  get url(): string {
    const [one, two] = this.places
    return `postgres://overa:${encodeURIComponent(this.password)}@127.0.0.1:${one.port},127.0.0.1:${two.port}/overa`
  }

  /** The address of the current primary. */
  get primaryUrl(): string {
    return this.primary?.running.url("overa") ?? ""
  }

  private get here(): Place {
    return this.places[this.active] as Place
  }

  private get there(): Place {
    return this.places[1 - this.active] as Place
  }

  /** Starts the primary where it was last, and a new standby beside it. */
  async start(replication: Replication): Promise<void> {
    const { here, password, there } = this
    rmSync(there.folder, { recursive: true, force: true })
    execFileSync("cp", ["-a", here.folder, there.folder])
    rmSync(join(there.folder, "data", "postmaster.pid"), { force: true })
    writeFileSync(join(there.folder, "data", "standby.signal"), "")
    const settings = [...this.settings, ...(replication === "synchronous" ? ["synchronous_standby_names=*"] : [])]
    this.primary = await Server.start({ ...here, password, settings })
    this.line = await FaultyLine.open(here.port)
    const source = `primary_conninfo=host=127.0.0.1 port=${this.line.port} user=overa password=${password} application_name=standby`
    this.standby = await Server.start({ ...there, password, settings: [...this.settings, source, "hot_standby=on"] })
    const primary = this.primary
    await until(async () => (await primary.query("select from pg_stat_replication where state = 'streaming'")).length === 1)
  }

  /** The folder of the current primary. */
  get primaryFolder(): string {
    return this.here.folder
  }

  /** From now on nothing reaches the standby, which does not notice. */
  loseLine(): void {
    if (this.line !== undefined) this.line.deaf = true
  }

  /** Kills the primary, promotes the standby, and resolves when the standby accepts writes. */
  async failOver(): Promise<void> {
    const { standby } = this
    if (this.primary === undefined || standby === undefined) throw new Error("no pair is running")
    await this.primary.kill()
    this.line?.cut()
    await standby.query("select pg_promote(true, 30)")
    await until(async () => (await standby.query<{ readonly done: boolean }>("select not pg_is_in_recovery() as done"))[0]?.done === true)
    await this.line?.close()
    this.line = undefined
    this.primary = standby
    this.standby = undefined
    this.active = 1 - this.active
  }

  /** Stops what runs; the data of the current primary is kept. */
  async stop(): Promise<void> {
    await this.standby?.stop()
    await this.primary?.stop()
    await this.line?.close()
    this.line = this.primary = this.standby = undefined
  }
}

interface Place {
  readonly folder: string
  readonly port: number
}
