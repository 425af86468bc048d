import { readFileSync } from "node:fs"

/** A receipt as the simulator counts it. */
export interface FarReceipt {
  readonly requestId: string
  readonly invoiceNumber: string
  readonly invoiceType: number
  readonly transactionType: number
  readonly totalAmount: number
}

/** The simulator's control API, for suites that activate faults and count the receipts that were really signed. Source: Decisions §9. */
export class VpfrControl {
  private readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** Of a running sandbox, by its `sandbox.json`. */
  static ofSandbox(file: string): VpfrControl {
    const facts = JSON.parse(readFileSync(file, "utf8")) as { readonly vpfr: { readonly controlUrl: string } }
    return new VpfrControl(facts.vpfr.controlUrl)
  }

  async fault(order: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = await fetch(`${this.url}/faults`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(order) })
    if (!answer.ok) throw new Error(`The fault was refused: ${await answer.text()}`)
  }

  /** A fault that skips the next submission and affects the one after it: a cash refund's copy. */
  async faultOnSecond(order: Readonly<Record<string, unknown>>): Promise<void> {
    // With this seed the simulator's first two draws are above and below one half.
    await this.fault({ ...order, times: 1, probability: 0.5, seed: 1 })
  }

  async clearFaults(): Promise<void> {
    await fetch(`${this.url}/faults`, { method: "DELETE" })
  }

  /** From the next second on this is the only label of an environment, its rate in percent; every other label is withdrawn. */
  async onlyLabel(environment: "sandbox" | "production", label: string, rate: number): Promise<void> {
    const taxCategories = [{ name: "VAT", categoryType: 0, taxRates: [{ label, rate }] }]
    // Rates begin at whole seconds; what was signed in this second must keep its own.
    const order = { environment, validFrom: new Date(Date.now() + 1_000).toISOString(), taxCategories }
    const answer = await fetch(`${this.url}/tax-rates`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(order) })
    if (!answer.ok) throw new Error(`The tax rates were refused: ${await answer.text()}`)
  }

  /** Newest first. */
  async receipts(): Promise<ReadonlyArray<FarReceipt>> {
    const answer = await fetch(`${this.url}/receipts`)
    return (await answer.json() as { readonly receipts: ReadonlyArray<FarReceipt> }).receipts
  }

  /** The receipts signed after the first `from`, oldest first, as numbers of official types (V-PFR §2). */
  async signedSince(from: number): Promise<ReadonlyArray<FarReceipt>> {
    const all = await this.receipts()
    return all.slice(0, all.length - from).toReversed()
  }
}
