import { randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { changed, inFlightRow, RestoredShop } from "../../src/support/RestoredShop.ts"

let shop: RestoredShop
beforeAll(async () => {
  shop = await RestoredShop.open()
}, 120_000)
afterEach(() => shop.vpfr.clearFaults())
afterAll(() => shop.close())

// The rows are as the driver reads them.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString()

/** The states of a document between its first attempt and that attempt's outcome. */
const states: ReadonlyArray<readonly [status: string, state: () => Json]> = [
  ["SUBMITTING", () => ({})],
  ["OUTCOME_UNKNOWN", () => ({ status: "OUTCOME_UNKNOWN", failure_code: "OUTCOME_UNKNOWN", lease_until: null, next_check_at: hourAgo() })],
  ["RECONCILING", () => ({ status: "RECONCILING", failure_code: "OUTCOME_UNKNOWN", lease_until: new Date(Date.now() + 120_000).toISOString() })]
]

const decide = (id: string) => shop.installation.desk.admin(["unknown", "decide", id, "not-issued", "--reason", "the portal shows nothing", "--yes"])

describe("`admin restore take-back` of a document that the database has", () => {
  it.each(states)("%s with its first attempt: the attempt that was signed later is searched for too, and nothing is signed again", async (_status, state) => {
    const { document, key, proof, row, signed } = await shop.saleSignedAfterThePoint()
    await shop.declared(async () => {
      await shop.restore(document.id, { ...inFlightRow(row), ...state() })
      expect([await shop.told(proof), await shop.told(proof)]).toEqual(["0 Operation ATTEMPT_PUT_BACK", "0 Operation KNOWN"])
      await shop.becomes(document.id, "FISCALIZED")
    })
    await shop.goesOn()
    const { json, status } = await shop.sell(key)
    expect([status, json.pfr]).toEqual([200, document.pfr])
    expect(await shop.signed()).toBe(signed + 1)
  }, 120_000)

  it("is not decided as not issued before the attempt that was taken back has been searched for", async () => {
    const { document, proof, row } = await shop.saleSignedAfterThePoint()
    await shop.declared(async () => {
      await shop.vpfr.fault({ fault: "search-not-found" })
      await shop.restore(document.id, { ...inFlightRow(row), started_at: hourAgo() })
      const searched = async () => (await shop.rowOf(document.id)).first_search_found
      await expect.poll(searched, { timeout: 30_000 }).toBe(false)
      await shop.vpfr.clearFaults()
      await shop.vpfr.fault({ fault: "search-unavailable" })
      const earlier = changed(proof, (copy) => copy.attempts.forEach((attempt: Json) => void (attempt.startedAt = hourAgo())))
      expect(await shop.told(earlier)).toBe("0 Operation ATTEMPT_PUT_BACK")
      await shop.becomes(document.id, "OUTCOME_UNKNOWN")
      expect(await decide(document.id)).toMatchObject({ code: 2, err: expect.stringMatching(/the last search for attempt 2 got no answer|searching at the V-PFR right now/) })
      await shop.vpfr.clearFaults()
      await shop.becomes(document.id, "FISCALIZED")
    })
  }, 120_000)

  it("a rejected copy that was sent again later gets its receipt, and no second one", async () => {
    const { copy, proof, refund, row, signed } = await shop.copySignedAfterThePoint("REJECTED")
    await shop.declared(async () => {
      await shop.restore(copy.id, row)
      expect([await shop.told(proof), await shop.told(proof)]).toEqual(["0 Key ATTEMPT_PUT_BACK", "0 Key KNOWN"])
      await shop.becomes(copy.id, "FISCALIZED")
    })
    expect((await shop.documentOf(copy.id)).pfr).toEqual(copy.pfr)
    expect((await refund()).json.status).toBe("COMPLETED")
    expect(await shop.signed()).toBe(signed)
  }, 120_000)

  it("a receipt beside another one of the same document is searched for, and a person is told of the second receipt", async () => {
    const { document, key, proof } = await shop.saleSignedAfterThePoint()
    const { json: other } = await shop.sell(key)
    expect([other.id, other.pfr.invoiceNumber === document.pfr.invoiceNumber]).toEqual([document.id, false])
    await shop.declared(async () => {
      expect([await shop.told(proof), await shop.told(proof)]).toEqual(["0 Operation ATTEMPT_PUT_BACK", "0 Operation KNOWN"])
      await expect.poll(async () => (await shop.openItemsOf(document.id)).map(({ kind }) => kind), { timeout: 60_000 }).toEqual(["SECOND_RECEIPT"])
      expect((await shop.openItemsOf(document.id))[0]?.detail).toContain(document.pfr.invoiceNumber)
    })
    expect((await shop.documentOf(document.id)).pfr).toEqual(other.pfr)
  }, 120_000)

  it("an answer alone is not known while the document's outcome is searched for, and is as soon as it is found", async () => {
    const { json: document } = await shop.sell(`kept-${randomUUID()}`)
    const row = await shop.rowOf(document.id)
    await shop.declared(async () => {
      await shop.vpfr.fault({ fault: "search-unavailable" })
      await shop.restore(document.id, inFlightRow(row))
      expect(await shop.told(document)).toBe("3 Key UNRESOLVED")
      await shop.vpfr.clearFaults()
      await shop.becomes(document.id, "FISCALIZED")
      expect(await shop.told(document)).toBe("0 Key KNOWN")
    })
  }, 120_000)

  it("puts on the attention list what it cannot put back, once", async () => {
    const { document } = await shop.saleSignedAfterThePoint()
    await shop.declared(async () => {
      expect([await shop.told(document), await shop.told(document)]).toEqual(["3 Key UNSIGNED", "3 Key UNSIGNED"])
    })
    const items = await shop.openItemsOf(document.id)
    expect(items.map(({ kind }) => kind)).toEqual(["LOST_ATTEMPT"])
    expect(items[0]?.detail).toContain(document.pfr.invoiceNumber)
  }, 120_000)
})
