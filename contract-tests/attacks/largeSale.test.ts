/** The largest sale that the contract accepts: its answer is read completely, however long it is. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ask, saleOf, tokenOf } from "../src/attacks/Ground.ts"
import { wholeInstallation, type WholeInstallation } from "../src/support/wholeInstallation.ts"

let installation: WholeInstallation
beforeAll(async () => {
  installation = await wholeInstallation()
}, 120_000)
afterAll(() => installation.close())

describe("A sale as large as a body may be", () => {
  it.each([
    ["480 items of 1 000 letters", 480, 1_000],
    ["1 000 items", 1_000, 420]
  ])("%s is signed, stored and answered as a receipt", async (_what, items, letters) => {
    const rates = await (await fetch(`${installation.desk.simulator.controlUrl}/tax-rates`)).json() as {
      readonly sandbox: ReadonlyArray<{ readonly taxCategories: ReadonlyArray<{ readonly name: string; readonly taxRates: ReadonlyArray<{ readonly label: string }> }> }>
    }
    const label = rates.sandbox.at(-1)?.taxCategories.find(({ name }) => name === "VAT")?.taxRates[0]?.label ?? ""
    const ground = { url: installation.api.url, shop: installation.shop, label }
    const body = saleOf(ground, items, letters)
    expect(Buffer.byteLength(body)).toBeGreaterThan(900_000)
    expect(Buffer.byteLength(body)).toBeLessThan(1_048_576)
    const answer = await ask(ground.url, await tokenOf(ground), "/v1/fiscal-documents", body)
    expect(answer.status, answer.text.slice(0, 500)).toBe(201)
    expect(JSON.parse(answer.text)).toMatchObject({ status: "FISCALIZED" })
  }, 60_000)
})
