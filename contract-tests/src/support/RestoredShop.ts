import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import { VpfrControl } from "../http/VpfrControl.ts"
import { byHand, forgetDocument } from "./byHand.ts"
import { bookSale, type ShopAnswer, type ShopCaller, shopCaller } from "./shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "./wholeInstallation.ts"
import { withClient } from "./withClient.ts"

// Rows and proofs are changed deep inside.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** A line of what `restore take-back` answers. */
export interface TakenLine {
  readonly document: string | null
  readonly as: string
  readonly result: string
  readonly detail: string
}

/** An open item of the attention list. */
export interface OpenItem {
  readonly id: string
  readonly kind: string
  readonly operationId: string
  readonly detail: string
}

/** A changed copy of a proof or a row. */
export const changed = (value: Json, change: (copy: Json) => void): Json => {
  const copy = structuredClone(value)
  change(copy)
  return copy
}

/** A proof without its place in the log: the log of the database restored here still has the leaves of what was forgotten. */
export const unplaced = (proof: Json): Json => changed(proof, (copy) => void (copy.journal = null))

/** The row of a document that was not sent: as it was after its last attempt, or before the first one. */
export const unsentRow = (row: Json, state: Json): Json => state.status === undefined ? row : {
  ...row, ...state,
  history: `${row.history.split("\n").slice(0, 2).join("\n")}\n`,
  request_id: null, element_id: null, jid: null, sender_host: null, sender_boot: null, started_at: null, first_outcome: null
}

/** The row of a document as it was while its first attempt was in flight. The lease has ended since. */
export const inFlightRow = (row: Json): Json => {
  const past = new Date(Date.now() - 1_000).toISOString()
  return {
    ...row,
    status: "SUBMITTING",
    revision: 3,
    attempt: 1,
    history: `${row.history.split("\n").slice(0, 3).join("\n")}\n`,
    lease_until: past,
    ...Object.fromEntries([
      "failure_code", "rejection", "first_outcome", "first_answer_text", "answer_text", "answer_facts", "invoice_number", "pfr_time", "sdc_time", "signed_total",
      "buyer_details", "next_check_at"
    ].map((column) => [column, null]))
  }
}

/** A shop with its whole installation, whose database can be put back to an earlier state, document by document. */
export class RestoredShop {
  readonly installation: WholeInstallation
  readonly call: ShopCaller
  readonly vpfr: VpfrControl

  private constructor(installation: WholeInstallation, call: ShopCaller) {
    this.installation = installation
    this.call = call
    this.vpfr = new VpfrControl(installation.desk.simulator.controlUrl)
  }

  static async open(): Promise<RestoredShop> {
    const installation = await wholeInstallation()
    const shop = new RestoredShop(installation, await shopCaller(installation))
    // The tax rates of the first sale serve the others, also while the V-PFR cannot be reached.
    expect((await shop.sell(`first-${randomUUID()}`)).status).toBe(201)
    return shop
  }

  close(): Promise<void> {
    return this.installation.close()
  }

  query<Row = Json>(sql: string, parameters: ReadonlyArray<unknown>): Promise<ReadonlyArray<Row>> {
    return withClient(this.installation.desk.database.url, async (client) => (await client.query(sql, [...parameters])).rows as ReadonlyArray<Row>)
  }

  sell(key: string, unitPrice?: number): Promise<ShopAnswer> {
    return this.call("POST", "/v1/fiscal-documents", { "Idempotency-Key": key }, bookSale(this.installation.shop, key, unitPrice))
  }

  sellCopy(id: string, key: string): Promise<ShopAnswer> {
    return this.call("POST", `/v1/fiscal-documents/${id}/copies`, { "Idempotency-Key": key }, { clientReference: key, cashier: { id: "web" } })
  }

  /** Gives the whole of a new sale back in cash, each time that it is called, under one key. */
  async cashRefund(): Promise<() => Promise<ShopAnswer>> {
    const give = await this.refundOfSale()
    const key = `back-${randomUUID()}`
    return () => give(key)
  }

  /** Gives the whole of a new sale back in cash, under each key that it is called with. */
  async refundOfSale(): Promise<(key: string) => Promise<ShopAnswer>> {
    const { businessPremiseId, items: [item], taxpayerId } = bookSale(this.installation.shop, "back")
    const { json: sale } = await this.sell(`paid-${randomUUID()}`)
    const refund = {
      taxpayerId, businessPremiseId, clientReference: "back", original: { source: "SVC", fiscalDocumentId: sale.id }, cashier: { id: "web" }, buyer: { id: "20:123456789" },
      items: [{ ...item, originalLineIndex: 0 }], payments: [{ type: "CASH", amount: 100 }]
    }
    return (key) => this.call("POST", "/v1/refund-workflows", { "Idempotency-Key": key }, refund)
  }

  async documentOf(id: string): Promise<Json> {
    return (await this.call("GET", `/v1/fiscal-documents/${id}`)).json
  }

  async proofOf(id: string): Promise<Json> {
    return (await this.call("GET", `/v1/fiscal-documents/${id}/proof`)).json
  }

  async rowOf(id: string): Promise<Json> {
    const [found] = await this.query("select to_jsonb(o) as row from operations o where operation_id = $1", [id])
    return found.row
  }

