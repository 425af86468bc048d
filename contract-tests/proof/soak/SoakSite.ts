import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runAdmin } from "@overa/admin"
import { CrashSite } from "../crash/CrashSite.ts"
import { ServerPair } from "../failover/ServerPair.ts"
import { freePort } from "../../src/support/freePort.ts"
import { EventReceiver } from "./EventReceiver.ts"
import { checkout, HostProcess } from "./HostProcess.ts"
import { MailSink } from "./MailSink.ts"
import { SmallDisk } from "./SmallDisk.ts"
import { clientThrough, type SoakPlace, type SoakShop } from "./SoakShop.ts"
import { Ledger } from "./Ledger.ts"

/** The programs of the installation. The second of each role is left in peace, so that what it holds shows over the whole run. */
export const programs = ["api-1", "api-2", "worker-1", "worker-2"] as const
export type Program = typeof programs[number]

const stepped = new URL("./steppedClock.ts", import.meta.url).href

/** A label of production's rates, on which advances are taken as well. */
const productionLabel = "Ђ"

/** An installation of two hosts, two workers and two database servers, each in a process of its own, with the V-PFR, mail and receivers of events around it. */
export class SoakSite {
  readonly far: CrashSite
  readonly pair: ServerPair
  readonly mail: MailSink
  readonly events: EventReceiver
  readonly disk: SmallDisk
  /** Outside of the database's disk: archive, base back-ups, kept checkpoints, clocks. */
  readonly folder: string
  shops: ReadonlyArray<SoakShop> = []
  private readonly ports: ReadonlyMap<Program, number>
  private readonly running = new Map<Program, HostProcess>()
  private turn = 0

  private constructor(opened: Pick<SoakSite, "disk" | "events" | "far" | "folder" | "mail" | "pair"> & { readonly ports: ReadonlyMap<Program, number> }) {
    this.far = opened.far
    this.pair = opened.pair
    this.mail = opened.mail
    this.events = opened.events
    this.disk = opened.disk
    this.folder = opened.folder
    this.ports = opened.ports
  }

  static async open(): Promise<SoakSite> {
    const [far, mail, events] = await Promise.all([CrashSite.open(), MailSink.open(), EventReceiver.open()])
    const folder = mkdtempSync(join(tmpdir(), "overa-soak-"))
    for (const name of ["", "archive", "base", "kept", "clocks"]) mkdirSync(join(folder, name), { recursive: true, mode: 0o777 })
    execFileSync("chmod", ["-R", "777", folder])
    const disk = SmallDisk.mount(6_144)
    const data = join(disk.folder ?? folder, "postgres")
    execFileSync("cp", ["-a", await far.handOverPostgres(), data])
    const archiving = `archive_command=${join(checkout, "deploy/backup/archive-wal.sh")} "%p" "%f" ${join(folder, "archive")}`
    const pair = await ServerPair.over(data, far.settings.secrets.postgresPassword, ["archive_mode=on", archiving])
    await pair.start("synchronous")
    const ports = new Map<Program, number>()
    for (const program of programs) ports.set(program, await freePort())
    return new SoakSite({ far, mail, events, disk, folder, pair, ports })
  }

  /** The variables of a program: those of the sandbox, both database servers, mail and proxy. */
  variables(program: Program): Record<string, string> {
    const port = this.ports.get(program) ?? 0
    return {
      ...this.far.variables(program, port),
      DATABASE_URL: this.pair.url,
      OVERA_WORKER_PORT: String(port),
      OVERA_SMTP_URL: this.mail.url,
      OVERA_WEBHOOK_PROXY_URL: this.events.proxyUrl,
      NODE_OPTIONS: `--import=${stepped}`,
      SOAK_CLOCK_FILE: join(this.folder, "clocks", program)
    }
  }

  /** Starts a program, of this checkout or of another release. */
  async start(program: Program, release: string = checkout): Promise<void> {
    const role = program.startsWith("api") ? "api" : "worker"
    this.running.set(program, await HostProcess.start({ role, release, variables: this.variables(program) }))
  }

  process(program: Program): HostProcess {
    const host = this.running.get(program)
    if (host === undefined) throw new Error(`${program} was never started`)
    return host
  }

  /** The hosts in turn, also one that is down at the moment. */
  readonly nextHost = (): string => {
    this.turn += 1
    return `http://127.0.0.1:${this.ports.get(this.turn % 2 === 0 ? "api-1" : "api-2")}`
  }

  /** Moves the clock of one program away from the machine's. */
  stepClock(program: Program, millis: number): void {
    writeFileSync(join(this.folder, "clocks", program), String(millis))
  }

  /** The shops, with a receiver for the events of those that may have one. */
  async openShops(): Promise<void> {
    const { other, production, sandbox, webhooks } = this.far.seeded
    const label = await this.far.anyLabel()
    const places: ReadonlyArray<SoakPlace> = [
      { name: "sandbox", shop: sandbox, label, webhooks: webhooks?.sandbox ?? null },
      // Its events would need a receiver with a certificate that the world trusts.
      { name: "production", shop: production, label: productionLabel, webhooks: null },
      { name: "other", shop: other, label, webhooks: webhooks?.other ?? null }
    ]
    this.shops = await Promise.all(places.map(async (place) => {
      const client = clientThrough(this.nextHost, place.shop)
      const { last: eventsFrom } = await client.call("listEvents", { query: {} })
      if (place.webhooks !== null) {
        const made = await clientThrough(this.nextHost, place.webhooks).call("createWebhookEndpoint", { body: { url: this.events.urlOf(place.name) } })
        this.events.trust(place.name, made.secret)
      }
      return { ...place, client, eventsFrom, ledger: new Ledger() }
    }))
  }

  /** Runs the operator's command; fails with its words where it does not end with 0. */
  async admin(args: ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    let [out, err] = ["", ""]
    const code = await runAdmin(args, {
      environment: { ...this.variables("worker-1"), DATABASE_URL: this.pair.primaryUrl, ...variables },
      write: (text) => void (out += text),
      writeError: (text) => void (err += text),
      nextLine: () => Promise.resolve(null),
      ask: null,
      userName: "soak"
    })
    if (code !== 0) throw new Error(`admin ${args.join(" ")} ended with ${code}: ${err}${out}`)
    return out
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.values()].filter(({ alive }) => alive).map((host) => host.kill()))
    await this.pair.stop()
    await Promise.all([this.far.close(), this.mail.close(), this.events.close()])
    this.disk.unmount()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
