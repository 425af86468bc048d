import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { inFlightRow, RestoredShop, unplaced, unsentRow } from "../../src/support/RestoredShop.ts"
import { bookSale } from "../../src/support/shopCaller.ts"

let shop: RestoredShop
beforeAll(async () => {
  shop = await RestoredShop.open()
}, 120_000)
afterEach(() => shop.vpfr.clearFaults())
afterAll(() => shop.close())

// The cases read deep into answers of several shapes.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** Two documents that were signed after the point: one in flight at the point, and one that the service makes of it. */
interface Pair {
  /** The state of the database at the point. */
  readonly toThePoint: () => Promise<void>
  readonly first: Json
  readonly made: Json
  /** What the API says of both, and whether it can be read at all. */
  readonly seen: () => Promise<ReadonlyArray<unknown>>
}

const keyed = () => ({ "Idempotency-Key": `k-${randomUUID()}` })
const buyer = { id: "20:123456789" }
const itemOf = () => bookSale(shop.installation.shop, "x").items[0]
const proofsOf = async (first: string, made: string) => ({ first: unplaced(await shop.proofOf(first)), made: unplaced(await shop.proofOf(made)) })

const cashRefund = async (): Promise<Pair> => {
  const send = await shop.cashRefund()
  const { json: done } = await send()
  expect(done.status).toBe("COMPLETED")
  const row = await shop.rowOf(done.refund.id)
  return {
    ...await proofsOf(done.refund.id, done.cashRefundCopy.id),
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
const paidCase = async () => {
  const { businessPremiseId, taxpayerId } = shop.installation.shop
  const { json: opened } = await shop.call("POST", "/v1/advance-cases", keyed(), { taxpayerId, businessPremiseId, clientReference: "case", buyer })
  const pay = () => shop.call("POST", `/v1/advance-cases/${opened.id}/payments`, keyed(), { cashier: { id: "web" }, items: [itemOf()], payments: [{ type: "CASH", amount: 100 }] })
  const { json: paid } = await pay()
  return { id: opened.id as string, paid: paid.current, pay, read: () => shop.call("GET", `/v1/advance-cases/${opened.id}`) }
}

const cashCancellation = async (): Promise<Pair> => {
  const { id, paid, pay, read } = await paidCase()
  const key = keyed()
  const cancel = () => shop.call("POST", `/v1/advance-cases/${id}/cancellations`, key, { advanceSaleId: paid.id, cashier: { id: "web" }, buyer })
  const [{ copy, refund }] = (await cancel()).json.advanceCancellations
  expect([refund.status, copy.status]).toEqual(["FISCALIZED", "FISCALIZED"])
  const row = await shop.rowOf(refund.id)
  return {
    ...await proofsOf(refund.id, copy.id),
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

const closing = async (): Promise<Pair> => {
  const { id, read } = await paidCase()
  const key = keyed()
  const close = () =>
    shop.call("POST", `/v1/advance-cases/${id}/closing`, key, { cashier: { id: "web" }, items: [{ ...itemOf(), unitPrice: 150 }], remainingPayments: [{ type: "CASH", amount: 50 }] })
  const { json: { advanceRefund, finalSale, state } } = await close()
  expect(state).toBe("CLOSED")
  const [refundRow, saleRow] = [await shop.rowOf(advanceRefund.id), await shop.rowOf(finalSale.id)]
  return {
    ...await proofsOf(advanceRefund.id, finalSale.id),
    toThePoint: async () => {
      await shop.restore(finalSale.id, { ...unsentRow(inFlightRow(saleRow), { status: "VALIDATED", revision: 2, attempt: 0, lease_until: null }), late_reference: null })
      await shop.restore(advanceRefund.id, inFlightRow(refundRow))
    },
    seen: async () => {
      const { json, status } = await read()
      const again = await close()
      return [status, again.status, json.state, json.advanceRefund?.pfr?.invoiceNumber, json.finalSale?.pfr?.invoiceNumber]
    }
  }
}

const kinds = [
  ["the copy of a cash refund", cashRefund, "Key KEPT"],
  ["the copy of a cash cancellation", cashCancellation, "Key KEPT"],
  ["the final sale of a closing", closing, "Key KEPT"]
] as const

const orders: ReadonlyArray<readonly [string, (pair: Pair) => ReadonlyArray<Json>]> = [
  ["before that of the document it is made of", ({ first, made }) => [made, first]],
  ["after that of the document it is made of", ({ first, made }) => [first, made]],
  ["several times", ({ first, made }) => [made, made, first, made]],
  ["alone", ({ made }) => [made]]
]

const cases = kinds.flatMap(([what, prepare, kept]) => orders.map(([order, files]) => ({ what, prepare, kept, order, files })))

describe("`admin restore take-back` before the worker has found the document that another one is made of", () => {
  it.each(cases)("$what is not signed again, and can be read, where its proof is given $order", async ({ files, kept, prepare }) => {
    const pair = await prepare()
    const before = await pair.seen()
    const signed = await shop.signed()
    await shop.declared(async () => {
      // The search does not answer while the operator gives the files.
      await shop.vpfr.fault({ fault: "search-unavailable" })
      await pair.toThePoint()
      const told: Array<string> = []
      for (const file of files(pair)) told.push(await shop.told(file))
      expect(told.filter((line) => line === `0 ${kept}`)).toHaveLength(1)
      expect(told.every((line) => [`0 ${kept}`, "0 Key KNOWN"].includes(line))).toBe(true)
      expect((await shop.documentOf(pair.first.document.id)).status).toMatch(/SUBMITTING|OUTCOME_UNKNOWN|RECONCILING/)
      await shop.vpfr.clearFaults()
      await shop.becomes(pair.made.document.id, "FISCALIZED")
      await shop.becomes(pair.first.document.id, "FISCALIZED")
    })
    await shop.goesOn()
    const added = (await shop.signed()) - signed
    expect(await pair.seen()).toEqual(before)
    // One sale to see that the restore is over.
    expect(added).toBe(1)
  }, 120_000)

  it("of an answer alone says that nothing can be kept", async () => {
    const pair = await cashRefund()
    await shop.declared(async () => {
      await shop.vpfr.fault({ fault: "search-unavailable" })
      await pair.toThePoint()
      expect(await shop.told(pair.made.document)).toBe("3 Key UNSIGNED")
      expect(await shop.told(pair.made)).toBe("0 Key KEPT")
      await shop.vpfr.clearFaults()
      await shop.becomes(pair.made.document.id, "FISCALIZED")
    })
  }, 120_000)
})
