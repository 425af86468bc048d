import { Order, type TransactionalConnection } from "@vendure/core"
import { type Kept, type KeptRecord, latestSale, readKept, type Shown } from "../../shared/src/Kept.ts"
import type { ShownReceipt } from "../../shared/src/sendStep.ts"

const relations = ["customer", "lines", "lines.productVariant", "lines.productVariant.translations", "shippingLines", "surcharges", "payments", "payments.refunds", "payments.refunds.lines"]

/** Orders with something that was not sent, also of the time when no process listened. It compares counts: clocks differ. */
export const unsent = `select o.id from "order" o, channel c,
  lateral (select count(*) as payments, min(p."createdAt") as first from payment p where p."orderId" = o.id and p.state = 'Settled') paid
  where c.code = '__default_channel__' and paid.first >= c."customFieldsOverasince" and (o."customFieldsOveraisopen" or coalesce(o."customFieldsOveraheard", 0) <> paid.payments
    + (select count(*) from refund r join payment p on p.id = r."paymentId" where p."orderId" = o.id and p.state = 'Settled' and r.state = 'Settled'))`

const receiptFields = (receipts: ReadonlyArray<ShownReceipt>) => {
  const sale = latestSale(receipts)
  return sale === undefined ? {} : { receiptNumber: sale.number, receiptUrl: sale.url, receiptPdf: sale.pdf, receiptList: JSON.stringify(receipts) }
}

const fieldsOf = ({ heard, isOpen, receipts, status }: Shown) => ({
  ...(receipts === undefined ? {} : receiptFields(receipts)),
  ...(status === undefined ? {} : { receiptStatus: status }),
  ...(isOpen === undefined ? {} : { overaIsOpen: isOpen }),
  ...(heard === undefined ? {} : { overaHeard: heard })
})

/** An order with what was heard and answered; each change is stored before the next request. */
export class KeptOrder implements KeptRecord {
  readonly order: Order
  kept: Kept
  status: string
  #stored: string
  readonly #connection: TransactionalConnection

  private constructor(connection: TransactionalConnection, order: Order) {
    const { overaKept, receiptStatus } = order.customFields as { readonly overaKept: string | null; readonly receiptStatus: string | null }
    this.#connection = connection
    this.order = order
    this.#stored = overaKept ?? ""
    this.kept = readKept(this.#stored)
    this.status = receiptStatus ?? ""
  }

  static async read(connection: TransactionalConnection, id: string): Promise<KeptOrder | null> {
    const order = await connection.rawConnection.getRepository(Order).findOne({ where: { id }, relations })
    return order === null ? null : new KeptOrder(connection, order)
  }

  async keep(change: Partial<Kept>, shown: Shown = {}): Promise<void> {
    this.kept = { ...this.kept, ...change }
    const text = JSON.stringify(this.kept)
    const { affected } = await this.#connection.rawConnection.getRepository(Order).createQueryBuilder().update()
      .set({ customFields: { ...fieldsOf(shown), overaKept: text } as never })
      .where(`id = :id and coalesce("customFieldsOverakept", '') = :before`, { id: this.order.id, before: this.#stored })
      .execute()
    if (affected !== 1) throw new Error("the order was changed meanwhile; it is read again")
    this.#stored = text
    this.status = shown.status ?? this.status
  }
}
