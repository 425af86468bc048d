import type { FiscalRequest, OrderEvent, OrderProgress } from "@overa/orders"
import type { ShownReceipt } from "./sendStep.ts"

/** What a plugin keeps with an order. */
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

export const readKept = (text: string): Kept => text === "" ? nothing : JSON.parse(text) as Kept

/** What the shop's people and its programs see of an order; left out: as it was. */
export interface Shown {
  readonly receipts?: ReadonlyArray<ShownReceipt>
  /** What happened, and what to do. */
  readonly status?: string
  /** Whether something may be left to send. */
  readonly isOpen?: boolean
  /** How many of the engine's rows of money were read. */
  readonly heard?: number
}

/** An order's record in the engine's own store. */
export interface KeptRecord {
  readonly kept: Kept
  readonly status: string
  /** Stores the change with what was read; fails where another process changed the record meanwhile: whoever lost reads it again. */
  readonly keep: (change: Partial<Kept>, shown?: Shown) => Promise<void>
  /** Shows once more what is kept, where the engine shows a copy and may have put back an earlier one. */
  readonly show: () => Promise<void>
}

/** Adds what has happened since; all of it anew while nothing was sent. */
export const withHeard = ({ events: kept, isSent }: Kept, events: ReadonlyArray<OrderEvent>): ReadonlyArray<OrderEvent> => {
  const before = isSent ? kept : []
  const heard = new Set(before.map(({ id }) => id))
  return [...before, ...events.filter(({ id }) => !heard.has(id))]
}

const hour = 3_600_000

export const isRefusedNow = ({ refused }: Kept, { input }: FiscalRequest, now: number): boolean =>
  refused !== null && refused.input === JSON.stringify(input) && now - refused.at < hour

/** The receipt that an order shows first. */
export const latestSale = (receipts: ReadonlyArray<ShownReceipt>): ShownReceipt | undefined => receipts.findLast(({ kind }) => kind === "NORMAL SALE") ?? receipts.at(-1)
