import { PdfInvoiceRenderer } from "@overa/adapter-renderers"
import { type Invoice, type InvoiceContent, type InvoiceLanguage, InvoiceRenderer, type OrganizationId } from "@overa/domain"
import { BigDecimal, DateTime, Effect } from "effect"
import { assert, describe, it } from "vitest"
import { readPdf } from "../src/support/pdfText.ts"
import { sampleBuyer, sampleInvoice, sampleIssuer } from "../src/support/sampleBilling.ts"

const invoiceOf = (content: InvoiceContent): Invoice => ({
  id: { year: 2026, number: 17 },
  organizationId: "0190a1b2-0000-7000-8000-000000000001" as OrganizationId,
  issuedAt: DateTime.makeUnsafe("2026-12-02T08:00:00Z"),
  content
})

const draw = (content: InvoiceContent, language: InvoiceLanguage = "sr-Cyrl"): Promise<Uint8Array> =>
  Effect.runPromise(Effect.flatMap(InvoiceRenderer, (renderer) => renderer.pdf(invoiceOf(content), language)).pipe(Effect.provide(PdfInvoiceRenderer.layer)))

const textOf = async (content: InvoiceContent, language: InvoiceLanguage = "sr-Cyrl"): Promise<string> =>
  (await readPdf(await draw(content, language))).pieces.map(({ text }) => text).join(" ")

describe("an invoice as PDF", () => {
  it("says who, to whom, for what, how much and until when", async () => {
    const text = await textOf(sampleInvoice("2026-11", sampleBuyer(), 1_000))
    const wanted = [
      "Фактура 2026-000017", sampleIssuer.name, "Немањина 4, Београд", "ПИБ: 100000057", "матични број: 20000001", "160-0000000000001-49",
      "Зора д.о.о.", "ПИБ: 100000073", "Организација: Књижара", "02.12.2026.", "30.11.2026.", "11.2026.", "17.12.2026.",
      "Лиценца за продукцију", "1 месец", "1.990,00", "Рачуни преко укључених", "400", "1.000,00", "3.790,10", "ПДВ 20 %", "758,02", "4.548,12 RSD",
      "Рачуна у месецу: 1000; укључено у лиценцу: 600.", "Хвала"
    ]
    for (const part of wanted) assert.include(text, part)
  })

  it("has the same bytes whenever it is drawn, in each language its own words around the same data", async () => {
    const content = sampleInvoice("2026-02")
    const texts = new Set<string>()
    for (const language of ["sr-Cyrl", "sr-Latn", "en"] as const) {
      assert.isTrue(Buffer.from(await draw(content, language)).equals(Buffer.from(await draw(content, language))), language)
      const text = await textOf(content, language)
      for (const data of [sampleIssuer.name, "Зора д.о.о.", "28.02.2026.", "Немањина 4, Београд"]) assert.include(text, data)
      texts.add(text)
    }
    assert.strictEqual(texts.size, 3)
    assert.include(await textOf(content, "sr-Latn"), "Faktura 2026-000017")
    assert.include(await textOf(content, "en"), "Invoice 2026-000017")
  })

  it("is tagged, in A4, with its title and author as text", async () => {
    const { info, pages } = await readPdf(await draw(sampleInvoice("2026-11")))
    assert.deepStrictEqual([info["Title"], info["Author"]], ["Фактура 2026-000017", sampleIssuer.name])
    assert.deepStrictEqual(pages.map(({ height, width }) => [Math.round(width), Math.round(height)]), [[595, 842]])
    for (const role of ["H2", "P", "Table", "TR", "TH", "TD"]) assert.include(pages[0]?.roles ?? [], role)
  })

  it.each([
    "<script>alert(1)</script>", "Б“ \"'&amp; \\) Tj ET", "(unbalanced", "=HYPERLINK(\"http://evil.example\")", "👩‍🌾 e\u0301 Ђ", "\u202Eобрнуто", "Зора ".repeat(40).trim(), "Ж".repeat(200)
  ])("whatever an organization is called, it is text that stays on the page: %s", async (name) => {
    const { links, pages, pieces } = await readPdf(await draw(sampleInvoice("2026-11", sampleBuyer({ organizationName: name, name, address: name, city: name }))))
    assert.deepStrictEqual(links, [])
    assert.strictEqual(pages.length, 1)
    for (const { right, text, x } of pieces) assert.isTrue(x >= 55 && right <= 595.28 - 55, `${text}: ${x} to ${right}`)
    const squeezed = (text: string) => text.replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, "").normalize("NFC")
    assert.include(squeezed(pieces.map(({ text }) => text).join("")), squeezed(name))
  })

  it("the largest amounts stand beside each other, nothing over anything else", async () => {
    const content = sampleInvoice("2026-11")
    const amount = BigDecimal.fromStringUnsafe("99999999999999.99")
    const lines = content.lines.map((line) => ({ ...line, quantity: 999_999_999, daysOfMonth: null, price: BigDecimal.fromStringUnsafe("999999999.99") as never, amount }))
    const { pieces } = await readPdf(await draw({ ...content, net: amount, vat: amount, total: amount, lines }))
    for (const { right, text } of pieces) assert.isAtMost(right, 595.28 - 55, text)
    for (const y of new Set(pieces.map((piece) => piece.y))) {
      const line = pieces.filter((piece) => piece.y === y).toSorted((one, other) => one.x - other.x)
      line.slice(1).forEach((piece, index) => assert.isAtLeast(piece.x, (line[index]?.right ?? 0) - 0.01, `${line[index]?.text} | ${piece.text}`))
    }
  })
})
