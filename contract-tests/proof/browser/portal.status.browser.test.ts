import { reconcileDue } from "@overa/domain"
import { setTimeout as wait } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { whileNobodyKnows } from "../../src/portal/loseAnswers.ts"
import { asPerson, assertGood } from "./readers.ts"

const { client, rowsOf, stage } = sharedPortal()

/** Looks the document up at the V-PFR, as the worker does when it is due. */
const lookUp = async (id: string): Promise<void> => {
  await rowsOf("update operations set next_check_at = now() where operation_id = $1", [id])
  await stage.run(reconcileDue({ limit: 10, concurrency: 1 }))
}

describe.runIf(browserPath !== null)("the page of a document in flight", () => {
  it("shows the receipt when it is found, says so to a screen reader, and then asks no more", async () => {
    const unknown = await whileNobodyKnows(stage, () => issueSale(stage, { reference: "lost" }))
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts/${unknown.id}`)
      assert.include(await page.textContent("[data-status]"), "Исход непознат")
      assert.strictEqual(await page.textContent("[role=status][data-said]"), "")
      await assertGood(page)
      let asked = 0
      page.on("request", (request) => void (asked += request.url().endsWith(unknown.id) ? 1 : 0))
      await lookUp(unknown.id)
      await page.locator("[data-status]", { hasText: "Фискализован" }).waitFor({ timeout: 60_000 })
      assert.include(await page.textContent("[role=status][data-said]"), "Фискализован")
      assert.match((await page.textContent("h1")) ?? "", /^[A-Z0-9]{8}-[A-Z0-9]{8}-\d+$/)
      assert.isTrue((await page.title()).startsWith((await page.textContent("h1")) ?? "?"))
      assert.isAtLeast(asked, 1)
      await assertGood(page)
      const before = asked
      await wait(6_000)
      assert.strictEqual(asked, before)
    })
  }, 180_000)

  it("stops where the session has ended, and where nothing is in flight there is no script", async () => {
    const unknown = await whileNobodyKnows(stage, () => issueSale(stage, { reference: "lost too" }))
    await asPerson(stage, stage.people.OWNER, async ({ context, page }) => {
      await page.goto(`${stage.portal.url}/receipts/${unknown.id}`)
      await context.clearCookies()
      const refused = page.waitForResponse((answer) => answer.url().includes("/sign-in"), { timeout: 60_000 })
      await refused
      let asked = 0
      page.on("request", () => void (asked += 1))
      await wait(6_000)
      assert.strictEqual(asked, 0)
      assert.include(await page.textContent("[data-status]"), "Исход непознат")
    })
    const sale = await issueSale(stage)
    assert.notInclude((await client.get(`/receipts/${sale.id}`, { session: await stage.session(stage.people.OWNER) })).text, "<script")
  }, 180_000)
})