  /** What the operator is told of a document and has not acknowledged. */
  async openItemsOf(id: string): Promise<ReadonlyArray<OpenItem>> {
    const { json } = await this.installation.desk.admin(["attention", "list", "--json"])
    return (json.items as ReadonlyArray<OpenItem>).filter(({ operationId }) => operationId === id)
  }

  /** How many receipts the V-PFR has signed. */
  async signed(): Promise<number> {
    return (await this.vpfr.receipts()).length
  }

  async becomes(id: string, status: string): Promise<void> {
    await expect.poll(async () => (await this.documentOf(id)).status, { timeout: 90_000 }).toBe(status)
  }

  async takeBack(value: unknown, options: { readonly organization?: string; readonly environment?: string } = {}) {
    const { desk, shop } = this.installation
    const file = desk.file(`${randomUUID()}.json`, typeof value === "string" ? value : JSON.stringify(value))
    const { code, err, json } = await desk.admin([
      "restore", "take-back", options.organization ?? shop.organizationId, file, "--environment", options.environment ?? "sandbox", "--reason", "test", "--json"
    ])
    const lines = (json?.items ?? []) as ReadonlyArray<TakenLine>
    return { code, err, line: lines[0], lines }
  }

  /** The exit code, and how the file was taken back. */
  async told(value: unknown): Promise<string> {
    const { code, line } = await this.takeBack(value)
    return `${code} ${line?.as} ${line?.result}`
  }

  async declared<A>(body: () => Promise<A>): Promise<A> {
    const { desk } = this.installation
    expect((await desk.admin(["restore", "begin", "--since", "2026-01-01", "--reason", "test"])).code).toBe(0)
    try {
      return await body()
    } finally {
      expect((await desk.admin(["restore", "end", "--reason", "test", "--yes"])).code).toBe(0)
    }
  }

  /** The last restore was ended this long ago, a PostgreSQL interval. */
  async restoreEnded(ago: string): Promise<void> {
    await this.query("update environment_settings set restored_at = now() - $1::interval", [ago])
  }

  /** Waits until the hosts have noticed that no restore is declared any more. */
  async goesOn(): Promise<void> {
    await expect.poll(async () => (await this.sell(`new-${randomUUID()}`)).status, { timeout: 10_000 }).toBe(201)
  }

  /** Removes a document, as a restore to an earlier point does. */
  forget(id: string): Promise<void> {
    return withClient(this.installation.desk.database.url, (client) => forgetDocument(client, id))
  }

  /** Removes a whole refund workflow, as a restore to a point before it does: what it held of the receipt too. */
  forgetRefund({ cashRefundCopy, id, refund }: Json): Promise<void> {
    return withClient(this.installation.desk.database.url, async (client) => {
      for (const document of [refund, cashRefundCopy]) await forgetDocument(client, document.id)
      await byHand(client, "refund_lines", "delete from refund_lines where original_id = (select original_id from refund_workflows where workflow_id = $1)", [id])
      for (const table of ["refund_entries", "refund_workflows"]) await byHand(client, table, `delete from ${table} where workflow_id = $1`, [id])
    })
  }

  /** The database as a restore leaves it, with this row in the place of a document; answers the row's id. */
  async restore(id: string, row: Json): Promise<string> {
    await this.forget(id)
    const [put] = await this.query("insert into operations select (jsonb_populate_record(null::operations, $1::jsonb)).* returning operation_id", [JSON.stringify(row)])
    return put.operation_id
  }

  /** A sale that could not be sent at first and was signed later, in the state of a restore to the time between. */
  async saleSignedAfterThePoint() {
    const key = `later-${randomUUID()}`
    await this.vpfr.fault({ fault: "refuse-connection" })
    const { json: unsent } = await this.sell(key)
    await this.vpfr.clearFaults()
    expect(unsent).toMatchObject({ status: "NOT_FISCALIZED", retryable: true })
    const row = await this.rowOf(unsent.id)
    const { json: document } = await this.sell(key)
    expect(document).toMatchObject({ id: unsent.id, fiscalized: true })
    const proof = unplaced(await this.proofOf(document.id))
    await this.restore(document.id, row)
    return { key, document, proof, row, signed: await this.signed() }
  }

  /** The copy of a cash refund that could not be sent at first, or was rejected, and was signed later: its proof, and its row from the time between. */
  async copySignedAfterThePoint(failed: "NOT_FISCALIZED" | "REJECTED" = "NOT_FISCALIZED") {
    const refund = await this.cashRefund()
    await this.vpfr.faultOnSecond(failed === "REJECTED" ? { fault: "reject", modelState: [{ property: "payment[0].amount", errors: ["2804"] }] } : { fault: "status", code: 403 })
    const { json: pending } = await refund()
    const { id } = pending.cashRefundCopy
    const row = await this.rowOf(id)
    await this.vpfr.clearFaults()
    expect([pending.status, row.status]).toEqual(["COPY_PENDING", failed])
    if (failed === "REJECTED") expect((await this.installation.desk.admin(["copies", "retry", id, "--reason", "test"])).code).toBe(0)
    await expect.poll(async () => (await refund()).json.status, { timeout: 30_000 }).toBe("COMPLETED")
    const { cashRefundCopy: copy } = (await refund()).json
    return { refund, copy, proof: unplaced(await this.proofOf(id)), row, signed: await this.signed() }
  }
}
