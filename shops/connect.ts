import { OveraClient } from "@overa/client"
import { readFileSync } from "node:fs"
import { startSandboxProcess } from "../contract-tests/src/support/sandboxProcess.ts"
import type { Vendure } from "./Vendure.ts"

interface Credential {
  readonly clientId: string
  readonly clientSecret: string
}

interface SandboxFile extends Credential {
  readonly baseUrl: string
  readonly authUrl: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
  readonly webhooks: { readonly sandbox: Credential }
  readonly vpfr: { readonly controlUrl: string }
}

/** The service, and the V-PFR with its faults. */
export class Service {
  readonly file: SandboxFile
  readonly client: OveraClient
  readonly stop: () => Promise<void>

  private constructor(file: SandboxFile, stop: () => Promise<void>) {
    this.file = file
    this.client = new OveraClient(file)
    this.stop = stop
  }

  static async start(): Promise<Service> {
    const { file, stop } = await startSandboxProcess()
    return new Service(JSON.parse(readFileSync(file, "utf8")) as SandboxFile, stop)
  }

  async fault(body: object): Promise<void> {
    await fetch(`${this.file.vpfr.controlUrl}/faults`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })
  }

  async noFaults(): Promise<void> {
    await fetch(`${this.file.vpfr.controlUrl}/faults`, { method: "DELETE" })
  }

  /** How many receipts the V-PFR signed. */
  async signed(): Promise<number> {
    return (await (await fetch(`${this.file.vpfr.controlUrl}/receipts`)).json() as { readonly count: number }).count
  }
}

const fillIn = (shop: Vendure, customFields: object) =>
  shop.administrate("mutation ($input: UpdateChannelInput!) { updateChannel(input: $input) { __typename } }", { input: { id: "1", customFields } })

const labelsOf = (label: string): string => ["20", "10", "0"].map((percent) => `${percent}=${label}`).join(",")

/** Fills in the settings, as the shop's administrator does at the channel; the tax labels are wrong at first. */
export const connect = async (shop: Vendure, { file }: Service): Promise<void> => {
  const { secret } = await new OveraClient({ ...file, ...file.webhooks.sandbox }).call("createWebhookEndpoint", { body: { url: `${shop.url}/overa/webhooks` } })
  await fillIn(shop, {
    overaUrl: file.baseUrl, overaAuthUrl: file.authUrl, overaClientId: file.clientId, overaClientSecret: file.clientSecret, overaWebhookSecret: secret, overaTaxpayerId: file.taxpayerId,
    overaPremiseId: file.businessPremiseId, overaShop: "trial", overaTaxLabels: labelsOf("Q"), overaPaymentTypes: "card=CARD,deposit=WIRE_TRANSFER", overaRefundBuyerId: "20:123456789",
    overaSince: new Date(Date.now() - 60_000).toISOString()
  })
}

export const correctLabels = async (shop: Vendure, { client, file }: Service): Promise<void> => {
  const { labels } = await client.call("readTaxRates", { query: { taxpayerId: file.taxpayerId, businessPremiseId: file.businessPremiseId } })
  await fillIn(shop, { overaTaxLabels: labelsOf(labels[0]?.label ?? "") })
}

/** Waits until an order's status in the admin says this. */
export const untilStatus = async (shop: Vendure, id: string, said: RegExp): Promise<string> => {
  const deadline = Date.now() + 180_000
  for (let status = "";;) {
    const { order } = await shop.administrate("query ($id: ID!) { order(id: $id) { customFields { receiptStatus } } }", { id }) as { readonly order: { readonly customFields: { readonly receiptStatus: string | null } } }
    status = order.customFields.receiptStatus ?? ""
    if (said.test(status)) return status
    if (Date.now() > deadline) throw new Error(`The order ${id} says ${JSON.stringify(status)} after three minutes`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
