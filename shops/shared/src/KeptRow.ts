import { type Kept, type KeptRecord, latestSale, readKept, type Shown } from "./Kept.ts"
import type { ShownReceipt } from "./sendStep.ts"

/** Runs a statement with `?` for each value, in a commit of its own; answers its rows. */
export type Statement = <Row>(statement: string, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>

interface Row {
  readonly kept: string
  readonly status: string
  readonly receipts: string
}

/**
 * An order's row of the table `overa_order`: what was heard, asked for and answered. Each change is stored before the next request.
 * The table is the plugin's own: an engine that stores its order anew would put back what it had read of the order before.
 */
export class KeptRow implements KeptRecord {
  kept: Kept
  status: string
  receipts: ReadonlyArray<ShownReceipt>
  #stored: string
  readonly #run: Statement
  readonly #orderId: string

  private constructor(run: Statement, orderId: string, row: Row) {
    this.#run = run
    this.#orderId = orderId
    this.#stored = row.kept
    this.kept = readKept(row.kept)
    this.status = row.status
    this.receipts = JSON.parse(row.receipts) as ReadonlyArray<ShownReceipt>
  }

  /** The record of an order; one without anything where it has none yet. */
  static async read(run: Statement, orderId: string): Promise<KeptRow> {
    const [row] = await run<Row>("select kept, status, receipts from overa_order where order_id = ?", [orderId])
    return new KeptRow(run, orderId, row ?? { kept: "", status: "", receipts: "[]" })
  }

  /** What the storefront shows. */
  get latest(): ShownReceipt | undefined {
    return latestSale(this.receipts)
  }

  /** The row itself is what is shown. */
  async show(): Promise<void> {}

  async keep(change: Partial<Kept>, { heard, isOpen, receipts, status }: Shown = {}): Promise<void> {
    this.kept = { ...this.kept, ...change }
    const text = JSON.stringify(this.kept)
    const values = [status ?? null, receipts === undefined ? null : JSON.stringify(receipts), isOpen ?? null, heard ?? null]
    const rows = await this.#run(
      `insert into overa_order as o (order_id, kept, status, receipts, is_open, heard) values (?, ?, coalesce(?, ''), coalesce(?, '[]'), coalesce(?, true), coalesce(?, 0))
      on conflict (order_id) do update set kept = excluded.kept, status = coalesce(?, o.status), receipts = coalesce(?, o.receipts), is_open = coalesce(?, o.is_open), heard = coalesce(?, o.heard)
      where o.kept = ? returning o.order_id`,
      [this.#orderId, text, ...values, ...values, this.#stored]
    )
    if (rows.length !== 1) throw new Error("another process changed the order's record meanwhile; it is read again")
    this.#stored = text
    this.status = status ?? this.status
    this.receipts = receipts ?? this.receipts
  }
}
