import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { cashCancellation, cashRefund, closing } from "./madeDocuments.ts"
import { RestoredShop, unsentRow } from "../../src/support/RestoredShop.ts"

let shop: RestoredShop
beforeAll(async () => {
  shop = await RestoredShop.open()
}, 120_000)
afterEach(() => shop.vpfr.clearFaults())
afterAll(() => shop.close())

describe("A restore to an earlier point, where nobody kept a proof", () => {
  it.each([["the copy of a cash refund", cashRefund], ["the copy of a cash cancellation", cashCancellation], ["the final sale of a closing", closing]] as const)(
    "%s that the lost future signed is found by its RequestId, and not signed again",
    async (_what, prepare) => {
      const pair = await prepare(shop)
      const before = await pair.seen()
      const signed = await shop.signed()
      await shop.declared(async () => {
        await pair.toThePoint()
        await shop.becomes(pair.first.document.id, "FISCALIZED")
      })
      await shop.becomes(pair.made.document.id, "FISCALIZED")
      const added = (await shop.signed()) - signed
      expect(await pair.seen()).toEqual(before)
      expect(added).toBe(0)
    },
    120_000
  )

  it.each([
    ["was not reserved yet", { status: "VALIDATED", revision: 2, attempt: 0, failure_code: null }],
    ["could not be sent", {}]
  ])("a copy that was signed at the second attempt is found, where it %s at the point", async (_what, state) => {
    const { copy, refund, row, signed } = await shop.copySignedAfterThePoint()
    await shop.declared(async () => {
      await shop.restore(copy.id, unsentRow({ ...row, next_check_at: new Date().toISOString() }, state))
    })
    await shop.becomes(copy.id, "FISCALIZED")
    expect((await shop.documentOf(copy.id)).pfr).toEqual(copy.pfr)
    expect((await refund()).json.status).toBe("COMPLETED")
    expect(await shop.signed()).toBe(signed)
  }, 120_000)

  it("a copy that was never sent is sent once, and not in the first quarter of an hour after the restore", async () => {
    const pair = await cashRefund(shop)
    const signed = await shop.signed()
    await shop.declared(async () => {
      await pair.toThePoint()
      // The V-PFR of the lost future never got it.
      await shop.vpfr.fault({ fault: "search-not-found" })
      await shop.becomes(pair.first.document.id, "OUTCOME_UNKNOWN")
      await shop.vpfr.clearFaults()
      await shop.becomes(pair.first.document.id, "FISCALIZED")
      await shop.vpfr.fault({ fault: "search-not-found" })
    })
    await shop.goesOn()
    const [, again, status] = await pair.seen()
    expect([again, status, (await shop.signed()) - signed]).toEqual([503, "COPY_PENDING", 1])
    await shop.restoreEnded("20 minutes")
    await shop.becomes(pair.made.document.id, "FISCALIZED")
    expect(await shop.signed()).toBe(signed + 2)
  }, 120_000)

  it("a repeated request does not send the copy either while the V-PFR answers no search", async () => {
    const pair = await cashRefund(shop)
    const signed = await shop.signed()
    await shop.declared(async () => {
      await pair.toThePoint()
      await shop.becomes(pair.first.document.id, "FISCALIZED")
      await shop.vpfr.fault({ fault: "search-unavailable" })
    })
    await shop.goesOn()
    const [read, again, status] = await pair.seen()
    expect([read, again, status]).toEqual([200, 503, "COPY_PENDING"])
    expect(await shop.signed()).toBe(signed + 1)
    await shop.vpfr.clearFaults()
    await shop.becomes(pair.made.document.id, "FISCALIZED")
    expect(await shop.signed()).toBe(signed + 1)
  }, 120_000)
})
