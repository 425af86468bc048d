import { assert, beforeAll, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()

let owner: string
beforeAll(async () => {
  owner = await stage.session(stage.people.OWNER)
  for (let at = 0; at < 53; at++) await issueSale(stage, { quantity: 1 + at % 30, reference: `o-${at}` })
}, 120_000)

/** A page of the list: its documents, the links to other pages, and the number of sales that the sum counts. */
const shown = async (address: string) => {
  const { status, text } = await client.get(address, { session: owner })
  const pages = /<div class="pages">(.*?)<\/div>/s.exec(text)?.[1] ?? ""
  const [next = null] = [...pages.matchAll(/href="([^"]*after=[^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"))
  const beginning = /href="([^"]*)">На почетак/.exec(pages)?.[1]?.replaceAll("&amp;", "&") ?? null
  return { status, text, next: placed(next), beginning: placed(beginning), ids: [...text.matchAll(/href="[^"]*\/receipts\/([0-9a-f-]{36})"/g)].map(([, id]) => id) }
}

/** Addresses of pages name the place; the client adds it. */
const placed = (address: string | null): string | null => address?.replace(/^\/o\/[^/]+\/[^/]+/, "") ?? null

const first = (sort: string) => shown(`/receipts?sort=${sort}`)

describe("the list in an order of its own, while documents are written", () => {
  it.each(["-amount", "amount", "reference", "-number", "kind", "created", "status"])("by %s shows each document that was there once", async (sort) => {
    const before = await first(sort)
    const there = [...before.ids]
    for (let at = 0, { next } = before; next !== null; at++) {
      // It would stand before all others, or behind them.
      await issueSale(stage, { quantity: at % 2 === 0 ? 100 : 1, reference: at % 2 === 0 ? "a" : "z" })
      const page = await shown(next)
      assert.strictEqual(page.status, 200)
      there.push(...page.ids)
      next = page.next
    }
    assert.strictEqual(new Set(there).size, there.length)
    const after = new Set(await everything(sort))
    for (const id of there) assert.isTrue(after.has(id))
    assert.strictEqual(after.size - there.length, Math.ceil(there.length / 25) - 1)
  }, 60_000)

  it("leads back to its beginning, which has the new ones", async () => {
    const { next } = await first("-amount")
    const made = await issueSale(stage, { quantity: 200 })
    const second = await shown(next ?? "")
    assert.notInclude(second.ids, made.id)
    assert.strictEqual(second.beginning, "/receipts?sort=-amount")
    assert.strictEqual((await shown(second.beginning ?? "")).ids[0], made.id)
  })

  it("shows its first page where an address names no place", async () => {
    const { ids } = await first("reference")
    const written = (...values: ReadonlyArray<unknown>) => Buffer.from(JSON.stringify(values)).toString("base64url")
    const id = ids[0]
    const rest = ["FISCALIZED", "NORMAL", "SALE", null, "o-1", "1.00"]
    const wrong = [
      "abc", "", "%00", "W10", written(null), written(1, 1, "x", ...rest), written(-1, 1, id, ...rest), written(1e300, 1, id, ...rest), written(1, 1.5, id, ...rest),
      written(1, 1, id, "NONE", ...rest.slice(1)), written(1, 1, id, ...rest.slice(0, 5), "1e400000000"), written(1, 1, id, ...rest, "more"), `${written(1, 1, id, ...rest)}x`.repeat(20)
    ]
    for (const after of wrong) {
      const page = await shown(`/receipts?sort=reference&after=${after}`)
      assert.deepStrictEqual([page.status, page.ids, page.beginning], [200, ids, null], after)
    }
    assert.deepStrictEqual((await shown("/receipts?sort=reference&from-row=25")).ids, ids)
  })

  it("is answered whatever place a text names", async () => {
    const written = (until: number, number: string | null, reference: string, amount: string) =>
      Buffer.from(JSON.stringify([until, 0, "ffffffff-ffff-ffff-ffff-ffffffffffff", "FISCALIZED", "NORMAL", "SALE", number, reference, amount])).toString("base64url")
    for (const until of [0, 253_402_300_799_999]) {
      for (const sort of ["created", "number", "-reference", "amount"]) {
        const place = written(until, "x-y-z-99999999999999999999", "\uD800\u0000", "-999999999999999.9999")
        assert.strictEqual((await shown(`/receipts?sort=${sort}&after=${place}`)).status, 200, `${sort} ${until}`)
      }
    }
  })
})

/** Every document of the list in this order, page by page, while nothing is written. */
const everything = async (sort: string): Promise<ReadonlyArray<string | undefined>> => {
  const found: Array<string | undefined> = []
  for (let page = await first(sort);; page = await shown(page.next)) {
    found.push(...page.ids)
    if (page.next === null) return found
  }
}
