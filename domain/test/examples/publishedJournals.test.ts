import { BigDecimal, Result } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { formatDecimal } from "@overa/domain"
import { type PrintedReceipt, readJournal } from "../../src/receipt-text/readJournal.ts"
import { decodeVerificationLink, invoiceNumberOf } from "../../src/verification/VerificationLink.ts"
import { kindOfCounterExtension } from "../../src/verification/pfrCodes.ts"
import { saleAnswerText } from "./verificationVectors.ts"

const published = (name: string): string => readFileSync(new URL(`./published/${name}`, import.meta.url), "utf8")
const journals = Object.entries(JSON.parse(published("journals.json")) as Record<string, ReadonlyArray<string>>)
  .map(([name, lines]) => [name, lines.join("\n")] as const)
const linkOf = new Map(published("links.tsv").trimEnd().split("\n").slice(1).map((row) => row.split("\t")).map(([number = "", , , , url = ""]) => [number, url]))

/** Its source has a sign of markup behind the last line. */
const cutBadly = "turanjanin-15"
const textOf = (name: string, text: string): string => name === cutBadly ? text.trimEnd().replace(/<$/, "") : text
const read = (text: string, from: "ANSWER" | "PAGE" = "PAGE"): PrintedReceipt => Result.getOrThrow(readJournal(text, from))
const whyNot = (text: string): string => {
  const result = readJournal(text)
  return Result.isFailure(result) ? `line ${result.failure.line}: ${result.failure.reason}` : "read"
}

const sum = (amounts: ReadonlyArray<BigDecimal.BigDecimal>) => amounts.reduce(BigDecimal.sum, BigDecimal.make(0n, 0))
const shown = (amount: BigDecimal.BigDecimal) => formatDecimal(amount, 2)

describe("receipts that others have published, read line by line", () => {
  it.each(journals)("%s adds up and names itself alike in every place", (name, text) => {
    const receipt = read(textOf(name, text))
    const [ofKind, total, mark = ""] = /^(\d+)\/(\d+)(\D+)$/.exec(receipt.counter)?.slice(1) ?? []
    expect(shown(sum(receipt.items.map(({ amount }) => amount)))).toBe(shown(receipt.total))
    expect(shown(sum(receipt.taxes.map(({ amount }) => amount)))).toBe(shown(receipt.totalTax))
    expect(BigDecimal.isGreaterThanOrEqualTo(sum(receipt.payments.map(({ amount }) => amount)), receipt.total)).toBe(true)
    expect(receipt.invoiceNumber).toMatch(new RegExp(`^[0-9A-Z]{8}-[0-9A-Z]{8}-${total}$`))
    expect(Number(ofKind)).toBeLessThanOrEqual(Number(total))
    expect(kindOfCounterExtension(mark)).toEqual({ invoiceType: receipt.invoiceType, transactionType: receipt.transactionType })
    expect(receipt.seller.length).toBeGreaterThanOrEqual(5)
    expect(receipt.taxes.map(({ label }) => label).sort()).toEqual([...new Set(receipt.items.flatMap(({ labels }) => labels))].sort())
  })

  it("where the link is published too, number, counters, amount, kind and time are the link's", () => {
    const both = journals.flatMap(([name, text]) => {
      const receipt = read(textOf(name, text))
      const url = linkOf.get(receipt.invoiceNumber)
      return url === undefined ? [] : [{ receipt, link: Result.getOrThrow(decodeVerificationLink(url)) }]
    })
    expect(both.length).toBe(4)
    for (const { link, receipt } of both) {
      expect(receipt.invoiceNumber).toBe(invoiceNumberOf(link))
      expect(receipt.counter).toMatch(new RegExp(`^${link.transactionTypeCounter}/${link.totalCounter}\\D+$`))
      expect(shown(receipt.total)).toBe(shown(link.totalAmount))
      expect([receipt.invoiceType, receipt.transactionType]).toEqual([link.invoiceType, link.transactionType])
      const belgrade = new Date(link.sdcTimeMillis).toLocaleString("sv-SE", { timeZone: "Europe/Belgrade" })
      expect(receipt.pfrTime).toBe(belgrade.replace(/^(\d+)-(\d+)-(\d+) 0?(.*)$/, "$3.$2.$1. $4"))
    }
  })

  it("the page's escapes are undone where the text comes from the page, and a name cut by them is whole again", () => {
    const [, page = ""] = journals.find(([name]) => name.startsWith("Drag0nSigh")) ?? []
    expect(read(page).items[5]?.name).toBe("GOLF BELT DARK GREEN & ASPHALT BLUE XL/2XL / Kom.")
    expect(read(page, "ANSWER").items[5]?.name).toBe("GOLF BELT DARK GREEN &amp; ASPHALT BLUE XL/2XL / Kom.")
    expect(read(page).items[0]?.name).toBe("ČARAPE EKIDEN 3 PARA CRNE UK 5.5-8 - EU 39-42 / Kom.")
    expect(read(page).payments.map(({ amount, type }) => `${type} ${shown(amount)}`)).toEqual(["CASH 9050.00", "CASH 6.00"])
  })

  it("the header of the sandbox of 2022, with keys, and its line of change", () => {
    const [relayed] = JSON.parse(published("answers/relayed-by-an-esir.json")) as ReadonlyArray<{ readonly journal: string }>
    const receipt = read(relayed?.journal ?? "", "ANSWER")
    expect(receipt.seller).toEqual(["112591486", "Loads King", "Loads King", "Mlatisumina 5.", "Врачар"])
    expect(receipt.change === null ? null : shown(receipt.change)).toBe("0.00")
    expect(receipt.items[1]?.name).toBe("GREEN FIT BILJNE KAPI ZA MRŠAVLJENJE 2+1 GRATIS (Kom.)")
    expect(read((JSON.parse(published("answers/public-check.json")) as { journal: string }).journal).invoiceNumber).toBe("VBMHX9SX-W6UBPZO0-76722")
  })

  it.each(["sale", "copy"])("a %s of Republika Srpska is refused at its first line: other words, 38 columns", (kind) => {
    const { journal } = JSON.parse(published(`answers/republika-srpska-${kind}.json`)) as { journal: string }
    expect(whyNot(journal)).toMatch(/^line 1: "=+ (ОВО НИЈЕ )?ФИСКАЛНИ РАЧУН =+" begins no receipt of Serbia$/)
  })

  it("a text with markup behind its end is refused, and the line is named", () => {
    expect(whyNot(journals.find(([name]) => name === cutBadly)?.[1] ?? "")).toBe(
      'line 42: "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========" was expected, and it is "======== КРАЈ ФИСКАЛНОГ РАЧУНА =========<"'
    )
  })
})

