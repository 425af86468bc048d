import type pg from "pg"
import type { Bought, Engine } from "../../Engine.ts"
import type { Installation } from "../../Installation.ts"
import { cancel, capture, place, refund, returnPiece } from "./buyer.ts"
import { MedusaServer } from "./MedusaServer.ts"

const code = "o.display_id || '-' || substr(o.id, 7)"

const paid = `select ${code} as code,
  coalesce((select sum(round(c.amount * 100)) from capture c join payment p on p.id = c.payment_id join order_payment_collection l on l.payment_collection_id = p.payment_collection_id where l.order_id = o.id), 0)
  - coalesce((select sum(round(r.amount * 100)) from refund r join payment p on p.id = r.payment_id join order_payment_collection l on l.payment_collection_id = p.payment_collection_id where l.order_id = o.id), 0) as paid
  from "order" o`

const rowsOfMoney = (table: string): string =>
  `(select count(*) from ${table} m join payment p on p.id = m.payment_id join order_payment_collection l on l.payment_collection_id = p.payment_collection_id where l.order_id = o.id)`

const unsigned = `select ${code} as code, k.status from "order" o left join overa_order k on k.order_id = o.id
  where coalesce(k.is_open, true) or k.heard <> ${rowsOfMoney("capture")} + ${rowsOfMoney("refund")}`

/** Medusa, as the trial drives it. */
export class MedusaEngine implements Engine {
  readonly #shop: MedusaServer

  constructor(databaseUrl: string, port: number) {
    this.#shop = new MedusaServer(databaseUrl, port)
  }

  prepare(): Promise<void> {
    return this.#shop.prepare()
  }

  plugIn(): Promise<number> {
    return this.#shop.plugIn()
  }

  buildAdmin(): Promise<string> {
    return this.#shop.buildAdmin()
  }

  run(): Promise<void> {
    return this.#shop.run()
  }

  kill(): Promise<void> {
    return this.#shop.kill()
  }

  clean(): void {
    this.#shop.clean()
  }

  async connect(service: Installation, label: string): Promise<void> {
    const { file } = service
    await this.#shop.admin("POST", "/overa/settings", {
      url: file.baseUrl, authUrl: file.authUrl, clientId: file.clientId, clientSecret: file.clientSecret, webhookSecret: await service.endpoint(`${this.#shop.url}/overa/webhooks`),
      taxpayerId: file.taxpayerId, premiseId: file.businessPremiseId, shop: "trial", taxLabels: `20=${label}`, paymentTypes: "pp_system_default=CARD", refundBuyerId: "20:123456789",
      since: new Date(Date.now() - 60_000).toISOString()
    })
  }

  async correctLabels(label: string): Promise<void> {
    await this.#shop.admin("POST", "/overa/settings", { taxLabels: `20=${label}` })
  }

  /** Every sixth order begins with a deposit, every second has a discount; then, of twenty-four: one is called off, one given back as a whole, parts of others. */
  async buy(number: number): Promise<Bought> {
    const [turn, shop] = [number % 24, this.#shop]
    const { variants } = shop.seeded
    const bought = await place(shop, number, { variant: variants[number % variants.length] ?? "", quantity: 1 + (number % 3), hasPromotion: number % 2 === 0 })
    await capture(shop, bought.id, turn === 17 ? "deposit" : turn % 6 === 5 ? "deposit and rest" : "whole")
    if (turn === 17 || turn === 7) await cancel(shop, bought.id)
    else if (turn === 11) await refund(shop, bought.id, 1)
    else if (turn % 4 === 0) await returnPiece(shop, bought.id)
    else if (turn % 8 === 1) await refund(shop, bought.id, 0.1)
    return bought
  }

  async statusOf(id: string): Promise<string> {
    return (await this.#shop.admin<{ readonly status: string }>("GET", `/overa/orders/${id}`)).status
  }

  async unsigned(database: pg.Client): Promise<ReadonlyArray<string>> {
    return (await database.query<{ readonly code: string; readonly status: string | null }>(unsigned)).rows.map((row) => `${row.code}: ${row.status}`)
  }

  async paidByOrder(database: pg.Client): Promise<ReadonlyMap<string, number>> {
    return new Map((await database.query<{ readonly code: string; readonly paid: string }>(paid)).rows.map((row) => [row.code, Number(row.paid)]))
  }

  async faultAtStorefront({ code: number, id }: Bought): Promise<string | null> {
    const { receipt } = await this.#shop.store<{ readonly receipt: { readonly number: string; readonly url: string; readonly pdf: string } | null }>("GET", `/overa/orders/${id}`)
    if (receipt === null || receipt.number === "" || receipt.url === "") return `NOT SHOWN ${number}: ${JSON.stringify(receipt)}`
    const pdf = Buffer.from(await (await fetch(`${this.#shop.url}${receipt.pdf}`)).arrayBuffer())
    return pdf.subarray(0, 5).toString() === "%PDF-" ? null : `NO PDF ${number}: ${receipt.pdf}`
  }

  /** Medusa sends no mail by itself: the plugin tells the shop's subscribers. */
  unmailed(): Promise<ReadonlyArray<string>> {
    return Promise.resolve([])
  }
}
