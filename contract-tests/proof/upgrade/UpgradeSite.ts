import { spawn } from "node:child_process"
import { once } from "node:events"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningSimulator, startSimulator } from "@overa/vpfr-simulator"
import { freePort } from "../../src/support/freePort.ts"
import { type PostgresServer, startPostgresServer } from "../../src/support/postgresServer.ts"
import { openShop } from "../../src/support/openShop.ts"
import { EventReceiver } from "../soak/EventReceiver.ts"
import { HostProcess } from "../soak/HostProcess.ts"
import { Ledger } from "../soak/Ledger.ts"
import { MailSink } from "../soak/MailSink.ts"
import { clientThrough, type SoakShop } from "../soak/SoakShop.ts"

/** The programs that an upgrade replaces, one after the other. */
export const replaced = ["api-1", "api-2", "worker-1"] as const
type Program = typeof replaced[number]

/** The words of one run of the operator's command, and how it ended. */
interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** An installation made by an older release: its schema, its operator's acts, its programs. */
export class UpgradeSite {
  readonly simulator: RunningSimulator
  readonly postgres: PostgresServer
  readonly mail: MailSink
  readonly events: EventReceiver
  shops: ReadonlyArray<SoakShop> = []
  private readonly folder: string
  private readonly secrets: Readonly<Record<string, string>>
  private readonly ports: Readonly<Record<Program, number>>
  private readonly running = new Map<Program, HostProcess>()
  private turn = 0

  private constructor(opened: Pick<UpgradeSite, "events" | "mail" | "postgres" | "simulator">, ports: Readonly<Record<Program, number>>) {
    this.simulator = opened.simulator
    this.postgres = opened.postgres
    this.mail = opened.mail
    this.events = opened.events
    this.ports = ports
    this.folder = mkdtempSync(join(tmpdir(), "overa-upgrade-"))
    this.secrets = { OVERA_SECRET_KEYS: `one:${randomBytes(32).toString("base64")}`, OVERA_CREDENTIAL_KEY: randomBytes(32).toString("base64") }
  }

  /** Sets everything up with the older release's own commands. */
  static async open(release: string): Promise<UpgradeSite> {
    const [simulator, postgres, mail, events] = await Promise.all([startSimulator(), startPostgresServer("upgrade", { durable: true }), MailSink.open(), EventReceiver.open()])
    const site = new UpgradeSite({ simulator, postgres, mail, events }, { "api-1": await freePort(), "api-2": await freePort(), "worker-1": await freePort() })
    await site.admin(release, ["schema", "migrate"])
    const { shop } = await openShop({
      simulator,
      file: site.file,
      admin: async (args, options) => {
        const said = await site.run(release, args, options?.environment)
        return { ...said, json: said.code === 0 ? JSON.parse(said.out) as unknown : null }
      }
    })
    await site.admin(release, ["shops", "delivery", shop.taxpayerId, "on", "--reason", "the shop sends receipts"])
    site.shops = [{ name: "sandbox", shop, label: "A", webhooks: null, client: clientThrough(site.nextHost, shop), ledger: new Ledger(), eventsFrom: 0 }]
    return site
  }

  get databaseUrl(): string {
    return this.postgres.url("postgres")
  }

  get controlUrl(): string {
    return this.simulator.controlUrl
  }

  readonly nextHost = (): string => {
    this.turn += 1
    return `http://127.0.0.1:${this.ports[this.turn % 2 === 0 ? "api-1" : "api-2"]}`
  }

  /** Runs the operator's command of a release; fails with its words where it does not end with 0. */
  async admin(release: string, args: ReadonlyArray<string>): Promise<string> {
    const { code, err, out } = await this.run(release, args)
    if (code !== 0) throw new Error(`admin ${args.join(" ")} ended with ${code}: ${err}${out}`)
    return out
  }

  /** Stops a program as its service manager does, and starts that of the given release. */
  async replace(program: Program, release: string): Promise<void> {
    await this.running.get(program)?.stop()
    const role = program.startsWith("api") ? "api" : "worker"
    this.running.set(program, await HostProcess.start({ role, release, variables: { ...this.variables, OVERA_HOST_ID: program, OVERA_WORKER_ID: program, PORT: String(this.ports[program]), OVERA_WORKER_PORT: String(this.ports[program]) } }))
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.values()].filter(({ alive }) => alive).map((host) => host.kill()))
    await Promise.all([this.simulator.stop(), this.postgres.destroy(), this.mail.close(), this.events.close()])
    rmSync(this.folder, { recursive: true, force: true })
  }

  private readonly file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(this.folder, name), content)
    return join(this.folder, name)
  }

  private get variables(): Record<string, string> {
    const far = (["sandbox", "production"] as const).flatMap((environment) => {
      const prefix = `OVERA_VPFR_${environment.toUpperCase()}`
      return [
        [`${prefix}_URL`, this.simulator[environment].url],
        [`${prefix}_CA_FILE`, this.file(`${environment}-root.pem`, this.simulator.trustAnchorsPem(environment))],
        [`${prefix}_VERIFICATION_ROOT`, this.simulator[environment].verificationUrl]
      ] as const
    })
    return {
      ...this.secrets, ...Object.fromEntries(far), DATABASE_URL: this.databaseUrl, OVERA_LISTEN_HOST: "127.0.0.1", OVERA_SMTP_URL: this.mail.url,
      OVERA_MAIL_SENDER: "receipts@overa.example", OVERA_RATE_LIMIT_PER_SECOND: "100000", OVERA_RATE_LIMIT_BURST: "100000"
    }
  }

  private async run(release: string, args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}): Promise<Said> {
    const child = spawn(process.execPath, [join(release, "deploy/overa.mjs"), "admin", ...args], { cwd: release, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...this.variables, OVERA_OPERATOR: "ana", ...more } })
    let [out, err] = ["", ""]
    child.stdout.on("data", (chunk: Buffer) => void (out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()))
    const [code] = await once(child, "close") as [number | null]
    return { code: code ?? 1, out, err }
  }
}
