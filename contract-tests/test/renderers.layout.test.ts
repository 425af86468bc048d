import { composeLayout, draw } from "@overa/adapter-renderers"
import type { Receipt } from "@overa/domain"
import { BigDecimal } from "effect"
import { describe, expect, it } from "vitest"
import { pdfColumns, pdfLines, readPdf } from "../src/support/pdfText.ts"
import { sampleKinds } from "../src/support/sampleKinds.ts"
import { sampleBranding, sampleBuyerDetails, sampleItem, sampleReceipt } from "../src/support/sampleReceipts.ts"

const dot = 72 / 203
const papers = [
  ["a4", { x: (595.28 - 40 * 5.65) / 2, advance: 5.65 }],
  ["80mm", { x: 8 * dot, advance: 14 * dot }],
  ["58mm", { x: 2 * dot, advance: 9.5 * dot }]
] as const
const notice = "ОВО НИЈЕ ФИСКАЛНИ РАЧУН"

const pdfOf = async (receipt: Receipt, paper: "a4" | "80mm" | "58mm") => {
  const { bytes } = await draw({ layout: composeLayout(receipt, sampleBranding()), paper, output: "pdf" })
  return await readPdf(bytes)
}

/** The journal without the line set at double size, which is not in the columns. */
const columnLines = (journal: string): ReadonlyArray<string> =>
  journal.split("\r\n").map((line) => line.trimEnd()).filter((line) => line !== "" && line.trim() !== notice)

/** Whether `wanted` occurs in `lines` in order, and where each line is. */
const placesOf = (lines: ReadonlyArray<string>, wanted: ReadonlyArray<string>): ReadonlyArray<number> => {
  let from = 0
  return wanted.map((line) => {
    const at = lines.indexOf(line, from)
    from = at + 1
    return at
  })
}

describe("The fiscal part is the journal, unchanged, character for character and in order (Decisions §6)", () => {
  describe.each(papers)("on %s", (paper, grid) => {
    it.each(Object.keys(sampleKinds))("for a %s", async (kind) => {
      const receipt = sampleKinds[kind]?.() ?? sampleReceipt("NORMAL", "SALE")
      const lines = pdfColumns(await pdfOf(receipt, paper), grid).map((line) => line.trimEnd())
      expect(placesOf(lines, columnLines(receipt.answer.pfr.journal))).not.toContain(-1)
    })
  })
})

describe("Nothing of the journal is cut off at the edge of the paper", () => {
  const largest = "999.999.999.999,99"
  const journal = [
    "============ ФИСКАЛНИ РАЧУН ============", `Јахта/ком (Ђ)`, `  ${largest}  99.999.999.999,999  -${largest}`,
    `Друго безготовинско плаћање: ${largest}`, `Без размака: ${"9".repeat(90)}`, "=".repeat(40), "======== КРАЈ ФИСКАЛНОГ РАЧУНА ========="
  ].join("\r\n")
  const receipt = sampleReceipt("NORMAL", "SALE", { journal, commercialFooter: null, brandingId: null })

  it.each(["a4", "80mm", "58mm"] as const)("on %s, for the largest amounts and for lines without end", async (paper) => {
    const { bytes } = await draw({ layout: composeLayout(receipt, null), paper, output: "pdf" })
    const read = await readPdf(bytes)
    const text = read.pieces.map((piece) => piece.text).join("").replaceAll(" ", "")
    expect(text).toContain(`${largest}99.999.999.999,999-${largest}`)
    expect(text).toContain(`плаћање:${largest}`)
    expect(text).toContain("9".repeat(90))
    for (const { right, page } of read.pieces) expect(right).toBeLessThanOrEqual(read.pages[page - 1]?.width ?? 0)
  })

  it("the line for the customer's signature is as wide as the others", async () => {
    const block = composeLayout(sampleReceipt("COPY", "REFUND"), null).fiscalPart.find(({ kind }) => kind === "signature")
    expect(block).toEqual({ kind: "signature", text: `Потпис купца: ${"_".repeat(26)}` })
  })
})

