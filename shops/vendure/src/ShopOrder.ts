import type { PaymentType } from "@overa/client"
import { fromMinorUnits, type OrderEvent, type OrderLine } from "@overa/orders"
import { type Order, OrderLine as PlacedLine, type Refund } from "@vendure/core"

/** What an administrator wrote as `20=Ђ,10=Е`. */
export const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(",").map((pair) => pair.split("=")).map(([name = "", value = ""]) => [name.trim(), value.trim()] as const))

export interface Translation {
  readonly taxLabels: ReadonlyMap<string, string>
  readonly paymentTypes: ReadonlyMap<string, string>
}

interface Position {
  readonly id: string
  readonly name: string
  readonly quantity: number
  readonly unitPrice: number
  readonly total: number
  readonly taxRate: number
}

/** Prices without tax may round to more than the quantity times the rounded price: the listed price then is the next para above. */
const positionOf = ({ id, name, quantity, taxRate, total, unitPrice }: Position, { taxLabels }: Translation): OrderLine => {
  const label = taxLabels.get(String(taxRate))
  const listed = Math.max(unitPrice, Math.ceil(total / quantity))
  const discount = quantity * listed - total
  return {
    id, name, unit: "ком", quantity, unitPrice: fromMinorUnits(listed), taxLabels: label === undefined || label === "" ? [] : [label],
    ...(discount > 0 ? { discounts: [{ amount: fromMinorUnits(discount) }] } : {})
  }
}

/** A line as it was ordered: Vendure takes what is cancelled later off its quantity and its price. */
const lineAsPlaced = (line: PlacedLine): Position => {
  const quantity = Math.max(line.orderPlacedQuantity, line.quantity)
  const { adjustments, listPrice, listPriceIncludesTax, taxLines } = line
  const { proratedLinePriceWithTax, taxRate, unitPriceWithTax } = new PlacedLine({ adjustments, listPrice, listPriceIncludesTax, orderPlacedQuantity: quantity, quantity, taxLines })
  return { id: `line-${line.id}`, name: line.productVariant.translations[0]?.name ?? line.productVariant.sku, quantity, unitPrice: unitPriceWithTax, total: proratedLinePriceWithTax, taxRate }
}

const linesOf = (order: Order, translation: Translation): ReadonlyArray<OrderLine> => [
  ...order.lines.map(lineAsPlaced).filter(({ quantity }) => quantity > 0).map((line) => positionOf(line, translation)),
  ...order.shippingLines.filter(({ discountedPriceWithTax }) => discountedPriceWithTax > 0).map(({ discountedPriceWithTax: price, id, taxRate }) =>
    ({ ...positionOf({ id: `shipping-${id}`, name: "Достава", quantity: 1, unitPrice: price, total: price, taxRate }, translation), kind: "shipping" as const })),
  ...order.surcharges.map(({ description, id, priceWithTax: price, taxRate }) =>
    positionOf({ id: `surcharge-${id}`, name: description, quantity: 1, unitPrice: price, total: price, taxRate }, translation))
]

/** Money given back before anything was sold ends the order: a deposit of an order that was cancelled. */
const refundOf = (order: Order, refund: Refund, type: PaymentType): OrderEvent => {
  const [id, givenBack] = [`refund-${refund.id}`, [{ type, amount: fromMinorUnits(refund.total) }]]
  if (order.orderPlacedAt === null || order.orderPlacedAt === undefined) return { id, type: "refused", givenBack }
  return {
    id, type: "partlyRefunded", givenBack,
    lines: [
      ...refund.lines.map(({ orderLineId, quantity }) => ({ line: `line-${orderLineId}`, quantity })),
      ...(refund.shipping > 0 ? order.shippingLines.map((line) => ({ line: `shipping-${line.id}`, quantity: 1 })) : [])
    ]
  }
}

/**
 * What has happened to an order, as far as Vendure knows: its settled payments and refunds in the order of their rows, so that the same rows always
 * give the same events. A deposit is a payment of less than the total. Nothing has happened before the first payment.
 */
export const eventsOf = (order: Order, translation: Translation): ReadonlyArray<OrderEvent> => {
  const typeOf = (method: string) => (translation.paymentTypes.get(method) ?? "OTHER") as PaymentType
  const settled = order.payments.filter(({ state }) => state === "Settled")
  if (settled.length === 0) return []
  const money = settled.flatMap(({ amount, createdAt, id, method, refunds }): ReadonlyArray<{ readonly at: Date; readonly event: OrderEvent }> => [
    { at: createdAt, event: { id: `payment-${id}`, type: "paid", payments: [{ type: typeOf(method), amount: fromMinorUnits(amount) }] } },
    ...refunds.filter(({ state }) => state === "Settled").map((refund) => ({ at: refund.createdAt, event: refundOf(order, refund, typeOf(method)) }))
  ])
  return [
    { id: "placed", type: "placed", order: { number: order.code, pricesIncludeTax: true, total: fromMinorUnits(order.totalWithTax), lines: linesOf(order, translation) } },
    ...money.toSorted((one, other) => one.at.getTime() - other.at.getTime()).map(({ event }) => event)
  ]
}
