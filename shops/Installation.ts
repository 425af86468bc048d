import { OveraClient } from "@overa/client"
import { readFileSync } from "node:fs"
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

/** The service, and the V-PFR with its faults. */
export class Installation {
  readonly file: SandboxFile
  readonly client: OveraClient
  readonly stop: () => Promise<void>

  private constructor(file: SandboxFile, stop: () => Promise<void>) {
    this.file = file
    this.client = new OveraClient(file)
    this.stop = stop
  }

  static async start(): Promise<Installation> {
    const { file, stop } = await startSandboxProcess()
    return new Installation(JSON.parse(readFileSync(file, "utf8")) as SandboxFile, stop)
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

  /** How many receipts the V-PFR signed. */
  async signed(): Promise<number> {
    return (await (await fetch(`${this.file.vpfr.controlUrl}/receipts`)).json() as { readonly count: number }).count
  }
}

/** Waits until something says this; fails after three minutes. */
export const until = async (read: () => Promise<string>, said: RegExp): Promise<string> => {
  const deadline = Date.now() + 180_000
  for (let words = "";;) {
    words = await read()
    if (said.test(words)) return words
    if (Date.now() > deadline) throw new Error(`After three minutes it says ${JSON.stringify(words)}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