describe("What is ours stands where the order on paper puts it (Decisions §6)", () => {
  /** Those of `wanted` with which a line begins, in the order of the lines. */
  const inOrder = (lines: ReadonlyArray<string>, wanted: ReadonlyArray<string>) => {
    const placed = wanted.map((start) => ({ start, at: lines.findIndex((line) => line.startsWith(start)) }))
    return placed.filter(({ at }) => at !== -1).toSorted((a, b) => a.at - b.at).map(({ start }) => start)
  }

  it.each(["a4", "80mm", "58mm"] as const)("buyer details directly under the buyer identification on %s", async (paper) => {
    const receipt = sampleReceipt("NORMAL", "SALE", { buyer: { id: "10:101670560", optionalField: null }, buyerDetails: sampleBuyerDetails })
    const lines = pdfLines(await pdfOf(receipt, paper))
    const at = lines.findIndex((line) => line.startsWith("ИД купца:"))
    expect(lines[at + 1]).toMatch(/^ПРИВРЕДНО ДРУШТВО/)
    const wanted = ["ИД купца:", "ПРИВРЕДНО ДРУШТВО", "Кнеза Милоша 10, Београд", "ПИБ 101670560 · МБ 17012345", "ЕСИР број:"]
    expect(inOrder(lines, wanted)).toEqual(wanted)
  })

  it.each(["a4", "80mm", "58mm"] as const)("header, fiscal part, and everything below the closing line on %s", async (paper) => {
    const receipt = sampleKinds["sale-closing-an-advance"]?.() ?? sampleReceipt("NORMAL", "SALE")
    const wanted = [
      "Књижара Зора", "============ ФИСКАЛНИ", "Бројач рачуна:", "======== КРАЈ", "Цене пре попуста", "GTIN", "Аванс",
      "Последњи авансни рачун", "Плаћено авансом", "ПДВ на аванс", "Преостало за плаћање", "Рок за рекламацију", "Хвала на куповини!"
    ]
    expect(inOrder(pdfLines(await pdfOf(receipt, paper)), wanted)).toEqual(wanted)
  })

  it.each(papers)("a footer that imitates a receipt under a title that says whose it is, on %s", async (paper, grid) => {
    const { answer } = sampleReceipt("NORMAL", "SALE")
    const imitation = answer.pfr.journal.replaceAll("\r", "").slice(0, 2_000)
    const { pieces } = await pdfOf(sampleReceipt("NORMAL", "SALE", { commercialFooter: imitation }), paper)
    const title = pieces.findIndex(({ text }) => text.startsWith("Порука"))
    const closing = pieces.findLastIndex(({ text }) => text.includes("Хвала"))
    const message = pieces.slice(title, closing)
    expect(message.map(({ text }) => text).join(" ").replaceAll(/\s+/g, " ")).toMatch(/^Порука продавца \(није део фискалног рачуна\) =+ ФИСКАЛНИ РАЧУН =+/)
    // The fiscal part is above it, complete; no line of the message begins at the journal's left edge: all begin after the bar.
    expect(pieces.slice(0, title).some(({ text }) => text.includes("КРАЈ"))).toBe(true)
    const lines = message.filter(({ text }) => !/Порука|фискалног|рачуна\)/.test(text))
    const left = Math.min(...lines.map(({ x }) => x))
    const edge = Math.min(...message.map(({ x }) => x))
    expect(left - edge).toBeGreaterThan(7)
    expect(Math.abs(left - grid.x)).toBeGreaterThan(3)
  })

  it.each(["a4", "80mm", "58mm"] as const)("the customer's signature between the last rule and the closing line on %s", async (paper) => {
    const lines = pdfLines(await pdfOf(sampleReceipt("COPY", "REFUND"), paper))
    const signature = lines.findIndex((line) => line.startsWith("Потпис купца: ____"))
    expect(lines[signature - 1]).toBe("=".repeat(40))
    expect(lines[signature + 1]).toBe("======== ОВО НИЈЕ ФИСКАЛНИ РАЧУН =======")
  })

  it.each([
    ["a copy of a cashless refund", () => sampleReceipt("COPY", "REFUND", { payments: [{ type: "CARD", amount: BigDecimal.fromStringUnsafe("9504.99") }] })],
    ["the refund itself", () => sampleReceipt("NORMAL", "REFUND")],
    ["a copy of a sale", () => sampleReceipt("COPY", "SALE")]
  ])("and no signature line on %s", async (_, sample) => {
    expect(pdfLines(await pdfOf(sample(), "80mm")).join("\n")).not.toContain("Потпис купца")
  })

  it.each([["80mm", 14 * dot], ["58mm", 9.5 * dot]] as const)("the notice at double size on two lines on %s", async (paper, advance) => {
    const { pieces } = await pdfOf(sampleReceipt("TRAINING", "SALE"), paper)
    const words = pieces.filter(({ text }) => text === "НИЈЕ" || text === "ФИСКАЛНИ")
    const gaps = words.flatMap((word, index) => {
      const next = words[index + 1]
      return word.text === "НИЈЕ" && next?.y === word.y ? [(next.x - word.x) / advance] : []
    })
    // Five characters apart, twice as wide only in the middle notice.
    expect(gaps.map((gap) => Math.round(gap))).toEqual([5, 10, 5])
  })

  it("rolls are one page of the printable width", async () => {
    for (const [paper, dots] of [["80mm", 576], ["58mm", 384]] as const) {
      const { pages } = await pdfOf(sampleReceipt("NORMAL", "SALE"), paper)
      expect(pages.map(({ width }) => Math.round(width / dot))).toEqual([dots])
    }
  })
})

