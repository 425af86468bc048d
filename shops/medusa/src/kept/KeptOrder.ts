import { type Kept, type KeptRecord, latestSale, readKept, type Shown } from "../../../shared/src/Kept.ts"
import type { ShownReceipt } from "../../../shared/src/sendStep.ts"
import { type Container, databaseOf, rowsOf } from "./Database.ts"

interface Row {
  readonly kept: string
  readonly status: string
  readonly receipts: string
}

/** Orders with something that was not sent, also of the time when no process listened. It compares counts: clocks differ. $1: since when. */
export const unsent = `select l.order_id from order_payment_collection l
join payment p on p.payment_collection_id = l.payment_collection_id and p.deleted_at is null
join capture c on c.payment_id = p.id and c.deleted_at is null
left join overa_order o on o.order_id = l.order_id
where l.deleted_at is null
group by l.order_id, o.is_open, o.heard
having min(c.created_at) >= ?::timestamptz and (coalesce(o.is_open, true) or o.heard <> count(distinct c.id) + (
  select count(*) from refund r join payment q on q.id = r.payment_id join order_payment_collection k on k.payment_collection_id = q.payment_collection_id and k.deleted_at is null
  where k.order_id = l.order_id and r.deleted_at is null))`

/** An order with what was heard and answered; each change is stored before the next request. */
export class KeptOrder implements KeptRecord {
  kept: Kept
  status: string
  receipts: ReadonlyArray<ShownReceipt>
  #stored: string
  readonly #container: Container
  readonly #orderId: string

  private constructor(container: Container, orderId: string, row: Row) {
    this.#container = container
    this.#orderId = orderId
    this.#stored = row.kept
    this.kept = readKept(row.kept)
    this.status = row.status
    this.receipts = JSON.parse(row.receipts) as ReadonlyArray<ShownReceipt>
  }

  /** The record of an order; one without anything where it has none yet. */
  static async read(container: Container, orderId: string): Promise<KeptOrder> {
    const [row] = await rowsOf<Row>(container, "select kept, status, receipts from overa_order where order_id = ?", [orderId])
    return new KeptOrder(container, orderId, row ?? { kept: "", status: "", receipts: "[]" })
  }

  /** What the storefront shows. */
  get latest(): ShownReceipt | undefined {
    return latestSale(this.receipts)
  }

  async keep(change: Partial<Kept>, { heard, isOpen, receipts, status }: Shown = {}): Promise<void> {
    this.kept = { ...this.kept, ...change }
    const text = JSON.stringify(this.kept)
    const { rowCount } = await databaseOf(this.#container).raw(
      `insert into overa_order as o (order_id, kept, status, receipts, is_open, heard) values (?, ?, coalesce(?, ''), coalesce(?, '[]'), coalesce(?, true), coalesce(?, 0))
      on conflict (order_id) do update set kept = excluded.kept, status = coalesce(?, o.status), receipts = coalesce(?, o.receipts), is_open = coalesce(?, o.is_open), heard = coalesce(?, o.heard)
      where o.kept = ?`,
      [this.#orderId, text, ...this.#values(heard, isOpen, receipts, status), ...this.#values(heard, isOpen, receipts, status), this.#stored]
    )
    if (rowCount !== 1) throw new Error("the order was changed meanwhile; it is read again")
    this.#stored = text
    this.status = status ?? this.status
    this.receipts = receipts ?? this.receipts
  }

  #values(heard: number | undefined, isOpen: boolean | undefined, receipts: ReadonlyArray<ShownReceipt> | undefined, status: string | undefined): ReadonlyArray<unknown> {
    return [status ?? null, receipts === undefined ? null : JSON.stringify(receipts), isOpen ?? null, heard ?? null]
  }
}
