/** The largest sale that the contract accepts: its answer is read completely, however long it is. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, saleOf, tokenOf } from "./Ground.ts"
import { wholeInstallation, type WholeInstallation } from "../../src/support/wholeInstallation.ts"

let installation: WholeInstallation
beforeAll(async () => {
  installation = await wholeInstallation()
}, 120_000)
afterAll(() => installation.close())

const labelOf = async (): Promise<string> => {
  const rates = await (await fetch(`${installation.desk.simulator.controlUrl}/tax-rates`)).json() as {
    readonly sandbox: ReadonlyArray<{ readonly taxCategories: ReadonlyArray<{ readonly name: string; readonly taxRates: ReadonlyArray<{ readonly label: string }> }> }>
  }
  return rates.sandbox.at(-1)?.taxCategories.find(({ name }) => name === "VAT")?.taxRates[0]?.label ?? ""
}

/** Repeats a request that the rate limit refuses, as a client should: large bodies and answers count as many requests. */
const patiently = async (request: () => ReturnType<typeof ask>): ReturnType<typeof ask> => {
  for (let tries = 0;; tries += 1) {
    const answer = await request()
    if (answer.status !== 429 || tries === 60) return answer
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

interface Page {
  readonly items: ReadonlyArray<{ readonly id: string }>
  readonly nextCursor: string | null
}

describe("A sale as large as a body may be", () => {
  it.each([
    ["480 items of 1 000 letters", 480, 1_000],
    ["1 000 items", 1_000, 420]
  ])("%s is signed, stored and answered as a receipt", async (_what, items, letters) => {
    const ground = { url: installation.api.url, shop: installation.shop, label: await labelOf() }
    const body = saleOf(ground, items, letters)
    expect(Buffer.byteLength(body)).toBeGreaterThan(900_000)
    expect(Buffer.byteLength(body)).toBeLessThan(1_048_576)
    const token = await tokenOf(ground)
    // The credential waits some seconds after another sale of this size.
    const answer = await patiently(() => ask(ground.url, token, "/v1/fiscal-documents", body))
    expect(answer.status, answer.text.slice(0, 500)).toBe(201)
    expect(JSON.parse(answer.text)).toMatchObject({ status: "FISCALIZED" })
  }, 60_000)

  it("shares a page of the journal with few others: the page ends early, and the next one goes on behind it", async () => {
    const ground = { url: installation.api.url, shop: installation.shop, label: await labelOf() }
    const token = await tokenOf(ground)
    const sold: Array<string> = []
    for (let number = 0; number < 4; number += 1) {
      const answer = await patiently(() => ask(ground.url, token, "/v1/fiscal-documents", saleOf(ground, 480, 1_000)))
      expect(answer.status, answer.text.slice(0, 500)).toBe(201)
      sold.unshift((JSON.parse(answer.text) as { readonly id: string }).id)
    }
    const found: Array<string> = []
    const lengths: Array<number> = []
    for (let cursor: string | null = ""; cursor !== null && lengths.length < 20;) {
      const path = `/v1/journal?pageSize=200${cursor === "" ? "" : `&cursor=${cursor}`}`
      const answer = await patiently(() => ask(ground.url, token, path))
      expect(answer.status, answer.text.slice(0, 500)).toBe(200)
      const page = JSON.parse(answer.text) as Page
      found.push(...page.items.map(({ id }) => id))
      lengths.push(page.items.length)
      cursor = page.nextCursor
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(3)
    expect(found.slice(0, 4)).toEqual(sold)
    expect(new Set(found).size).toBe(found.length)
  }, 120_000)
})