const { journal: sandbox } = JSON.parse(saleAnswerText) as { readonly journal: string }

describe("what is not in its place", () => {
  it.each([
    ["nothing", "", 'line 1: "" begins no receipt of Serbia'],
    ["another frame", sandbox.replace("============ ФИСКАЛНИ РАЧУН ============", "ФИСКАЛНИ РАЧУН"), 'line 1: "ФИСКАЛНИ РАЧУН" begins no receipt of Serbia'],
    ["no kind", sandbox.replace("ПРОМЕТ ПРОДАЈА", "ПРОМЕТ НАБАВКА"), 'line 12: "-------------ПРОМЕТ НАБАВКА-------------" names no kind of receipt'],
    ["no head", sandbox.replace("Артикли\r\n", ""), 'line 13: "Артикли" was expected, and it is "========================================"'],
    ["an item without label", sandbox.replace("Blue (A)", "Blue    "), 'line 16: "Sport-100 Helmet, Blue                          34,23          2           68,46" is no item with its labels'],
    ["an item without its amounts", sandbox.replace("        34,23          2           68,46\r\n", ""), 'line 17: "----------------------------------------" is no price, quantity and amount'],
    ["an amount that is none", sandbox.replace("износ:                      68,46", "износ:                     6.8,46"), 'line 19: "6.8,46" behind Укупан износ: is no amount'],
    ["the total of a refund in a sale", sandbox.replace("Укупан износ: ", "Укупна рефундација: "), 'line 19: Укупан износ: was expected, and it is "Укупна рефундација:                      68,46"'],
    ["an unknown payment", sandbox.replace("Готовина:", "Злато:"), 'line 20: "Злато:                          68,46" is no payment'],
    ["no tax", sandbox.replace("9,00%", "9,00"), 'line 23: "A             VAT    9,00          5,65" is no tax'],
    ["a tax that is cut off", sandbox.slice(0, sandbox.indexOf("A             VAT")), 'line 23: "the end" is no tax'],
    ["items without an end", sandbox.slice(0, sandbox.indexOf("----------------------------------------")), 'line 18: "" is no item with its labels'],
    ["payments without an end", sandbox.slice(0, sandbox.indexOf("Готовина")), 'line 20: "the end" is no payment'],
    ["no number", sandbox.replace("ПФР број рачуна:", "Број:"), 'line 28: ПФР број рачуна: was expected, and it is "Број: YJLQTEQR-YJLQTEQR-11389"'],
    ["a name of half a million letters", sandbox.replace("Sport-100", "x".repeat(500_000)), `line 16: "${"x".repeat(160)}…" is no item with its labels`],
    ["more behind the end", `${sandbox}Хвала\r\n`, 'line 32: "Хвала" stands behind the last line']
  ])("%s is named with its line", (_, text, reason) => {
    expect(whyNot(text)).toBe(reason)
  })
})
