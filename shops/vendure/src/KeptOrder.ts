import type { FiscalRequest, OrderEvent, OrderProgress } from "@overa/orders"
import { Order, type TransactionalConnection } from "@vendure/core"
import type { ShownReceipt } from "./sendStep.ts"

/** What the plugin keeps with an order. */
export interface Kept {
  /** In the order in which they were heard. */
  readonly events: ReadonlyArray<OrderEvent>
  /** Whether a request was sent that may have an effect: from then on the events are facts. Before, corrected settings make them anew. */
  readonly isSent: boolean
  readonly progress: OrderProgress
  readonly receipts: ReadonlyArray<ShownReceipt>
  /** Ids of receipts that listeners were told of. */
  readonly told: ReadonlyArray<string>
  /** A request that was refused. The same one is not sent again for an hour. */
  readonly refused: { readonly input: string; readonly at: number } | null
}

const nothing: Kept = { events: [], isSent: false, progress: {}, receipts: [], told: [], refused: null }

const relations = ["customer", "lines", "lines.productVariant", "lines.productVariant.translations", "shippingLines", "surcharges", "payments", "payments.refunds", "payments.refunds.lines"]

/** Orders with something that was not sent, also of the time when no process listened. It compares counts: clocks differ. */
export const unsent = `select o.id from "order" o, channel c,
  lateral (select count(*) as payments, min(p."createdAt") as first from payment p where p."orderId" = o.id and p.state = 'Settled') paid
  where c.code = '__default_channel__' and paid.first >= c."customFieldsOverasince" and (o."customFieldsOveraisopen" or coalesce(o."customFieldsOveraheard", 0) <> 1 + paid.payments
    + (select count(*) from refund r join payment p on p.id = r."paymentId" where p."orderId" = o.id and p.state = 'Settled' and r.state = 'Settled'))`

const hour = 3_600_000

/** An order with what was heard and answered; each change is stored before the next request. */
export class KeptOrder {
  readonly order: Order
  kept: Kept
  #stored: string
  readonly #connection: TransactionalConnection

  private constructor(connection: TransactionalConnection, order: Order) {
    this.#connection = connection
    this.order = order
    this.#stored = (order.customFields as { readonly overaKept: string | null }).overaKept ?? ""
    this.kept = this.#stored === "" ? nothing : JSON.parse(this.#stored) as Kept
  }

  static async read(connection: TransactionalConnection, id: string): Promise<KeptOrder | null> {
    const order = await connection.rawConnection.getRepository(Order).findOne({ where: { id }, relations })
    return order === null ? null : new KeptOrder(connection, order)
  }

  /** Adds what has happened since; all of it anew while nothing was sent. */
  hear(events: ReadonlyArray<OrderEvent>): void {
    const before = this.kept.isSent ? this.kept.events : []
    const heard = new Set(before.map(({ id }) => id))
    this.kept = { ...this.kept, events: [...before, ...events.filter(({ id }) => !heard.has(id))] }
  }

  isRefused({ input }: FiscalRequest): boolean {
    const { refused } = this.kept
    return refused !== null && refused.input === JSON.stringify(input) && Date.now() - refused.at < hour
  }

  /** Fails where another process changed the order's record meanwhile: whoever lost reads it again. */
  async keep(change: Partial<Kept>, shown: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.kept = { ...this.kept, ...change }
    const text = JSON.stringify(this.kept)
    const { affected } = await this.#connection.rawConnection.getRepository(Order).createQueryBuilder().update()
      .set({ customFields: { ...shown, overaKept: text } as never })
      .where(`id = :id and coalesce("customFieldsOverakept", '') = :before`, { id: this.order.id, before: this.#stored })
      .execute()
    if (affected !== 1) throw new Error("the order was changed meanwhile; it is read again")
    this.#stored = text
  }
}
