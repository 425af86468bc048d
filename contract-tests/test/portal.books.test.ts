import { readWorkbook } from "@overa/adapter-spreadsheets"
import { formatDecimal, roundToPara } from "@overa/domain"
import { BigDecimal, Result } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { downloadBook, fillMonth, monthAddress, signedTurnover, thisMonth } from "../src/portal/bookMonth.ts"
import { pdfLines, readPdf } from "../src/support/pdfText.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const decimal = BigDecimal.fromStringUnsafe
const month = thisMonth()
const address = (path: string, more = "") => monthAddress(stage, path, more)

const signed = async (): Promise<string> => (await rowsOf<{ readonly total: string }>(signedTurnover, [stage.shop.organizationId]))[0]?.total ?? ""

/** An amount as the PDF prints it. */
const printed = (amount: string): string => formatDecimal(roundToPara(decimal(amount)), 2).replace(".", ",").replace(/\B(?=(\d{3})+,)/g, ".")

/** What the V-PFR signed, sales and refunds apart; refunds are negative. */
const signedSides = async () => {
  const side = (type: string, column: string) => `coalesce(sum(${column}) filter (where transaction_type = '${type}'), 0)::text`
  const [row] = await rowsOf<Readonly<Record<"sales" | "refunds" | "soldGross" | "refundedGross", string>>>(
    `select ${side("SALE", "1")} as sales, ${side("REFUND", "1")} as refunds, ${side("SALE", "signed_total")} as "soldGross", ${side("REFUND", "-signed_total")} as "refundedGross"
      from operations where organization_id = $1 and status = 'FISCALIZED' and invoice_type in ('NORMAL', 'ADVANCE')`, [stage.shop.organizationId])
  const tax = sheet("Promet po stopama").sum("Neto promet: porez")
  return { sales: "", refunds: "", soldGross: "0", refundedGross: "0", ...row, tax, base: sheet("Promet po stopama").sum("Neto promet: osnovica") }
}

let workbook: Uint8Array
let disposition: string

beforeAll(async () => {
  await fillMonth(stage)
  ;({ bytes: workbook, disposition } = await downloadBook(stage))
}, 120_000)

const sheet = (name: string) => {
  const [titles, ...rows] = Result.getOrThrow(readWorkbook(workbook, 10_000, name)).rows.map(({ cells }) => cells)
  const column = (title: string) => rows.map((cells) => cells[titles?.indexOf(title) ?? -1] ?? "")
  return { rows, sum: (title: string) => formatDecimal(BigDecimal.sumAll(column(title).filter((text) => text !== "").map(decimal)), 2), column }
}

