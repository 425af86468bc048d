import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserPath, fitsWidth, openReader, type Reader, violations } from "../../src/portal/browser.ts"
import { verifiedFiles, type VerifiedFiles } from "../../src/support/verifiedFiles.ts"

let files: VerifiedFiles
beforeAll(async () => {
  files = await verifiedFiles()
}, 180_000)
afterAll(() => files.close())

const findings = async (page: Page, kind: string): Promise<ReadonlyArray<readonly [verdict: string, text: string]>> => {
  const article = page.locator("article", { hasText: kind })
  await article.first().waitFor()
  return article.first().locator("li").evaluateAll((items: ReadonlyArray<{ readonly className: string; readonly textContent: string | null }>) => items.map((item) => [item.className, item.textContent ?? ""] as const))
}

describe.skipIf(browserPath === null)("the page at /verify, in a browser", () => {
  const withReader = async (origin: string, options: { readonly locale?: string; readonly width?: number }, body: (reader: Reader) => Promise<void>) => {
    const reader = await openReader({ origin, ...options })
    try {
      await body(reader)
      expect(reader.complaints).toEqual([])
    } finally {
      await reader.close()
    }
  }

  it("reads PDF, pictures, link, proof and export that are given to it, and asks the network for nothing", { timeout: 120_000 }, async () => {
    const address = `${files.installation.api.url}/verify`
    await withReader(files.installation.api.url, { locale: "en-GB" }, async ({ context, page }) => {
      await page.goto(address)
      await context.setOffline(true)
      const asked: Array<string> = []
      context.on("request", (request) => asked.push(request.url()))
      await page.fill("#tin", files.tin)
      await page.fill("#text", files.link)
      const all = readdirSync(files.path("keys")).map((name) => files.path(`keys/${name}`))
      await page.setInputFiles("#files", [...["receipt.pdf", "receipt.png", "qr.svg", "proof.json", "export.csv", "checkpoint.txt"].map(files.path), ...all])
      for (const kind of ["receipt.pdf", "receipt.png", "qr.svg", "(link)"]) {
        const told = await findings(page, kind)
        expect(told.find(([, text]) => text.includes("The signature verifies under a key you gave"))?.[0], kind).toBe("PROVEN")
        expect(told.find(([, text]) => text.includes("Total amount: 2469.00"))?.[0]).toBe("PROVEN")
        expect(told.filter(([verdict]) => verdict === "NOT_COVERED").map(([, text]) => text).join()).toContain(`Seller's JID ${files.jids.requestedBy}`)
        expect(told.filter(([verdict]) => verdict === "CONTRADICTED")).toEqual([])
      }
      expect((await findings(page, "proof.json")).map(([verdict]) => verdict)).not.toContain("CONTRADICTED")
      expect((await findings(page, "proof.json")).find(([, text]) => text.includes("is signed by a key you gave"))?.[0]).toBe("PROVEN")
      expect((await findings(page, "export.csv"))[1]?.[0]).toBe("PROVEN")
      expect(asked.filter((url) => !url.startsWith("blob:"))).toEqual([])
      expect(await violations(page)).toEqual([])
    })
  })

  it("works from a disk with the network off, in three languages, on a telephone", { timeout: 120_000 }, async () => {
    const page = await fetch(`${files.installation.api.url}/verify`)
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    const saved = join(files.folder, "verify.html")
    writeFileSync(saved, await page.text())
    await withReader(pathToFileURL(saved).toString(), { locale: "sr-RS", width: 360 }, async ({ context, page: tab }) => {
      await context.setOffline(true)
      await tab.goto(pathToFileURL(saved).toString())
      await tab.setInputFiles("#files", files.path("receipt.png"))
      expect((await findings(tab, "слика QR кода")).map(([, text]) => text).join()).toContain("није обухваћен потписом")
      expect(await fitsWidth(tab)).toBe(true)
      await tab.click("button[lang=sr-Latn]")
      expect((await findings(tab, "slika QR koda")).map(([, text]) => text).join()).toContain("nije obuhvaćen potpisom")
      await tab.click("button[lang=en]")
      expect((await findings(tab, "picture of a QR code")).map(([, text]) => text).join()).toContain("not covered by the signature")
      expect(await tab.getAttribute("html", "lang")).toBe("en")
      expect(await violations(tab)).toEqual([])
    })
  })

  it("proves from a disk with the network off what a proof proves, also after metadata was erased", { timeout: 120_000 }, async () => {
    const saved = files.write("page/verify.html", await (await fetch(`${files.installation.api.url}/verify`)).text())
    const { desk, shop } = files.installation
    const client = await desk.database.client()
    await client.query("update operations set updated_at = updated_at - interval '2 days'")
    expect((await desk.admin(["metadata", "erase", shop.organizationId, "--older-than", "1", "--reason", "test", "--yes", "--json"])).json).toEqual({ erased: 1, unreadable: 0 })
    const erased = files.write("erased.json", JSON.stringify(await files.readProof()))
    const forged = files.write("forged.json", JSON.stringify(await files.readProof()).replace("1234.5", "1.5"))
    await withReader(pathToFileURL(saved).toString(), { locale: "en-GB" }, async ({ context, page }) => {
      await context.setOffline(true)
      await page.goto(pathToFileURL(saved).toString())
      await page.fill("#tin", files.tin)
      const keys = readdirSync(files.path("keys")).map((name) => files.path(`keys/${name}`))
      await page.setInputFiles("#files", [files.path("proof.json"), erased, forged, ...keys])
      const verdictOf = async (name: string, text: string) => (await findings(page, name)).find(([, sentence]) => sentence.includes(text))?.[0]
      expect(await verdictOf("proof.json", "The canonical text is that of the request's body")).toBe("PROVEN")
      expect(await verdictOf("erased.json", "were erased from the request. What is left is signed by the log's key you gave")).toBe("PROVEN")
      expect(await verdictOf("erased.json", "Total amount: 2469.00")).toBe("PROVEN")
      expect(await verdictOf("forged.json", "but the request is not what an erasure left")).toBe("CONTRADICTED")
      const pictures = process.env["OVERA_PORTAL_PICTURES"]
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, "verify-from-disk.png"), fullPage: true })
      expect(await violations(page)).toEqual([])
    })
  })

  it("takes what is dropped on it, and shows what a file says as text, never as markup", { timeout: 120_000 }, async () => {
    await withReader(files.installation.api.url, { locale: "en-GB" }, async ({ page }) => {
      await page.goto(`${files.installation.api.url}/verify`)
      const proof = structuredClone(files.proof)
      proof.document.status = "<img src=x onerror=alert(1)>"
      proof.answer = null
      await page.evaluate(`(() => {
        const data = new DataTransfer()
        data.items.add(new File([${JSON.stringify(JSON.stringify(proof))}], "<b>proof</b>.json"))
        document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }))
      })()`)
      const told = await findings(page, "<b>proof</b>.json")
      expect(told.map(([, text]) => text).join()).toContain("<img src=x onerror=alert(1)>")
      expect(await page.locator("img, article b").count()).toBe(0)
    })
  })
})
