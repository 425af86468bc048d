import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type pg from "pg"
import type { Bought, Engine } from "../../Engine.ts"
import type { Installation } from "../../Installation.ts"
import { type BoughtAtVendure, buy, callOff, cancelAll, cancelPiece, giveBack, giveTenthBack } from "./buyer.ts"
import { VendureServer } from "./VendureServer.ts"

const labelsOf = (label: string): string => ["20", "10", "0"].map((percent) => `${percent}=${label}`).join(",")

interface Shown {
  readonly receiptNumber: string | null
  readonly receiptUrl: string | null
  readonly receiptPdf: string | null
}

const paid = `select o.code, sum(p.amount)
  - (select coalesce(sum(r.total), 0) from refund r join payment q on q.id = r."paymentId" where q."orderId" = o.id and r.state = 'Settled') as paid
  from "order" o join payment p on p."orderId" = o.id and p.state = 'Settled' group by o.id`

const unsigned = `select o.code, o."customFieldsReceiptstatus" as status from "order" o left join overa_order k on k.order_id = o.id::text where exists (select from payment p where p."orderId" = o.id and p.state = 'Settled')
  and (coalesce(k.is_open, true) or o."customFieldsReceiptstatus" is distinct from k.status or k.heard <> (select count(*) from payment p where p."orderId" = o.id and p.state = 'Settled')
    + (select count(*) from refund r join payment p on p.id = r."paymentId" where p."orderId" = o.id and r.state = 'Settled'))`

/** Vendure, as the trial drives it. */
export class VendureEngine implements Engine {
  readonly #shop: VendureServer
  #variants: ReadonlyArray<string> = []
  readonly #bought = new Map<string, BoughtAtVendure>()

  constructor(databaseUrl: string, port: number) {
    this.#shop = new VendureServer(databaseUrl, port)
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

  async run(): Promise<void> {
    await this.#shop.run()
    const { productVariants } = await this.#shop.administrate("{ productVariants(options: { take: 20 }) { items { id } } }") as { readonly productVariants: { readonly items: ReadonlyArray<{ readonly id: string }> } }
    this.#variants = productVariants.items.map(({ id }) => id)
    // The sample's stock is sold out after some six hundred orders.
    await this.#shop.administrate("mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }", { input: this.#variants.map((id) => ({ id, trackInventory: "FALSE" })) })
  }

  kill(): Promise<void> {
    return this.#shop.kill()
  }

  clean(): void {
    rmSync(this.#shop.mails, { recursive: true, force: true })
  }

  async #fillIn(customFields: object): Promise<void> {
    await this.#shop.administrate("mutation ($input: UpdateChannelInput!) { updateChannel(input: $input) { __typename } }", { input: { id: "1", customFields } })
  }

  async connect(service: Installation, label: string): Promise<void> {
    const { file } = service
    await this.#fillIn({
      overaUrl: file.baseUrl, overaAuthUrl: file.authUrl, overaClientId: file.clientId, overaClientSecret: file.clientSecret, overaWebhookSecret: await service.endpoint(`${this.#shop.url}/overa/webhooks`),
      overaTaxpayerId: file.taxpayerId, overaPremiseId: file.businessPremiseId, overaShop: "trial", overaTaxLabels: labelsOf(label), overaPaymentTypes: "card=CARD,deposit=WIRE_TRANSFER", overaRefundBuyerId: "20:123456789",
      overaSince: new Date(Date.now() - 60_000).toISOString()
    })
  }

  async correctLabels(label: string): Promise<void> {
    await this.#fillIn({ overaTaxLabels: labelsOf(label) })
  }

  /** Every sixth order begins with a deposit; then, of twenty-four: one is called off, one given back as a whole, one cancelled as a whole, and parts of others. */
  async buy(number: number): Promise<Bought> {
    const [place, shop] = [number % 24, this.#shop]
    const payments = place === 17 ? ["deposit"] as const : place % 6 === 5 ? ["deposit", "card"] as const : ["card"] as const
    const bought = await buy(shop, number, { variant: this.#variants[number % this.#variants.length] ?? "", quantity: 1 + (number % 3), payments })
    this.#bought.set(bought.id, bought)
    if (place === 17) await callOff(shop, bought.id)
    else if (place === 11 || place === 7) await cancelAll(shop, bought.id)
    else if (place % 4 === 0) await giveBack(shop, bought.id)
    else if (place % 8 === 3) await cancelPiece(shop, bought.id)
    else if (place % 8 === 1) await giveTenthBack(shop, bought.id)
    return bought
  }

  async statusOf(id: string): Promise<string> {
    const { order } = await this.#shop.administrate("query ($id: ID!) { order(id: $id) { customFields { receiptStatus } } }", { id }) as { readonly order: { readonly customFields: { readonly receiptStatus: string | null } } }
    return order.customFields.receiptStatus ?? ""
  }

  async unsigned(database: pg.Client): Promise<ReadonlyArray<string>> {
    return (await database.query<{ readonly code: string; readonly status: string | null }>(unsigned)).rows.map(({ code, status }) => `${code}: ${status}`)
  }

  async paidByOrder(database: pg.Client): Promise<ReadonlyMap<string, number>> {
    return new Map((await database.query<{ readonly code: string; readonly paid: string }>(paid)).rows.map((row) => [row.code, Number(row.paid)]))
  }

  async faultAtStorefront({ id }: Bought): Promise<string | null> {
    const bought = this.#bought.get(id)
    if (bought?.isPlaced !== true) return null
    const { code, token } = bought
    const { data } = await this.#shop.ask("shop-api", "query ($code: String!) { orderByCode(code: $code) { customFields { receiptNumber receiptUrl receiptPdf } } }", { code }, token)
    const { receiptNumber, receiptPdf, receiptUrl } = (data["orderByCode"] as { readonly customFields: Shown }).customFields
    if (receiptNumber === null || receiptUrl === null || receiptPdf === null) return `NOT SHOWN ${code}: ${receiptNumber} ${receiptUrl} ${receiptPdf}`
    const pdf = Buffer.from(await (await fetch(`${this.#shop.url}${receiptPdf}`)).arrayBuffer())
    return pdf.subarray(0, 5).toString() === "%PDF-" ? null : `NO PDF ${code}: ${receiptPdf}`
  }

  /** The engine does not take up again what its queue was sending when it was killed: one mail for each kill may be missing. The queue has a minute for the last ones. */
  async unmailed(numbers: ReadonlyArray<string>, kills: number): Promise<ReadonlyArray<string>> {
    const deadline = Date.now() + 60_000
    for (;;) {
      const mails = new Set(readdirSync(this.#shop.mails).flatMap((name) => this.#receiptsIn(readFileSync(join(this.#shop.mails, name), "utf8"))))
      const missing = numbers.filter((number) => !mails.has(number))
      if (missing.length === 0) return []
      if (Date.now() > deadline) return missing.length <= kills ? [] : missing
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }

  #receiptsIn(mail: string): ReadonlyArray<string> {
    const { files } = JSON.parse(mail) as { readonly files: ReadonlyArray<{ readonly filename: string; readonly starts: string }> }
    return files.filter(({ starts }) => starts === "%PDF-").map(({ filename }) => filename.replace(/\.pdf$/, ""))
  }
}
