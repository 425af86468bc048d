import { fromMinorUnits, type OrderEvent } from "@overa/orders"
import { type Order, OrderLine as PlacedLine, type Payment, type Refund, type ShippingLine } from "@vendure/core"
import { orderLineOf, type Position } from "../../shared/src/position.ts"
import { refundEvents } from "../../shared/src/refundEvents.ts"
import { inDinars, paymentTypeOf, type Shop } from "../../shared/src/Shop.ts"

/** A line as it was ordered: Vendure takes what is cancelled later off its quantity and its price. */
const lineAsPlaced = (line: PlacedLine): Position => {
  const quantity = Math.max(line.orderPlacedQuantity, line.quantity)
  const { adjustments, listPrice, listPriceIncludesTax, taxLines } = line
  const { proratedLinePriceWithTax, taxRate, unitPriceWithTax } = new PlacedLine({ adjustments, listPrice, listPriceIncludesTax, orderPlacedQuantity: quantity, quantity, taxLines })
  return { id: `line-${line.id}`, name: line.productVariant.translations[0]?.name ?? line.productVariant.sku, quantity, unitPrice: unitPriceWithTax, total: proratedLinePriceWithTax, taxRate }
}

/** Shipping as it was ordered: Vendure takes what is cancelled later off as an adjustment of its own. */
const shippingAsPlaced = (line: ShippingLine): number =>
  line.discountedPriceWithTax - line.adjustments.filter(({ adjustmentSource }) => adjustmentSource === "CANCEL_ORDER").reduce((sum, { amount }) => sum + amount, 0)

const positionsOf = (order: Order): ReadonlyArray<Position> => [
  ...order.lines.map(lineAsPlaced).filter(({ quantity }) => quantity > 0),
  ...order.shippingLines.map((line) => ({ id: `shipping-${line.id}`, name: "Достава", quantity: 1, unitPrice: shippingAsPlaced(line), total: shippingAsPlaced(line), taxRate: line.taxRate, kind: "shipping" as const }))
    .filter(({ total }) => total > 0),
  ...order.surcharges.map(({ description, id, priceWithTax: price, taxRate }) => ({ id: `surcharge-${id}`, name: description, quantity: 1, unitPrice: price, total: price, taxRate }))
]

const isCancelled = (order: Order): boolean =>
  order.lines.some(({ orderPlacedQuantity, quantity }) => quantity < orderPlacedQuantity) || order.shippingLines.some((line) => shippingAsPlaced(line) !== line.discountedPriceWithTax)

const placedOf = (order: Order, shop: Shop): OrderEvent => {
  const positions = positionsOf(order)
  // The engine's own total says whether the positions were read right; once something is cancelled it is no longer what was ordered.
  const total = isCancelled(order) ? positions.reduce((sum, one) => sum + one.total, 0) : order.totalWithTax
  return {
    id: "placed", type: "placed",
    order: { number: order.code, pricesIncludeTax: true, total: fromMinorUnits(total), lines: positions.map((position) => orderLineOf(position, shop)) }
  }
}

/** Money that was paid or given back. */
type Move = { readonly at: Date; readonly payment: Payment; readonly refund: Refund | null }

/** In the order of their rows: two of one moment by their numbers. */
const byTime = (one: Move, other: Move): number =>
  one.at.getTime() - other.at.getTime() || Number(one.refund !== null) - Number(other.refund !== null) || Number((one.refund ?? one.payment).id) - Number((other.refund ?? other.payment).id)

/** Everything that is settled. */
export const moneyOf = ({ payments }: Order): ReadonlyArray<Move> =>
  payments.filter(({ state }) => state === "Settled").flatMap((payment): ReadonlyArray<Move> => [
    { at: payment.createdAt, payment, refund: null },
    ...payment.refunds.filter(({ state }) => state === "Settled").map((refund) => ({ at: refund.createdAt, payment, refund }))
  ]).toSorted(byTime)

const eventsOfRefund = (order: Order, shop: Shop, before: ReadonlyArray<OrderEvent>, { method }: Payment, refund: Refund): ReadonlyArray<OrderEvent> => {
  const [id, type] = [`refund-${refund.id}`, paymentTypeOf(shop, method)]
  // Money given back before anything was sold ends the order: a deposit of an order that was cancelled.
  if (order.orderPlacedAt === null || order.orderPlacedAt === undefined) return [{ id, type: "refused", givenBack: [{ type, amount: fromMinorUnits(refund.total) }] }]
  const unmarked = positionsOf(order).filter(({ kind }) => kind === "shipping").map((line) => ({ line: line.id, quantity: 1 }))
  return refundEvents(shop.settings, before, { id, type, paras: refund.total, unmarked, lines: refund.lines.filter(({ quantity }) => quantity > 0).map(({ orderLineId, quantity }) => ({ line: `line-${orderLineId}`, quantity })) })
}

/**
 * What has happened to an order, as far as Vendure knows: its settled payments and refunds in the order of their rows, so that the same rows always
 * give the same events. A deposit is a payment of less than the total. Nothing has happened before the first payment.
 */
export const eventsOf = (order: Order, shop: Shop): ReadonlyArray<OrderEvent> => {
  inDinars(order.currencyCode)
  const events: Array<OrderEvent> = [placedOf(order, shop)]
  for (const { payment, refund } of moneyOf(order)) {
    const paid = (): OrderEvent => ({ id: `payment-${payment.id}`, type: "paid", payments: [{ type: paymentTypeOf(shop, payment.method), amount: fromMinorUnits(payment.amount) }] })
    events.push(...(refund === null ? [paid()] : eventsOfRefund(order, shop, events, payment, refund)))
  }
  return events
}
