import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { fromMinorUnits, type OrderEvent } from "@overa/orders"
import { orderLineOf, type Position } from "../../../shared/src/position.ts"
import { refundEvents } from "../../../shared/src/refundEvents.ts"
import { inDinars, paymentTypeOf, type Shop } from "../../../shared/src/Shop.ts"
import { type Container, rowsOf } from "./Database.ts"
import { parasOf, sharedParas } from "./paras.ts"

interface Priced {
  readonly id: string
  readonly total: unknown
  readonly original_total: unknown
  readonly tax_lines?: ReadonlyArray<{ readonly rate: number }>
}

interface Item extends Priced {
  readonly title: string
  readonly variant_title: string | null
  readonly quantity: number
}

/** An order with its totals, as Medusa computes them. */
export interface ShopOrder {
  readonly id: string
  readonly display_id: number
  readonly currency_code: string
  readonly email: string | null
  readonly item_total: unknown
  readonly shipping_total: unknown
  readonly items: ReadonlyArray<Item>
  readonly shipping_methods: ReadonlyArray<Priced & { readonly name: string }>
}

interface Query {
  readonly graph: (asked: object) => Promise<{ readonly data: ReadonlyArray<ShopOrder> }>
}

const fields = [
  "id", "display_id", "currency_code", "email", "item_total", "shipping_total", "items.*", "items.total", "items.original_total", "items.tax_lines.*",
  "shipping_methods.*", "shipping_methods.total", "shipping_methods.original_total", "shipping_methods.tax_lines.*"
]

/** An order as it was when its first money came: returns and refunds make later versions, in which Medusa takes what came back off the sums. */
export const readOrder = async (container: Container, id: string, { at }: Pick<Move, "at">): Promise<ShopOrder | undefined> => {
  const [row] = await rowsOf<{ readonly version: number }>(container, "select coalesce(max(version), 1) as version from order_change where order_id = ? and confirmed_at <= ? and deleted_at is null", [id, at])
  const { data } = await (container.resolve(ContainerRegistrationKeys.QUERY) as Query).graph({ entity: "order", fields, filters: { id, version: row?.version ?? 1 } })
  return data[0]
}

/** The number that receipts name: the one that people see, and the rest of the id, because a database that is begun anew counts from 1 again. */
export const numberOf = ({ display_id, id }: Pick<ShopOrder, "display_id" | "id">): string => `${display_id}-${id.replace(/^order_/, "")}`

/** The order's id of a receipt's number; null where it is no number of this plugin. */
export const idOf = (number: string): string | null => {
  const [, rest] = /^\d+-(\w+)$/.exec(number) ?? []
  return rest === undefined ? null : `order_${rest}`
}

/** Money that was captured or given back. */
export interface Move {
  readonly id: string
  readonly kind: "capture" | "refund"
  readonly amount: string
  readonly at: Date
  readonly provider: string
}

const moves = (table: "capture" | "refund"): string =>
  `select m.id, '${table}' as kind, m.amount::text as amount, m.created_at as at, p.provider_id as provider from ${table} m
  join payment p on p.id = m.payment_id join order_payment_collection l on l.payment_collection_id = p.payment_collection_id and l.deleted_at is null
  where l.order_id = ? and m.deleted_at is null`

/** Everything that is settled, in the order of its rows. */
export const moneyOf = (container: Container, orderId: string): Promise<ReadonlyArray<Move>> =>
  rowsOf<Move>(container, `${moves("capture")} union all ${moves("refund")} order by at, kind, id`, [orderId, orderId])

const rateOf = ({ tax_lines: taxLines = [] }: Priced): number => taxLines.reduce((sum, { rate }) => sum + rate, 0)

const nameOf = ({ title, variant_title: variant }: Item): string => variant === null || variant === title || variant === "Default variant" ? title : `${title}, ${variant}`

/** Medusa does not round its sums: the paras of the whole are given to the positions that lose most. */
const positionsOf = ({ items, shipping_methods: shipping }: ShopOrder, total: number): ReadonlyArray<Position> => {
  const paras = sharedParas([...items, ...shipping].map((one) => one.total), total)
  return [
    ...items.map((item, at) => ({
      id: item.id, name: nameOf(item), quantity: item.quantity, unitPrice: Math.round(parasOf(item.original_total) / item.quantity), total: paras[at] ?? 0, taxRate: rateOf(item)
    })),
    ...shipping.map((method, at) => ({
      id: method.id, kind: "shipping" as const, name: "Достава", quantity: 1, unitPrice: parasOf(method.original_total), total: paras[items.length + at] ?? 0, taxRate: rateOf(method)
    }))
  ].filter(({ quantity, total: paid }) => quantity > 0 && paid > 0)
}

const placedOf = (order: ShopOrder, shop: Shop): OrderEvent => {
  const total = parasOf(Number(order.item_total) + Number(order.shipping_total))
  const positions = positionsOf(order, total)
  return {
    id: "placed", type: "placed",
    order: { number: numberOf(order), pricesIncludeTax: true, total: fromMinorUnits(total), lines: positions.map((position) => orderLineOf(position, shop)) }
  }
}

/** Pieces that came back, by return. */
export interface Received {
  readonly item: string
  readonly quantity: number
  readonly at: Date
}

export const receivedOf = (container: Container, orderId: string): Promise<ReadonlyArray<Received>> =>
  rowsOf<Received>(container, `select i.item_id as item, i.received_quantity::float8 as quantity, coalesce(r.received_at, i.updated_at) as at
    from "return" r join return_item i on i.return_id = r.id and i.deleted_at is null where r.order_id = ? and r.deleted_at is null and i.received_quantity > 0 order by at, i.id`, [orderId])

/** What came back before a refund, and is on no earlier one. */
const linesBefore = (received: ReadonlyArray<Received>, at: Date, events: ReadonlyArray<OrderEvent>) => {
  const left = new Map<string, number>()
  for (const one of received.filter((it) => it.at <= at)) left.set(one.item, (left.get(one.item) ?? 0) + one.quantity)
  for (const { line, quantity } of events.flatMap((event) => "lines" in event ? event.lines ?? [] : [])) left.set(line, (left.get(line) ?? 0) - Number(quantity))
  return [...left].filter(([, quantity]) => quantity > 0).map(([line, quantity]) => ({ line, quantity }))
}

export interface Happened {
  readonly order: ShopOrder
  readonly money: ReadonlyArray<Move>
  readonly received: ReadonlyArray<Received>
}

/**
 * What has happened to an order, as far as Medusa knows: its captures and refunds in the order of their rows, so that the same rows always give the same
 * events. A deposit is a capture of less than the total. Medusa's refunds name no goods: those that were received before are taken for them.
 */
export const eventsOf = ({ money, order, received }: Happened, shop: Shop): ReadonlyArray<OrderEvent> => {
  inDinars(order.currency_code)
  const events: Array<OrderEvent> = [placedOf(order, shop)]
  const unmarked = order.shipping_methods.map(({ id }) => ({ line: id, quantity: 1 }))
  for (const { amount, at, id, kind, provider } of money) {
    const [paras, type] = [parasOf(amount), paymentTypeOf(shop, provider)]
    events.push(...(kind === "capture"
      ? [{ id, type: "paid" as const, payments: [{ type, amount: fromMinorUnits(paras) }] }]
      : refundEvents(shop.settings, events, { id, type, paras, lines: linesBefore(received, at, events), unmarked })))
  }
  return events
}