describe("A PDF can be read by machines and by screen readers", () => {
  it("names itself, its language, its author and the time of signing", async () => {
    const { info } = await pdfOf(sampleReceipt("NORMAL", "SALE"), "a4")
    expect(info).toMatchObject({
      Title: "Фискални рачун ZRA8K2QW-ZRA8K2QW-1042",
      Author: "Књижара и галантерија Зора",
      Language: "sr-Cyrl-RS",
      CreationDate: "D:20260314080507Z"
    })
  })

  it("is tagged in reading order, tables as tables", async () => {
    const { pages } = await pdfOf(sampleReceipt("NORMAL", "SALE"), "80mm")
    const roles = pages[0]?.roles ?? []
    expect(roles[0]).toBe("Document")
    expect(roles.filter((role) => role === "Figure")).toHaveLength(2)
    expect(roles.join(" ")).toMatch(/H2 Table TR TD TD TR TD TD H2 Table TR TD TD TR TD TD H2 P P$/)
  })

  it("thirty items go on two pages of A4", async () => {
    const items = Array.from({ length: 30 }, (_, index) =>
      sampleItem(`Памучна мајица кратких рукава, број ${index}, црвена`, "ком", "1", "1290.00", "Ђ", index % 3 === 0 ? { gtin: "8600123456789", before: "1990.00" } : {}))
    const { pages } = await pdfOf(sampleReceipt("NORMAL", "SALE", { items, buyer: { id: "10:101670560", optionalField: null }, buyerDetails: sampleBuyerDetails }), "a4")
    expect(pages).toHaveLength(2)
  })

  it("numbers its pages from the second one", async () => {
    const items = Array.from({ length: 60 }, (_, index) => sampleItem(`Артикал ${index}`, "ком", "1", "10.00", "Ђ"))
    const { pages, pieces } = await pdfOf(sampleReceipt("NORMAL", "SALE", { items }), "a4")
    expect(pages.length).toBeGreaterThan(1)
    const feet = pages.map((_, index) => pieces.filter(({ page, y }) => page === index + 1 && y < 40).map(({ text }) => text).join(" "))
    expect(feet[0]).toBe("")
    expect(feet[1]).toContain(`страна 2 од ${pages.length}`)
  })
})
