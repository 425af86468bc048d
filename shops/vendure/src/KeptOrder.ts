import { Order, type TransactionalConnection } from "@vendure/core"
import { type Kept, type KeptRecord, latestSale, type Shown } from "../../shared/src/Kept.ts"
import { KeptRow } from "../../shared/src/KeptRow.ts"

const relations = ["customer", "lines", "lines.productVariant", "lines.productVariant.translations", "shippingLines", "surcharges", "payments", "payments.refunds", "payments.refunds.lines"]

/** Orders with something that was not sent, also of the time when no process listened, and orders that show something else than is kept. It compares counts: clocks differ. */
export const unsent = `select o.id from "order" o join channel c on c.code = '__default_channel__' left join overa_order k on k.order_id = o.id::text,
  lateral (select count(*) as payments, min(p."createdAt") as first from payment p where p."orderId" = o.id and p.state = 'Settled') paid
  where paid.first >= c."customFieldsOverasince" and (coalesce(k.is_open, true) or o."customFieldsReceiptstatus" is distinct from k.status or coalesce(o."customFieldsReceiptlist", '[]') <> k.receipts
    or k.heard <> paid.payments + (select count(*) from refund r join payment p on p.id = r."paymentId" where p."orderId" = o.id and p.state = 'Settled' and r.state = 'Settled'))`

/** Shows at every order what it says: Vendure stores an order with all its fields, and puts back what was shown when it read the order. */
export const showKept = `update "order" o set "customFieldsReceiptstatus" = k.status from overa_order k
  where k.order_id = o.id::text and k.status <> '' and o."customFieldsReceiptstatus" is distinct from k.status`

/** What is kept with an order. */
export const readOrderRow = ({ rawConnection }: TransactionalConnection, orderId: string): Promise<KeptRow> =>
  KeptRow.read((statement, values) => {
    let count = 0
    return rawConnection.query(statement.replaceAll("?", () => `$${count += 1}`), [...values])
  }, orderId)

/** An order with what is kept of it. The order's fields show a copy: Vendure itself may put back earlier ones when it stores an order, and the next sweep finds these. */
export class KeptOrder implements KeptRecord {
  readonly order: Order
  readonly #row: KeptRow
  readonly #connection: TransactionalConnection

  private constructor(connection: TransactionalConnection, order: Order, row: KeptRow) {
    this.order = order
    this.#row = row
    this.#connection = connection
  }

  static async read(connection: TransactionalConnection, id: string): Promise<KeptOrder | null> {
    const order = await connection.rawConnection.getRepository(Order).findOne({ where: { id }, relations })
    return order === null ? null : new KeptOrder(connection, order, await readOrderRow(connection, id))
  }

  get kept(): Kept {
    return this.#row.kept
  }

  get status(): string {
    return this.#row.status
  }

  async keep(change: Partial<Kept>, shown: Shown = {}): Promise<void> {
    await this.#row.keep(change, shown)
    if (shown.status !== undefined || shown.receipts !== undefined) await this.show()
  }

  async show(): Promise<void> {
    const { receipts, status } = this.#row
    const sale = latestSale(receipts)
    const ofReceipts = sale === undefined ? {} : { receiptNumber: sale.number, receiptUrl: sale.url, receiptPdf: sale.pdf, receiptList: JSON.stringify(receipts) }
    await this.#connection.rawConnection.getRepository(Order).update({ id: this.order.id }, { customFields: { receiptStatus: status, ...ofReceipts } } as never)
  }
}
