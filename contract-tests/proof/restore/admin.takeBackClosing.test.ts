import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { closedCase } from "./madeDocuments.ts"
import { RestoredShop, unplaced } from "../../src/support/RestoredShop.ts"

let shop: RestoredShop
beforeAll(async () => {
  shop = await RestoredShop.open()
}, 120_000)
afterAll(() => shop.close())

const parts = ["advanceRefund", "finalSale"] as const
type Closed = Awaited<ReturnType<typeof closedCase>>

/** A closing that a restore lost whole, and of which one file was taken back; with what the V-PFR had signed by the end of the restore. */
const lostClosing = async <File>(fileOf: (closed: Closed) => Promise<File>, told: string) => {
  const lost = await closedCase(shop)
  const file = await fileOf(lost)
  await shop.declared(async () => {
    await shop.forget(lost.finalSale.id)
    await shop.forget(lost.advanceRefund.id)
    expect(await shop.told(file)).toBe(told)
  })
  await shop.goesOn()
  return { ...lost, file, signed: await shop.signed() }
}

const proofOf = (part: (typeof parts)[number]) => async (closed: Closed) => unplaced(await shop.proofOf(closed[part].id))
const answer = (closed: Closed) => Promise.resolve(closed.advanceRefund)

describe("`admin restore take-back` of a closing that the database has lost", () => {
  it.each(parts)("given the proof of its %s: under another key the case is closed again only after a person has acknowledged what was lost", async (part) => {
    const lost = await lostClosing(proofOf(part), part === "advanceRefund" ? "0 Key KEPT" : "0 Key PUT_BACK")
    const { file: proof, signed } = lost
    const closed = await lost.close(lost.otherKey)
    expect([closed.status, closed.json.state, closed.json.advanceRefund.status]).toEqual([503, "AWAITING_OUTCOME", "OUTCOME_UNKNOWN"])
    expect((await lost.close(lost.otherKey)).json.state).toBe("AWAITING_OUTCOME")
    expect(await shop.signed()).toBe(signed)
    const [item, ...others] = await shop.openItemsOf(closed.json.advanceRefund.id)
    expect([item?.kind, others]).toEqual(["LOST_ATTEMPT", []])
    for (const named of [lost[part].idempotencyKey, ...proof.attempts.map(({ requestId }: { readonly requestId: string }) => requestId)]) expect(item?.detail).toContain(named)
    const { code } = await shop.installation.desk.admin(["attention", "acknowledge", item?.id ?? "", "--reason", "the lost closing was annulled at the tax authority"])
    expect(code).toBe(0)
    // It refers to an advance from before the restore, so in its first quarter of an hour it is not sent again.
    await shop.restoreEnded("20 minutes")
    if (part === "finalSale") {
      const kinds = async () => (await shop.openItemsOf(closed.json.finalSale.id)).map(({ kind }) => kind)
      await expect.poll(async () => (await lost.close(lost.otherKey), await kinds()), { timeout: 60_000 }).toEqual(["LOST_ATTEMPT"])
      const [second] = await shop.openItemsOf(closed.json.finalSale.id)
      await shop.installation.desk.admin(["attention", "acknowledge", second?.id ?? "", "--reason", "the lost final sale too"])
    }
    await expect.poll(async () => (await lost.close(lost.otherKey)).json.state, { timeout: 60_000 }).toBe("CLOSED")
    expect(await shop.signed()).toBe(signed + 2)
  }, 180_000)

  it("given the proof of its advanceRefund: under its own key it has the same Advance Refund again", async () => {
    const lost = await lostClosing(proofOf("advanceRefund"), "0 Key KEPT")
    await expect.poll(async () => (await lost.close(lost.key)).json.advanceRefund.pfr?.invoiceNumber ?? null, { timeout: 60_000 }).toBe(lost.advanceRefund.pfr.invoiceNumber)
    await expect.poll(async () => (await lost.read()).json.state, { timeout: 60_000 }).toBe("CLOSED")
  }, 120_000)

  it("given the answer of its advanceRefund alone: under its own key it is closed again only after a person has acknowledged what was lost", async () => {
    const lost = await lostClosing(answer, "3 Key UNSIGNED")
    const { json: closed } = await lost.close(lost.key)
    expect([closed.state, closed.advanceRefund.status]).toEqual(["AWAITING_OUTCOME", "OUTCOME_UNKNOWN"])
    expect(await shop.signed()).toBe(lost.signed)
    const [item] = await shop.openItemsOf(closed.advanceRefund.id)
    expect(item?.detail).toBe(`the restore lost an attempt of this document that the V-PFR signed as ${lost.advanceRefund.pfr.invoiceNumber}; it could not be put back`)
  }, 120_000)

  it("given the answer of its advanceRefund alone: under another key too", async () => {
    const lost = await lostClosing(answer, "3 Key UNSIGNED")
    const { json: closed } = await lost.close(lost.otherKey)
    expect([closed.state, await shop.signed()]).toEqual(["AWAITING_OUTCOME", lost.signed])
    expect((await shop.openItemsOf(closed.advanceRefund.id)).map(({ detail }) => detail)).toEqual([
      `the restore lost a closing of the same advance case under the key ${lost.advanceRefund.idempotencyKey}, which the V-PFR signed as ${lost.advanceRefund.pfr.invoiceNumber}; it could not be put back`
    ])
  }, 120_000)
})
