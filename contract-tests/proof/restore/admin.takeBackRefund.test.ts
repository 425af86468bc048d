import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { RestoredShop, unplaced } from "../../src/support/RestoredShop.ts"

let shop: RestoredShop
beforeAll(async () => {
  shop = await RestoredShop.open()
}, 120_000)
afterAll(() => shop.close())

/** A refund that a restore lost whole, and of which one file was taken back; with what the V-PFR had signed by the end of the restore. */
const lostRefund = async (kind: "proof" | "answer") => {
  const give = await shop.refundOfSale()
  const { json: done, status } = await give(`lost-${randomUUID()}`)
  expect([status, done.status]).toEqual([201, "COMPLETED"])
  const file = kind === "proof" ? unplaced(await shop.proofOf(done.refund.id)) : done
  await shop.declared(async () => {
    await shop.forgetRefund(done)
    const { lines } = await shop.takeBack(file)
    // Of the copy's answer, which the service makes again, nothing is searched for.
    expect(lines.map(({ as, document, result }) => [document, as, result])).toEqual([
      [done.refund.id, "Key", "PUT_BACK"], ...(kind === "proof" ? [] : [[done.cashRefundCopy.id, "Key", "UNSIGNED"]])
    ])
  })
  await shop.goesOn()
  return { give, lost: done.refund, signed: await shop.signed() }
}

describe("`admin restore take-back` of a refund that the database has lost", () => {
  it.each(["proof", "answer"] as const)("given its %s: under another key the receipt is given back again only after a person has acknowledged what was lost", async (kind) => {
    const { give, lost, signed } = await lostRefund(kind)
    expect((await give(lost.idempotencyKey)).json.code).toBe("IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST")
    const other = `other-${randomUUID()}`
    const answers = [await give(other), await give(other)]
    expect(answers.map(({ json, status }) => [status, json.status, json.refund.status])).toEqual([[503, "REFUND_OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"], [503, "REFUND_OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN"]])
    const [{ json: held }] = answers as [typeof answers[0] & object]
    expect((await give(`third-${randomUUID()}`)).json.code).toBe("REFUND_CUMULATIVE_QUANTITY_EXCEEDED")
    const [item, ...others] = await shop.openItemsOf(held.refund.id)
    expect([item?.kind, others]).toEqual(["LOST_ATTEMPT", []])
    expect(item?.detail).toContain(`a refund of the same receipt under the key ${lost.idempotencyKey}, which ${kind === "proof" ? "may be signed" : `the V-PFR signed as ${lost.pfr.invoiceNumber}`}`)
    expect(await shop.signed()).toBe(signed)
    const { code } = await shop.installation.desk.admin(["attention", "acknowledge", item?.id ?? "", "--reason", "the lost refund was annulled at the tax authority"])
    expect(code).toBe(0)
    const failed = await give(other)
    expect([failed.json.status, failed.json.refund.status]).toEqual(["FAILED", "NOT_FISCALIZED"])
    const next = await give(`next-${randomUUID()}`)
    expect([next.status, next.json.status]).toEqual([201, "COMPLETED"])
    expect(await shop.signed()).toBe(signed + 2)
  }, 120_000)

  it("given the proof of its copy alone: it is not sent again under its key", async () => {
    const give = await shop.refundOfSale()
    const key = `lost-${randomUUID()}`
    const { json: done } = await give(key)
    const file = unplaced(await shop.proofOf(done.cashRefundCopy.id))
    await shop.declared(async () => {
      await shop.forgetRefund(done)
      expect(await shop.told(file)).toBe("0 Key KEPT")
    })
    await shop.goesOn()
    const signed = await shop.signed()
    const again = await give(key)
    expect([again.status, again.json.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"])
    expect(await shop.signed()).toBe(signed)
  }, 120_000)
})
