import { randomUUID } from "node:crypto"
import { expect } from "vitest"
import { inFlightRow, type RestoredShop, unplaced, unsentRow } from "../../src/support/RestoredShop.ts"
import { bookSale } from "../../src/support/shopCaller.ts"

// The cases read deep into answers of several shapes.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** Two documents that were signed after the point: one in flight at the point, and one that the service makes of it. */
export interface Pair {
  /** The state of the database at the point. */
  readonly toThePoint: () => Promise<void>
  readonly first: Json
  readonly made: Json
  /** What the API says of both, and whether it can be read at all. */
  readonly seen: () => Promise<ReadonlyArray<unknown>>
}

const keyed = () => ({ "Idempotency-Key": `k-${randomUUID()}` })
const buyer = { id: "20:123456789" }
const itemOf = (shop: RestoredShop) => bookSale(shop.installation.shop, "x").items[0]
const proofsOf = async (shop: RestoredShop, first: string, made: string) => ({ first: unplaced(await shop.proofOf(first)), made: unplaced(await shop.proofOf(made)) })

/** A cash refund in flight, and its copy. */
export const cashRefund = async (shop: RestoredShop): Promise<Pair> => {
  const send = await shop.cashRefund()
  const { json: done } = await send()
  expect(done.status).toBe("COMPLETED")
  const row = await shop.rowOf(done.refund.id)
  return {
    ...await proofsOf(shop, done.refund.id, done.cashRefundCopy.id),
    toThePoint: async () => {
      await shop.forget(done.cashRefundCopy.id)
      await shop.restore(done.refund.id, inFlightRow(row))
      await shop.query("update refund_workflows set holds = 'HELD' where refund_id = $1", [done.refund.id])
    },
    seen: async () => {
      const read = await shop.call("GET", `/v1/refund-workflows/${done.id}`)
      const again = await send()
      return [read.status, again.status, ...[read, again].flatMap(({ json }) => [json.status, json.refund?.pfr?.invoiceNumber, json.cashRefundCopy?.pfr?.invoiceNumber])]
    }
  }
}

/** A case with one cash payment of 100. */
const paidCase = async (shop: RestoredShop) => {
  const { businessPremiseId, taxpayerId } = shop.installation.shop
  const { json: opened } = await shop.call("POST", "/v1/advance-cases", keyed(), { taxpayerId, businessPremiseId, clientReference: "case", buyer })
  const pay = () => shop.call("POST", `/v1/advance-cases/${opened.id}/payments`, keyed(), { cashier: { id: "web" }, items: [itemOf(shop)], payments: [{ type: "CASH", amount: 100 }] })
  const { json: paid } = await pay()
  return { id: opened.id as string, paid: paid.current, pay, read: () => shop.call("GET", `/v1/advance-cases/${opened.id}`) }
}

/** The cash cancellation of an advance in flight, and its copy. */
export const cashCancellation = async (shop: RestoredShop): Promise<Pair> => {
  const { id, paid, pay, read } = await paidCase(shop)
  const key = keyed()
  const cancel = () => shop.call("POST", `/v1/advance-cases/${id}/cancellations`, key, { advanceSaleId: paid.id, cashier: { id: "web" }, buyer })
  const [{ copy, refund }] = (await cancel()).json.advanceCancellations
  expect([refund.status, copy.status]).toEqual(["FISCALIZED", "FISCALIZED"])
  const row = await shop.rowOf(refund.id)
  return {
    ...await proofsOf(shop, refund.id, copy.id),
    toThePoint: async () => {
      await shop.forget(copy.id)
      await shop.restore(refund.id, inFlightRow(row))
    },
    seen: async () => {
      const { json, status } = await read()
      const again = await cancel()
      const [cancelled] = json.advanceCancellations
      const another = await pay()
      return [status, again.status, another.status, json.state, cancelled.refund.pfr?.invoiceNumber, cancelled.copy?.pfr?.invoiceNumber]
    }
  }
}

/** A case that is closed, and a way to close it once more, under any key. */
export const closedCase = async (shop: RestoredShop) => {
  const { id, paid, read } = await paidCase(shop)
  const close = (key: { readonly "Idempotency-Key": string }) =>
    shop.call("POST", `/v1/advance-cases/${id}/closing`, key, { cashier: { id: "web" }, items: [{ ...itemOf(shop), unitPrice: 150 }], remainingPayments: [{ type: "CASH", amount: 50 }] })
  const key = keyed()
  const { json: { advanceRefund, finalSale, state } } = await close(key)
  expect(state).toBe("CLOSED")
  return { advanceRefund, close, finalSale, key, otherKey: keyed(), paid, read }
}

/** The Advance Refund of a closing in flight, and the final sale. */
export const closing = async (shop: RestoredShop): Promise<Pair> => {
  const { advanceRefund, close, finalSale, key, read } = await closedCase(shop)
  const [refundRow, saleRow] = [await shop.rowOf(advanceRefund.id), await shop.rowOf(finalSale.id)]
  return {
    ...await proofsOf(shop, advanceRefund.id, finalSale.id),
    toThePoint: async () => {
      await shop.restore(finalSale.id, { ...unsentRow(inFlightRow(saleRow), { status: "VALIDATED", revision: 2, attempt: 0, lease_until: null }), late_reference: null })
      await shop.restore(advanceRefund.id, inFlightRow(refundRow))
    },
    seen: async () => {
      const { json, status } = await read()
      const again = await close(key)
      return [status, again.status, json.state, json.advanceRefund?.pfr?.invoiceNumber, json.finalSale?.pfr?.invoiceNumber]
    }
  }
}
