import { OveraClient } from "@overa/client"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { startSandboxProcess } from "../contract-tests/src/support/sandboxProcess.ts"

interface Credential {
  readonly clientId: string
  readonly clientSecret: string
}

export interface SandboxFile extends Credential {
  readonly baseUrl: string
  readonly authUrl: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
  readonly webhooks: { readonly sandbox: Credential }
  readonly vpfr: { readonly controlUrl: string }
}

/** An operator may not decide an outcome earlier, with a margin. */
const decidableMillis = 16 * 60_000

/** The service, and the V-PFR with its faults. */
export class Installation {
  readonly file: SandboxFile
  readonly client: OveraClient
  readonly stop: () => Promise<void>
  readonly #home: string

  private constructor(path: string, stop: () => Promise<void>) {
    const file = JSON.parse(readFileSync(path, "utf8")) as SandboxFile
    this.file = file
    this.#home = dirname(path)
    this.client = new OveraClient(file)
    this.stop = stop
  }

  static async start(): Promise<Installation> {
    const { file, stop } = await startSandboxProcess()
    return new Installation(file, stop)
  }

  async fault(body: object): Promise<void> {
    await fetch(`${this.file.vpfr.controlUrl}/faults`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })
  }

  async noFaults(): Promise<void> {
    await fetch(`${this.file.vpfr.controlUrl}/faults`, { method: "DELETE" })
  }

  /** Makes an endpoint for webhooks; answers its secret. */
  async endpoint(url: string): Promise<string> {
    return (await new OveraClient({ ...this.file, ...this.file.webhooks.sandbox }).call("createWebhookEndpoint", { body: { url } })).secret
  }

  /** A label that the V-PFR knows now. */
  async label(): Promise<string> {
    const { labels } = await this.client.call("readTaxRates", { query: { taxpayerId: this.file.taxpayerId, businessPremiseId: this.file.businessPremiseId } })
    return labels[0]?.label ?? ""
  }

  async #admin(...words: ReadonlyArray<string>): Promise<string> {
    const program = join(import.meta.dirname, "../hosts/admin/src/main.ts")
    const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@overa/source", program, ...words], { env: { ...process.env, OVERA_HOME: this.#home } })
    return stdout
  }

  /**
   * What broke before it reached the V-PFR is found by no search. The operator knows that the V-PFR is well and has nothing, and decides it as soon as that is
   * allowed: a quarter of an hour later, and after a search that was answered. Answers how many were decided.
   */
  async decideUnsigned(): Promise<number> {
    const { items } = JSON.parse(await this.#admin("unknown", "list", "--limit", "10000", "--json")) as { readonly items: ReadonlyArray<{ readonly id: string; readonly createdAt: string }> }
    const old = items.filter(({ createdAt }) => Date.now() - Date.parse(createdAt) > decidableMillis)
    const decide = (id: string) => this.#admin("unknown", "decide", id, "not-issued", "--reason", "the connection broke before anything was signed", "--yes")
    let decided = 0
    for (const { id } of old) decided += await decide(id).then(() => 1, () => 0)
    return decided
  }

  /** How many receipts the V-PFR signed. */
  async signed(): Promise<number> {
    return (await (await fetch(`${this.file.vpfr.controlUrl}/receipts`)).json() as { readonly count: number }).count
  }
}

/** Waits until something says this; fails after three minutes. */
export const until = async (read: () => Promise<string>, said: RegExp, pauseMillis = 500): Promise<string> => {
  const deadline = Date.now() + 180_000
  for (let words = "";;) {
    words = await read()
    if (said.test(words)) return words
    if (Date.now() > deadline) throw new Error(`After three minutes it says ${JSON.stringify(words)}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}