describe("the month of a bookkeeper", () => {
  it("the list, the rates and the payments each sum to what the V-PFR signed", async () => {
    const total = formatDecimal(decimal(await signed()), 2)
    assert.strictEqual(sheet("Spisak računa").sum("Iznos"), total)
    assert.strictEqual(sheet("Promet po stopama").sum("Neto promet: sa porezom"), total)
    assert.strictEqual(sheet("Plaćanja").sum("Neto promet"), total)
    assert.strictEqual(sheet("KIR").sum("Ukupno sa porezom"), total)
    assert.strictEqual(sheet("KPO").sum("Svega prihod"), total)
  })

  it("sales and refunds stand apart, copies on a sheet of their own", () => {
    assert.strictEqual(sheet("Promet po stopama").sum("Refundacije: sa porezom"), "-4251.50")
    assert.lengthOf(sheet("Spisak računa").rows.filter((cells) => cells[3] === "refundacija"), 2)
    assert.lengthOf(sheet("Predračuni").rows, 0)
  })

  it("the advance that is open at its end is told with what was paid, and is in 3.9 of the VAT overview", () => {
    assert.deepStrictEqual(sheet("Otvoreni avansi").column("Uplaćeno, otvoreno"), ["500"])
    const { rows } = sheet("POPDV")
    assert.deepStrictEqual(rows.map(([row]) => row), ["3.2", "3.6", "3.8", "3.9", "3.10"])
  })

  it("the sale that closes an advance names the refund of the advance, and the part of it that was paid in advance", () => {
    const { column } = sheet("Spisak računa")
    const [at = -1] = column("Iznos").flatMap((amount, row) => amount === "900" ? [row] : [])
    const refund = column("Broj")[column("Iznos").findIndex((amount) => amount === "-500")]
    assert.isNotEmpty(refund)
    assert.strictEqual(column("Broj originala")[at], refund)
    const fromAdvance = sheet("Plaćanja").rows.find((cells) => cells[1] === "Iz avansa")
    assert.strictEqual(fromAdvance?.[2], "500")
  })

  it("has dates as dates, amounts as numbers and no formula", () => {
    const times = sheet("Spisak računa").column("Vreme")
    // Days since the end of 1899.
    assert.isTrue(times.every((time) => Number(time) > 46_000 && Number(time) < 80_000), times.join())
    assert.include(sheet("Spisak računa").column("Oznaka prodavnice"), "=1+1")
    assert.match(disposition, new RegExp(`filename="[a-z0-9-]+-\\d{9}-${month}\\.xlsx"`))
  })

  it("as CSV for Excel in Serbia: semicolons, decimal commas, and the same sum", async () => {
    const { text } = await client.get(address("/books/csv", "&headings=en"), { session: await stage.session(stage.people.ACCOUNTANT) })
    const [head = "", ...lines] = text.replace(/^\uFEFF/, "").trimEnd().split("\r\n")
    const at = head.split(";").indexOf("Amount")
    const amounts = lines.map((line) => (line.split(";")[at] ?? "").replaceAll("\"", ""))
    assert.isTrue(amounts.every((it) => /^-?\d+,\d{2}$/.test(it)), amounts.join())
    assert.strictEqual(formatDecimal(BigDecimal.sumAll(amounts.map((it) => decimal(it.replace(",", ".")))), 2), formatDecimal(decimal(await signed()), 2))
    assert.include(text, "'=1+1")
  })

  it("as PDF to sign, in each language: the taxpayer, the same sums, a line for the signature, and the same bytes again", async () => {
    const session = await stage.session(stage.people.ACCOUNTANT)
    const net = printed(await signed())
    const load = async (language: string) => {
      const answer = await fetch(`${client.origin}/o/${stage.shop.organizationId}/sandbox${address("/books/pdf")}`, { headers: { cookie: `overa-session=${session}; overa-language=${language}` } })
      assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "application/pdf"])
      assert.match(answer.headers.get("content-disposition") ?? "", new RegExp(`^attachment; filename="[a-z0-9-]+-\\d{9}-${month}\\.pdf"`))
      return new Uint8Array(await answer.arrayBuffer())
    }
    const sides = await signedSides()
    for (const [language, words, totalOf] of [["sr-Cyrl", ["Преглед промета", "Одговорно лице", "Књижара Зора"], ["Укупно", "Укупно нето"]], ["sr-Latn", ["Pregled prometa", "Odgovorno lice", "Књижара Зора"], ["Ukupno", "Ukupno neto"]], ["en", ["Turnover of", "Responsible person", "Net turnover"], ["Total", "Net in all"]]] as const) {
      const bytes = await load(language)
      const pdf = await readPdf(bytes)
      const text = pdf.pieces.map((piece) => piece.text).join(" ")
      for (const word of [...words, net, "100000049", "-4.251,50", "3.9"]) assert.include(text, word, language)
      const lines = pdfLines(pdf)
      assert.include(lines, [totalOf[0], sides.sales, printed(sides.soldGross), sides.refunds, printed(sides.refundedGross), net].join(" "), language)
      assert.include(lines, [totalOf[1], printed(sides.base), printed(sides.tax), net].join(" "), language)
      assert.deepStrictEqual(await load(language), bytes)
    }
  })

  it("the page tells the same net; another organization's taxpayer is not found", async () => {
    const session = await stage.session(stage.people.ACCOUNTANT)
    const net = printed(await signed())
    assert.include((await client.get(address("/books"), { session })).text, net)
    for (const path of ["/books", "/books/xlsx", "/books/csv", "/books/pdf"]) {
      assert.strictEqual((await client.get(address(path), { session: await stage.session(stage.people.OTHER) })).status, 404, path)
      assert.strictEqual((await client.get(address(path).replace(month, "2026-13"), { session })).status, 404, path)
    }
  })
})
