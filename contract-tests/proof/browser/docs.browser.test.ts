import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { browserPath, fitsWidth, openReader, type Reader, violations } from "../../src/portal/browser.ts"
import { type MemoryApi, startMemoryApi } from "../../src/support/memoryApi.ts"

let memory: MemoryApi
beforeAll(async () => {
  memory = await startMemoryApi({ tryItOut: true })
}, 60_000)
afterAll(() => memory.running.stop())

const reading = async (options: { readonly width: number; readonly host?: string }, body: (reader: Reader, origin: string) => Promise<void>) => {
  const origin = memory.target.baseUrl.replace("127.0.0.1", options.host ?? "127.0.0.1")
  const reader = await openReader({ origin, width: options.width, locale: "en-GB" })
  try {
    await body(reader, origin)
    assert.deepStrictEqual(reader.complaints, [])
  } finally {
    await reader.close()
  }
}

const assertGood = async ({ page }: Reader) => {
  const folder = process.env["OVERA_DOCS_PICTURES"]
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${new URL(page.url()).pathname.replaceAll("/", "_")}-${page.viewportSize()?.width ?? 0}.png` })
  assert.deepStrictEqual(await violations(page), [], page.url())
  assert.isTrue(await fitsWidth(page), `${page.url()} sticks out`)
}

describe.runIf(browserPath !== null)("the documentation, in a real browser", () => {
  it.each([[360, "127.0.0.1"], [1_280, "localhost"]] as const)("at %i px, asked as %s: the reference is filled in, and issues a receipt with a new key at each click", async (width, host) => {
    await reading({ width, host }, async (reader, origin) => {
      const { page } = reader
      await page.goto(`${origin}/`)
      assert.strictEqual(new URL(page.url()).pathname, "/docs")
      const operation = page.locator("#operations-Fiscal_documents-issueFiscalDocument")
      await operation.waitFor()
      if (width === 360) await assertGood(reader)
      await operation.locator(".opblock-summary-control").click()
      const body = operation.locator("textarea.body-param__text")
      await body.waitFor()
      const sale = JSON.parse(await body.inputValue()) as { readonly taxpayerId: string; readonly items: ReadonlyArray<{ readonly taxLabels: ReadonlyArray<string> }> }
      assert.strictEqual(sale.taxpayerId, memory.target.taxpayerId)
      assert.deepStrictEqual(sale.items[0]?.taxLabels, [memory.target.labels.sandbox])
      const issue = async () => {
        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.url().endsWith("/v1/fiscal-documents")),
          operation.locator(".btn.execute").click()
        ])
        return { code: answer.status(), ...await answer.json() as { readonly id: string } }
      }
      const [first, second] = [await issue(), await issue()]
      assert.deepStrictEqual([first.code, second.code], [201, 201])
      assert.notStrictEqual(first.id, second.id)
      await operation.locator(".live-responses-table tbody .response-col_status").first().waitFor()
      await assertGood(reader)
    })
  }, 180_000)

  it.each([360, 1_280])("at %i px: guides, an error's page and the search", async (width) => {
    await reading({ width }, async (reader, origin) => {
      const { page } = reader
      for (const path of ["/docs/pages", "/docs/pages/errors", "/docs/pages/guides/refunds", "/docs/pages/glossary", "/docs/errors/TAX_LABEL_NOT_CURRENT", "/docs/search?q=refund", "/docs/search?q=zzzz"]) {
        await page.goto(origin + path)
        await assertGood(reader)
      }
      await page.fill("input[type=search]", "tax_label_not_current")
      await Promise.all([page.waitForNavigation(), page.click("header button")])
      await Promise.all([page.waitForNavigation(), page.click("main a >> text=TAX_LABEL_NOT_CURRENT")])
      assert.strictEqual(new URL(page.url()).pathname, "/docs/errors/TAX_LABEL_NOT_CURRENT")
      await page.emulateMedia({ colorScheme: "dark" })
      await assertGood(reader)
    })
  }, 180_000)

  it("an error's Link and a problem's type lead to their pages", async () => {
    const { authUrl, baseUrl, clientId, clientSecret } = memory.target
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret })
    const { access_token: token } = await (await fetch(authUrl, { method: "POST", body: form })).json() as { readonly access_token: string }
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "a-key-of-enough-letters" }
    const missing = await fetch(`${baseUrl}/v1/operations/none`, { headers })
    const [, link = ""] = /<([^>]+)>; rel="help"/.exec(missing.headers.get("Link") ?? "") ?? []
    const problem = await (await fetch(`${baseUrl}/v1/fiscal-documents`, { method: "POST", headers, body: "{}" })).json() as { readonly type: string }
    for (const address of [link, problem.type]) {
      const page = await fetch(new URL(address, baseUrl))
      assert.deepStrictEqual([page.status, page.headers.get("Content-Type")], [200, "text/html; charset=utf-8"], address)
    }
  })
})
