import { applyEvent } from "./applyEvent.ts"
import { dinars, unitsOf } from "./decimals.ts"
import { emptyLedger, type Ledger } from "./Ledger.ts"
import type { LineQuantity, OrderEvent, Settings } from "./Order.ts"
import { settle } from "./settle.ts"
import type { Step } from "./Step.ts"
import { amountTaken, everything, takings } from "./takings.ts"

/** Something that a person or a later event has to clear up. */
export interface Remark {
  /** The event that waits; null where it is about the order's money as a whole. */
  readonly event: string | null
  readonly words: string
}

/** Everything that an order's events so far ask for. */
export interface Plan {
  /** In the order in which they are to be sent. Later events only add to them. */
  readonly steps: ReadonlyArray<Step>
  readonly remarks: ReadonlyArray<Remark>
  /** Dinars that the buyer paid, less what was given back. */
  readonly paid: string
  /** Dinars on documents, once all steps are done: sales and advances less refunds. */
  readonly signed: string
  /** Dinars on a receipt that the parcel's bearer has not brought yet. With them taken off, `signed` is `paid`. */
  readonly owed: string
  /** The beginning of every key. */
  readonly keys: string
}

const longest = { shop: 24, number: 60, event: 36 }

const inKey = (text: string): string => encodeURIComponent(text)

/** Whether all parts of a key fit into the service's 200 characters. */
const keyFault = (settings: Settings, events: ReadonlyArray<OrderEvent>): string | null => {
  const number = events.find((event) => event.type === "placed")?.order.number ?? ""
  const tooLong = (text: string, limit: number) => text === "" || inKey(text).length > limit
  if (tooLong(settings.shop, longest.shop)) return `settings.shop must have 1 to ${longest.shop} characters.`
  if (number !== "" && inKey(number).length > longest.number) return `The order's number is longer than ${longest.number} characters as part of a key; other letters than a to z count as several.`
  const event = events.find(({ id }) => tooLong(id, longest.event))
  return event === undefined ? null : `The event's id ${JSON.stringify(event.id)} must have 1 to ${longest.event} characters as part of a key.`
}

/** Applies what waits until nothing more can be applied. */
const carryOn = (ledger: Ledger, waiting: ReadonlyArray<OrderEvent>, state: { money: string | null }): ReadonlyArray<readonly [OrderEvent, string]> => {
  let left = waiting
  for (;;) {
    const tried = left.map((event) => {
      const words = applyEvent(ledger, event)
      if (words === null) state.money = settle(ledger, event.id)
      return [event, words] as const
    })
    const still = tried.filter((entry): entry is readonly [OrderEvent, string] => entry[1] !== null)
    if (still.length === left.length) return still
    left = still.map(([event]) => event)
  }
}

interface Read {
  readonly ledger: Ledger
  readonly remarks: ReadonlyArray<Remark>
}

const readEvents = (settings: Settings, told: ReadonlyArray<OrderEvent>): Read => {
  const fault = keyFault(settings, told)
  const ledger = emptyLedger(settings)
  if (fault !== null) return { ledger, remarks: [{ event: null, words: fault }] }
  const remarks: Array<Remark> = []
  const heard = new Map<string, string>()
  const state: { money: string | null } = { money: null }
  let waiting: ReadonlyArray<readonly [OrderEvent, string]> = []
  for (const event of told) {
    const text = JSON.stringify(event)
    const before = heard.get(event.id)
    if (before !== undefined && before !== text) remarks.push({ event: event.id, words: "This event was told before with other facts; the first telling counts." })
    if (before !== undefined) continue
    heard.set(event.id, text)
    waiting = carryOn(ledger, [...waiting.map(([one]) => one), { ...event, id: inKey(event.id) }], state)
  }
  for (const [event, words] of waiting) remarks.push({ event: decodeURIComponent(event.id), words })
  if (state.money !== null) remarks.push({ event: null, words: state.money })
  return { ledger, remarks }
}

/**
 * The fiscal requests of an order, from its events in the order in which the shop heard of them. An event that comes too early waits for the one it needs; one that
 * is told twice counts once. More events only add steps, so a plan may be made anew each time.
 */
export const planOrder = (settings: Settings, told: ReadonlyArray<OrderEvent>): Plan => {
  const { ledger, remarks } = readEvents(settings, told)
  return {
    steps: ledger.steps, remarks, paid: dinars(ledger.paid), signed: dinars(ledger.signed), owed: dinars(ledger.owed),
    keys: `overa-order/${inKey(settings.shop)}/${inKey(ledger.order?.number ?? "")}`
  }
}

/** What parts of an order's positions cost the buyer, discounts included: what is to be given back for them. Left out: all that is left. */
export const costOf = (settings: Settings, told: ReadonlyArray<OrderEvent>, lines?: ReadonlyArray<LineQuantity>): string | null => {
  const { ledger } = readEvents(settings, told)
  const found = takings(ledger, lines?.map(({ line, quantity }) => ({ line, quantity: unitsOf(quantity, 3) })) ?? everything(ledger))
  return typeof found === "string" ? null : dinars(amountTaken(found))
}
