import type { Bought } from "../../Engine.ts"
import type { VendureServer } from "./VendureServer.ts"

const order = "... on Order { id code state totalWithTax } ... on ErrorResult { errorCode message }"

export interface BoughtAtVendure extends Bought {
  /** The buyer's session at the storefront's API. */
  readonly token: string
  /** Vendure places an order when it is paid as a whole; before, its storefront shows it to nobody without an account. */
  readonly isPlaced: boolean
}

export interface Basket {
  readonly variant: string
  readonly quantity: number
  readonly payments: ReadonlyArray<"card" | "deposit">
}

/** Buys through the storefront's API, and pays. */
export const buy = async (shop: VendureServer, number: number, { payments, quantity, variant }: Basket): Promise<BoughtAtVendure> => {
  let token = ""
  const ask = async (query: string, variables: object = {}) => {
    const answer = await shop.ask("shop-api", query, variables, token)
    token = answer.token
    const said = Object.values(answer.data)[0] as Readonly<Record<string, unknown>>
    if (said["errorCode"] !== undefined) throw new Error(`order ${number}: ${JSON.stringify(said)}`)
    return said
  }
  await ask(`mutation ($v: ID!, $q: Int!) { addItemToOrder(productVariantId: $v, quantity: $q) { ${order} } }`, { v: variant, q: quantity })
  await ask(`mutation ($e: String!) { setCustomerForOrder(input: { firstName: "Kupac", lastName: "Probni", emailAddress: $e }) { ${order} } }`, { e: `kupac${number}@primer.example` })
  await ask(`mutation { setOrderShippingAddress(input: { fullName: "Kupac", streetLine1: "Kneza Milosa 1", city: "Wien", postalCode: "1010", countryCode: "AT" }) { ${order} } }`)
  const methods = await ask("{ eligibleShippingMethods { id } }") as unknown as ReadonlyArray<{ readonly id: string }>
  await ask(`mutation ($m: [ID!]!) { setOrderShippingMethod(shippingMethodId: $m) { ${order} } }`, { m: [methods[number % methods.length]?.id] })
  await ask(`mutation { transitionOrderToState(state: "ArrangingPayment") { ${order} } }`)
  let paid: Readonly<Record<string, unknown>> = {}
  for (const method of payments) paid = await ask(`mutation ($m: String!) { addPaymentToOrder(input: { method: $m, metadata: {} }) { ${order} } }`, { m: method })
  if (paid["state"] !== (payments.at(-1) === "card" ? "PaymentSettled" : "ArrangingPayment")) throw new Error(`not paid: ${JSON.stringify(paid)}`)
  return { id: String(paid["id"]), code: String(paid["code"]), token, isPlaced: paid["state"] === "PaymentSettled" }
}

interface Paid {
  readonly totalWithTax: number
  readonly lines: ReadonlyArray<{ readonly id: string; readonly quantity: number; readonly proratedUnitPriceWithTax: number; readonly proratedLinePriceWithTax: number }>
  readonly payments: ReadonlyArray<{ readonly id: string; readonly amount: number }>
}

const read = async (shop: VendureServer, id: string): Promise<Paid> =>
  (await shop.administrate("query ($id: ID!) { order(id: $id) { totalWithTax lines { id quantity proratedUnitPriceWithTax proratedLinePriceWithTax } payments { id amount } } }", { id }))["order"] as Paid

const settle = async (shop: VendureServer, id: string): Promise<void> => {
  const { settleRefund } = await shop.administrate(
    "mutation ($id: ID!) { settleRefund(input: { id: $id, transactionId: \"bank\" }) { ... on Refund { state } ... on ErrorResult { errorCode message } } }", { id }
  ) as { readonly settleRefund: { readonly state?: string } }
  if (settleRefund.state !== "Settled") throw new Error(`not refunded: ${JSON.stringify(settleRefund)}`)
}

