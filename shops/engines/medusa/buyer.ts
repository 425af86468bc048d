import type { Bought } from "../../Engine.ts"
import type { MedusaServer } from "./MedusaServer.ts"

export interface Basket {
  readonly variant: string
  readonly quantity: number
  readonly hasPromotion: boolean
}

interface Known {
  readonly id: string
}

const address = { first_name: "Kupac", last_name: "Probni", address_1: "Kneza Milosa 1", city: "Beograd", postal_code: "11000", country_code: "rs" }

/** Buys through the storefront's API; the payment is authorized. */
export const place = async (shop: MedusaServer, number: number, { hasPromotion, quantity, variant }: Basket): Promise<Bought> => {
  const { option, region } = shop.seeded
  const { cart } = await shop.store<{ readonly cart: Known }>("POST", "/carts", {
    region_id: region, email: `kupac${number}@primer.example`, shipping_address: address, billing_address: address, items: [{ variant_id: variant, quantity }], ...(hasPromotion ? { promo_codes: ["SEDAM"] } : {})
  })
  await shop.store("POST", `/carts/${cart.id}/shipping-methods`, { option_id: option })
  const { payment_collection: collection } = await shop.store<{ readonly payment_collection: Known }>("POST", "/payment-collections", { cart_id: cart.id })
  await shop.store("POST", `/payment-collections/${collection.id}/payment-sessions`, { provider_id: "pp_system_default" })
  const { order } = await shop.store<{ readonly order?: Known & { readonly display_id: number } }>("POST", `/carts/${cart.id}/complete`)
  if (order === undefined) throw new Error("the order was not placed")
  return { id: order.id, code: `${order.display_id}-${order.id.replace(/^order_/, "")}` }
}

interface Payment {
  readonly id: string
  readonly amount: number
}

const paymentOf = async (shop: MedusaServer, id: string): Promise<Payment> => {
  const { order } = await shop.admin<{ readonly order: { readonly payment_collections: ReadonlyArray<{ readonly payments: ReadonlyArray<Payment> }> } }>(
    "GET", `/orders/${id}?fields=id,payment_collections.payments.id,payment_collections.payments.amount`
  )
  const payment = order.payment_collections[0]?.payments[0]
  if (payment === undefined) throw new Error(`the order ${id} has no payment`)
  return payment
}

const inDinars = (amount: number): number => Math.round(amount * 100) / 100

/** Captures the payment, or first three tenths and then the rest. */
export const capture = async (shop: MedusaServer, id: string, parts: "whole" | "deposit" | "deposit and rest"): Promise<void> => {
  const { amount, id: payment } = await paymentOf(shop, id)
  const deposit = inDinars(amount * 0.3)
  const amounts = parts === "whole" ? [amount] : parts === "deposit" ? [deposit] : [deposit, inDinars(amount - deposit)]
  for (const one of amounts) await shop.admin("POST", `/payments/${payment}/capture`, { amount: one })
}

export const refund = async (shop: MedusaServer, id: string, share: number): Promise<void> => {
  const { amount, id: payment } = await paymentOf(shop, id)
  await shop.admin("POST", `/payments/${payment}/refund`, { amount: share === 1 ? amount : inDinars(amount * share), note: "vraceno" })
}

/** Calls the order off: Medusa gives everything back that was captured. */
export const cancel = (shop: MedusaServer, id: string): Promise<unknown> => shop.admin("POST", `/orders/${id}/cancel`)

/** Sends the goods; one piece comes back and is received, and its price is given back. */
export const returnPiece = async (shop: MedusaServer, id: string): Promise<void> => {
  const { order } = await shop.admin<{ readonly order: { readonly items: ReadonlyArray<Known & { readonly total: number; readonly quantity: number }> } }>("GET", `/orders/${id}`)
  const [item] = order.items
  if (item === undefined) throw new Error(`the order ${id} has no goods`)
  await shop.admin("POST", `/orders/${id}/fulfillments`, { items: [{ id: item.id, quantity: item.quantity }], location_id: shop.seeded.location })
  const { return: back } = await shop.admin<{ readonly return: Known }>("POST", "/returns", { order_id: id, location_id: shop.seeded.location })
  await shop.admin("POST", `/returns/${back.id}/request-items`, { items: [{ id: item.id, quantity: 1 }] })
  await shop.admin("POST", `/returns/${back.id}/request`, { no_notification: true })
  await shop.admin("POST", `/returns/${back.id}/receive`, {})
  await shop.admin("POST", `/returns/${back.id}/receive-items`, { items: [{ id: item.id, quantity: 1 }] })
  await shop.admin("POST", `/returns/${back.id}/receive/confirm`, { no_notification: true })
  const { id: payment } = await paymentOf(shop, id)
  await shop.admin("POST", `/payments/${payment}/refund`, { amount: Math.floor((item.total / item.quantity) * 100) / 100, note: "vraceno" })
}
