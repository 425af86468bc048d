import { composeLayout, draw, logoBitmap } from "@overa/adapter-renderers"
import { type Branding, type BrandingLogo, logoFault, type Receipt } from "@overa/domain"
import { BigDecimal } from "effect"
import { PNG } from "pngjs"
import { describe, expect, it } from "vitest"
import { decodeQr, greyOfPng } from "../../src/support/decodeQr.ts"
import { pdfLines, readPdf } from "../../src/support/pdfText.ts"
import { sampleBranding, sampleBuyerDetails, sampleItem, sampleLogo, sampleReceipt } from "../../src/support/sampleReceipts.ts"

const decimal = BigDecimal.fromStringUnsafe
const papers = ["a4", "80mm", "58mm"] as const

const pdfOf = async (receipt: Receipt, paper: (typeof papers)[number], branding: Branding | null = sampleBranding()) => {
  const { bytes, missing } = await draw({ layout: composeLayout(receipt, branding), paper, output: "pdf" })
  return { read: await readPdf(bytes), missing }
}

const joined = (lines: ReadonlyArray<string>): string => lines.join("").replaceAll(" ", "")

const longName = "Ултрамаринскоплави ".repeat(107) + "крајназива"
const widest = "Шљ".repeat(1_024)

/** The widest, longest and most: 200 lines, 50 payments, the longest names and texts. */
const giant = () =>
  sampleReceipt("NORMAL", "SALE", {
    items: Array.from({ length: 200 }, (_, index) =>
      sampleItem(index === 3 ? longName : index === 4 ? widest.slice(0, 2_040) : `Артикал број ${index}`, "ком", "99999999999.999", "0.01", "Ђ", {
        gtin: "12345678901234",
        before: "999999999999.99"
      })),
    payments: Array.from({ length: 50 }, (_, index) => ({ type: index % 2 === 0 ? "CARD" as const : "OTHER" as const, amount: decimal("1.00") })),
    buyer: { id: "12:101670560:54321", optionalField: `30:${"9".repeat(47)}` },
    buyerDetails: { ...sampleBuyerDetails, legalName: "Ж".repeat(350), address: "Ш ".repeat(150), city: "Ђ".repeat(100) },
    commercialFooter: "Ред\n".repeat(400) + "Крај."
  })

describe("The largest receipt is drawn whole (Decisions §1, Bounds)", () => {
  it.each(papers)("on %s", async (paper) => {
    const { read } = await pdfOf(giant(), paper)
    const lines = pdfLines(read)
    const text = joined(lines)
    expect(text).toContain("крајназива")
    expect(text).toContain("Артикалброј199")
    expect(lines.filter((line) => line === "Ред")).toHaveLength(400)
    expect(lines.filter((line) => /^(Платна картица|Друго безготовинско)/.test(line))).toHaveLength(50)
    expect(text).toContain("Видимосеускоро.")
    expect(Math.max(...read.pages.map(({ height }) => height))).toBeLessThanOrEqual(14_400)
    for (const { x } of read.pieces) expect(x).toBeGreaterThan(0)
  })

  it("and its preview shows all of it", async () => {
    const receipt = giant()
    const { bytes } = await draw({ layout: composeLayout(receipt, null), paper: "58mm", output: "png" })
    const { height, width } = greyOfPng(bytes)
    expect(width).toBe(384)
    expect(height).toBeGreaterThan(10_000)
  })

  it("every text stays between the edges of the paper", async () => {
    const receipt = sampleReceipt("NORMAL", "SALE", {
      commercialFooter: "W".repeat(2_000),
      buyer: { id: "10:101670560", optionalField: null },
      buyerDetails: { ...sampleBuyerDetails, legalName: "Щ".repeat(350) }
    })
    for (const paper of papers) {
      const { bytes } = await draw({ layout: composeLayout(receipt, null), paper, output: "png" })
      const { data, height, width } = greyOfPng(bytes)
      for (let y = 0; y < height; y++) expect([data[y * width], data[y * width + width - 1]]).toEqual([255, 255])
    }
  })
})

describe("No character breaks a receipt", () => {
  const texts = [
    "😀👨‍👩‍👧‍👦🇷🇸 ☃️", "漢字 かな 한국어", "العربية עברית", "a\u0301\u0308e\u030C z\u0327", "\u{10FFFF}\u{E0001}", "ﬁ ﬄ Ǆ ǆ Ǳ", "\u200B\u200D\u2060\uFEFF", "<&>\"'()\\%"
  ]
  it.each(texts)("%j is drawn or replaced visibly, in the journal and around it", async (text) => {
    const receipt = sampleReceipt("NORMAL", "SALE", {
      items: [sampleItem(`A${text}Z`, "ком", "1", "10.00", "Ђ", { gtin: "12345678" })],
      commercialFooter: `A${text}Z`
    })
    const branded = { logo: null, contactLines: [`A${text}Z`], thankYouNote: `A${text}Z` }
    for (const paper of papers) {
      const { missing, read } = await pdfOf(receipt, paper, branded)
      expect(pdfLines(read).filter((line) => line.includes("A") && line.includes("Z")).length).toBeGreaterThanOrEqual(4)
      const named = new Set([...text].map((character) => character.codePointAt(0)))
      expect(missing.every((codePoint) => named.has(codePoint))).toBe(true)
    }
  })

  it("the author's name is escaped where the PDF's XML needs it, and only there", async () => {
    const receipt = sampleReceipt("NORMAL", "SALE")
    const answer = { ...receipt.answer, businessName: "Зора & синови <д.о.о.>" }
    const { bytes } = await draw({ layout: composeLayout({ ...receipt, answer }, null), paper: "80mm", output: "pdf" })
    const { info } = await readPdf(bytes)
    expect(info["Author"]).toBe("Зора & синови <д.о.о.>")
    expect(Buffer.from(bytes).toString("utf8")).toContain("Зора &amp; синови &lt;д.о.о.&gt;")
  })

  it("a journal without any rule keeps its text and still gets its QR code", async () => {
    const receipt = sampleReceipt("NORMAL", "SALE", { journal: "FISCAL RECEIPT\nno rule here", brandingId: null, commercialFooter: null })
    const { read } = await pdfOf(receipt, "80mm", null)
    expect(pdfLines(read).slice(0, 2)).toEqual(["FISCAL RECEIPT", "no rule here"])
    const { bytes } = await draw({ layout: composeLayout(receipt, null), paper: "80mm", output: "png" })
    expect(decodeQr(greyOfPng(bytes))).toBe(receipt.answer.pfr.verificationUrl)
  })
})

