import type { Vendure } from "./Vendure.ts"

const order = "... on Order { id code state totalWithTax } ... on ErrorResult { errorCode message }"

export interface Bought {
  readonly id: string
  readonly code: string
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
export const buy = async (shop: Vendure, number: number, { payments, quantity, variant }: Basket): Promise<Bought> => {
  let token = ""
  const ask = async (query: string, variables: object = {}) => {
    const answer = await shop.ask("shop-api", query, variables, token)
    token = answer.token
    return Object.values(answer.data)[0] as Readonly<Record<string, unknown>>
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
  readonly lines: ReadonlyArray<{ readonly id: string; readonly proratedUnitPriceWithTax: number }>
  readonly payments: ReadonlyArray<{ readonly id: string; readonly amount: number }>
}

const read = async (shop: Vendure, id: string): Promise<Paid> =>
  (await shop.administrate("query ($id: ID!) { order(id: $id) { lines { id proratedUnitPriceWithTax } payments { id amount } } }", { id }))["order"] as Paid

const refund = async (shop: Vendure, input: object): Promise<void> => {
  const { refundOrder } = await shop.administrate(
    "mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { ... on Refund { id state } ... on ErrorResult { errorCode message } } }",
    { input: { shipping: 0, adjustment: 0, reason: "vraceno", ...input } }
  ) as { readonly refundOrder: { readonly id?: string } }
  if (refundOrder.id === undefined) throw new Error(`not refunded: ${JSON.stringify(refundOrder)}`)
  const { settleRefund } = await shop.administrate(
    "mutation ($id: ID!) { settleRefund(input: { id: $id, transactionId: \"bank\" }) { ... on Refund { state } ... on ErrorResult { errorCode message } } }",
    { id: refundOrder.id }
  ) as { readonly settleRefund: { readonly state?: string } }
  if (settleRefund.state !== "Settled") throw new Error(`not refunded: ${JSON.stringify(settleRefund)}`)
}

/** Gives one piece of an order's first line back, as the shop's staff does. */
export const giveBack = async (shop: Vendure, id: string): Promise<void> => {
  const { lines: [line], payments } = await read(shop, id)
  await refund(shop, { lines: [{ orderLineId: line?.id, quantity: 1 }], amount: line?.proratedUnitPriceWithTax, paymentId: payments.at(-1)?.id })
}

/** Calls an order off for which only a deposit was paid, and gives the deposit back. */
export const callOff = async (shop: Vendure, id: string): Promise<void> => {
  const { payments: [deposit] } = await read(shop, id)
  await shop.administrate("mutation ($id: ID!) { transitionOrderToState(id: $id, state: \"Cancelled\") { __typename } }", { id })
  await refund(shop, { lines: [], amount: deposit?.amount, paymentId: deposit?.id })
}