/** Gives money back; Vendure divides what one payment cannot give among the others. */
const refund = async (shop: VendureServer, orderId: string, input: object): Promise<void> => {
  const { refundOrder } = await shop.administrate(
    "mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { id state } ... on ErrorResult { errorCode message } } }",
    { input: { shipping: 0, adjustment: 0, reason: "vraceno", ...input } }
  ) as { readonly refundOrder: { readonly id?: string } }
  if (refundOrder.id === undefined) throw new Error(`not refunded: ${JSON.stringify(refundOrder)}`)
  const { order } = await shop.administrate("query ($id: ID!) { order(id: $id) { payments { refunds { id state } } } }", { id: orderId }) as
    { readonly order: { readonly payments: ReadonlyArray<{ readonly refunds: ReadonlyArray<{ readonly id: string; readonly state: string }> }> } }
  for (const { id } of order.payments.flatMap(({ refunds }) => refunds).filter(({ state }) => state === "Pending")) await settle(shop, id)
}

const cancel = async (shop: VendureServer, input: object): Promise<void> => {
  const { cancelOrder } = await shop.administrate("mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { ... on Order { id } ... on ErrorResult { errorCode message } } }", { input }) as { readonly cancelOrder: { readonly id?: string } }
  if (cancelOrder.id === undefined) throw new Error(`not cancelled: ${JSON.stringify(cancelOrder)}`)
}

/** Gives one piece of an order's first line back, as the shop's staff does. */
export const giveBack = async (shop: VendureServer, id: string): Promise<void> => {
  const { lines: [line], payments } = await read(shop, id)
  await refund(shop, id, { lines: [{ orderLineId: line?.id, quantity: 1 }], amount: line?.proratedUnitPriceWithTax, paymentId: payments.at(-1)?.id })
}

/** Cancels one piece of an order's first line before it is sent, and gives its price back. */
export const cancelPiece = async (shop: VendureServer, id: string): Promise<void> => {
  const { lines: [line], payments } = await read(shop, id)
  await cancel(shop, { orderId: id, lines: [{ orderLineId: line?.id, quantity: 1 }], reason: "nema na stanju", cancelShipping: false })
  await refund(shop, id, { lines: [{ orderLineId: line?.id, quantity: 1 }], amount: line?.proratedUnitPriceWithTax, paymentId: payments.at(-1)?.id })
}

/** Gives a tenth of the money back, and names no goods: the buyer keeps them. */
export const giveTenthBack = async (shop: VendureServer, id: string): Promise<void> => {
  const { payments, totalWithTax } = await read(shop, id)
  await refund(shop, id, { lines: [], amount: Math.ceil(totalWithTax / 10), paymentId: payments.at(-1)?.id })
}

/** Cancels a whole order with its shipping, and gives everything back: of whatever payments it was paid with. */
export const cancelAll = async (shop: VendureServer, id: string): Promise<void> => {
  const { lines, payments, totalWithTax } = await read(shop, id)
  const all = lines.map((line) => ({ orderLineId: line.id, quantity: line.quantity }))
  await cancel(shop, { orderId: id, lines: all, reason: "odustao", cancelShipping: true })
  // Vendure refunds at most one payment by an amount: the last one first.
  let left = totalWithTax
  for (const { amount, id: paymentId } of [...payments].reverse()) {
    await refund(shop, id, { lines: all, amount: Math.min(left, amount), paymentId })
    left -= Math.min(left, amount)
  }
}

/** Calls an order off for which only a deposit was paid, and gives the deposit back. */
export const callOff = async (shop: VendureServer, id: string): Promise<void> => {
  const { payments: [deposit] } = await read(shop, id)
  await shop.administrate("mutation ($id: ID!) { transitionOrderToState(id: $id, state: \"Cancelled\") { __typename } }", { id })
  await refund(shop, id, { lines: [], amount: deposit?.amount, paymentId: deposit?.id })
}