const pngLogo = (width: number, height: number): Uint8Array => {
  const picture = new (PNG as unknown as new(size: { width: number; height: number }) => { data: Buffer })({ width, height })
  for (let at = 0; at < picture.data.length; at += 4) picture.data.set([200, 40, 40, (at / 4) % 256], at)
  return (PNG.sync as unknown as { write(picture: unknown): Uint8Array }).write(picture)
}

// A 4 × 2 baseline JPEG, all one grey.
const jpegLogo = Buffer.from(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAACAAQBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  "base64"
)

describe("A logo is a PNG, a JPEG or an SVG within bounds", () => {
  it.each([
    ["image/png", pngLogo(300, 90)],
    ["image/jpeg", new Uint8Array(jpegLogo)],
    ["image/svg+xml", sampleLogo().bytes]
  ] as const)("%s is drawn on every paper", async (mediaType, bytes) => {
    expect(logoFault({ mediaType, bytes })).toBeNull()
    const logo = await logoBitmap({ mediaType, bytes })
    for (const paper of papers) {
      const { read } = await pdfOf(sampleReceipt("NORMAL", "SALE"), paper, { logo, contactLines: [], thankYouNote: null })
      expect(read.pages[0]?.roles.filter((role) => role === "Figure")).toHaveLength(2)
    }
  })

  it("the sample's bitmap is what its drawing becomes, and becomes itself", async () => {
    const bytesOf = (logo: BrandingLogo | null | undefined) => Buffer.from(logo?.bytes ?? [])
    const bitmap = await logoBitmap(sampleLogo())
    expect(bytesOf(bitmap).equals(bytesOf(sampleBranding().logo))).toBe(true)
    expect(bytesOf(bitmap === null ? null : await logoBitmap(bitmap)).equals(bytesOf(bitmap))).toBe(true)
  })

  it("a file as it came is never drawn", async () => {
    const layout = composeLayout(sampleReceipt("NORMAL", "SALE"), { logo: sampleLogo(), contactLines: ["Зора"], thankYouNote: null })
    const without = composeLayout(sampleReceipt("NORMAL", "SALE"), { logo: null, contactLines: ["Зора"], thankYouNote: null })
    const [given, bare] = await Promise.all([layout, without].map((each) => draw({ layout: each, paper: "80mm", output: "pdf" })))
    expect(Math.abs((given?.bytes.length ?? 0) - (bare?.bytes.length ?? 0))).toBeLessThan(1_000)
  })

  it("a broken one is none", async () => {
    const broken = pngLogo(300, 90)
    broken.fill(7, 60, 120)
    const half = new TextEncoder().encode(`<svg viewBox="0 0 10 10"><path d="M`)
    expect(await logoBitmap({ mediaType: "image/png", bytes: broken })).toBeNull()
    expect(await logoBitmap({ mediaType: "image/jpeg", bytes: broken })).toBeNull()
    // The library draws nothing of half a drawing; the receipt then has an empty place, and nothing else changes.
    const drawn = await logoBitmap({ mediaType: "image/svg+xml", bytes: half })
    expect(drawn === null || drawn.bytes.length < 10_000).toBe(true)
  })

  const svg = (body: string) => new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${body}</svg>`)
  it.each([
    ["a file outside it", svg(`<image href="file:///etc/passwd"/>`)],
    ["a script", svg("<script>1</script>")],
    ["text that needs a font", svg("<text>a</text>")],
    ["an entity", new TextEncoder().encode(`<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>`)],
    ["a link in a style", svg(`<path style="fill:url(http://example.org/a)"/>`)],
    ["an event", svg(`<path onload="1"/>`)]
  ])("an SVG with %s is refused", (_, bytes) => {
    expect(logoFault({ mediaType: "image/svg+xml", bytes })).toMatch(/^an SVG logo must/)
  })

  it.each([
    ["no picture", "image/png" as const, new Uint8Array(64)],
    ["too many pixels", "image/png" as const, pngLogo(2_001, 1)],
    ["too many bytes", "image/png" as const, new Uint8Array(262_145)],
    ["a PNG called JPEG", "image/jpeg" as const, pngLogo(2, 2)]
  ])("%s is refused", (_, mediaType, bytes) => {
    expect(logoFault({ mediaType, bytes })).toMatch(/logo/)
  })
})
