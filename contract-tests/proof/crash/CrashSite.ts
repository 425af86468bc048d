import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  embeddedPostgres,
  hostVariables,
  openBackends,
  type RunningPostgres,
  type SeededSandbox,
  type SharedSettings,
  writeRoots
} from "@overa/sandbox"
import { Effect, Exit, Schedule, Scope } from "effect"

interface RateGroup {
  readonly validFrom: string
  readonly taxCategories: ReadonlyArray<{ readonly name: string; readonly taxRates: ReadonlyArray<{ readonly label: string }> }>
}

/** A real PostgreSQL with fsync on, and the simulator over TLS in its own process; seeded. Both can be killed. */
export class CrashSite {
  readonly home: string
  readonly settings: SharedSettings
  readonly seeded: SeededSandbox
  readonly controlUrl: string
  private readonly scope: Scope.Closeable
  private postgres: RunningPostgres

  private constructor(
    home: string,
    scope: Scope.Closeable,
    opened: { readonly postgres: RunningPostgres; readonly settings: SharedSettings; readonly controlUrl: string },
    seeded: SeededSandbox
  ) {
    this.home = home
    this.scope = scope
    this.postgres = opened.postgres
    this.settings = opened.settings
    this.controlUrl = opened.controlUrl
    this.seeded = seeded
  }

  static async open(): Promise<CrashSite> {
    const home = mkdtempSync(join(tmpdir(), "overa-crash-"))
    const scope = Scope.makeUnsafe()
    const load = Effect.promise(() => import("@overa/sandbox"))
    const opening = Effect.gen(function*() {
      const { loaded, postgres, settings, simulator } = yield* openBackends(home, load)
      const { controlUrl } = simulator
      const seeded = yield* loaded.sandboxContent({ home, controlUrl, settings, urlOf: postgres.url })
      return new CrashSite(home, scope, { postgres, settings, controlUrl }, seeded)
    })
    return Effect.runPromise(opening.pipe(Effect.provideService(Scope.Scope, scope)))
  }

  /** A host's environment variables; the same port at every start, as behind a load balancer. */
  variables(hostId: string, port: number): Record<string, string> {
    writeRoots(this.home, this.settings)
    return {
      ...hostVariables(this.home, this.settings),
      OVERA_HOST_ID: hostId,
      OVERA_WORKER_ID: hostId,
      OVERA_LISTEN_HOST: "127.0.0.1",
      PORT: String(port),
      OVERA_RATE_LIMIT_PER_SECOND: "1000000",
      OVERA_RATE_LIMIT_BURST: "1000000"
    }
  }

  /** Kills the server as a power failure does, and starts it again on the same port; it recovers from its log. */
  async crashPostgres(): Promise<void> {
    process.kill(this.postgres.pid, "SIGKILL")
    const options = { folder: join(this.home, "postgres"), password: this.settings.secrets.postgresPassword, port: this.postgres.port }
    // The killed server's child processes hold its memory for a moment, and a new server refuses to start beside them.
    const again = embeddedPostgres(options).pipe(
      Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 100 }),
      Effect.provideService(Scope.Scope, this.scope)
    )
    this.postgres = await Effect.runPromise(again)
  }

  /** Stops the server for good and returns its folder, for tests that run other servers over its data. */
  async handOverPostgres(): Promise<string> {
    process.kill(this.postgres.pid, "SIGINT")
    await Effect.runPromise(Effect.exit(this.postgres.ended))
    return join(this.home, "postgres")
  }

  async fault(order: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = await fetch(`${this.controlUrl}/faults`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(order) })
    if (!answer.ok) throw new Error(`the fault was refused: ${await answer.text()}`)
  }

  async clearFaults(): Promise<void> {
    await fetch(`${this.controlUrl}/faults`, { method: "DELETE" })
  }

  /** A label that a sale may carry today. */
  async anyLabel(): Promise<string> {
    const [label] = await this.labels()
    if (label === undefined) throw new Error("the simulator has no VAT label")
    return label
  }

  /** Every label of value added tax that a sale may carry today. */
  async labels(): Promise<ReadonlyArray<string>> {
    const answer = await fetch(`${this.controlUrl}/tax-rates`)
    const { sandbox } = await answer.json() as { readonly sandbox: ReadonlyArray<RateGroup> }
    const current = sandbox.filter(({ validFrom }) => Date.parse(validFrom) <= Date.now()).at(-1)
    return current?.taxCategories.find(({ name }) => name === "VAT")?.taxRates.map(({ label }) => label) ?? []
  }

  /** How many receipts the simulator has signed in total. */
  async signedSoFar(): Promise<number> {
    const answer = await fetch(`${this.controlUrl}/receipts?limit=0`)
    return (await answer.json() as { readonly count: number }).count
  }

  async close(): Promise<void> {
    await Effect.runPromise(Scope.close(this.scope, Exit.void))
    rmSync(this.home, { recursive: true, force: true })
  }
}
