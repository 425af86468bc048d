import { readFileSync } from "node:fs"
import { blocksOf } from "../../contract-tests/outside/guides/guidePage.ts"
import { programIn } from "../guidePrograms/section.ts"
import { stories } from "../guidePrograms/stories/index.ts"
import { filesOf } from "../sourceTree.ts"

/** A program that a page shows, in TypeScript or JavaScript. */
export interface Sample {
  readonly page: string
  /** Its place among the programs of the page. */
  readonly at: number
  readonly code: string
}

const languages = new Set(["ts", "js", "mjs", "cjs", "tsx", "jsx", "typescript", "javascript"])

export const samplesOf = (page: string): ReadonlyArray<Sample> =>
  blocksOf(readFileSync(page, "utf8")).filter(({ language }) => languages.has(language)).map(({ code }, at) => ({ page, at, code }))

/** Every sample that a reader of the project can copy: READMEs, guides and the rest of the documentation. */
export const everySample = (): ReadonlyArray<Sample> => filesOf("*.md", "**/README.md", "docs/**/*.md").flatMap(({ path }) => samplesOf(path))

/** A file of the reader's project: samples, and what a page leaves to its reader around them. */
export interface Program {
  readonly file: string
  readonly parts: ReadonlyArray<string | { readonly page: string; readonly at: number }>
}

const orderValues = `
const taxpayerId = process.env["TAXPAYER"] ?? "", businessPremiseId = process.env["PREMISE"] ?? ""
let progress: OrderProgress | null = null
const memory: OrderMemory = {
  begin: async (key) => progress ??= { key, documentId: null },
  watch: async (key, documentId) => { progress = { key, documentId } },
  forget: async () => { progress = null }
}
const lines = [{ name: "Чарапе", unit: "пар", quantity: 2, price: 450, label: "A" }]
const issued = await fiscalize({ number: "ORDER-1", taxpayerId, premiseId: businessPremiseId, lines, total: 900 }, memory)
if (typeof issued === "string") throw new Error(issued)
const fiscalDocumentId = issued.id
const sale: Parameters<typeof overa.dryRun>[0] = {
  taxpayerId, businessPremiseId, clientReference: "ORDER-2", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web" },
  items: [{ name: "Чарапе", unitOfMeasure: "пар", quantity: 2, unitPrice: 450, taxLabels: ["A"] }], payments: [{ type: "CARD", amount: 900 }]
}
`

const orderPlaced = `
const overa = new Client({
  baseUrl: process.env["OVERA_URL"] ?? "", authUrl: process.env["OVERA_AUTH_URL"] ?? "", clientId: process.env["OVERA_CLIENT_ID"] ?? "", clientSecret: process.env["OVERA_CLIENT_SECRET"] ?? ""
})
const settings: Settings = {
  shop: "samples", taxpayerId: process.env["TAXPAYER"] ?? "", businessPremiseId: process.env["PREMISE"] ?? "", cashier: { id: "web" },
  environment: "sandbox", prepaidDue: "paid", cashOnDeliveryDue: "shipped"
}
const events: ReadonlyArray<OrderEvent> = [
  { id: "placed", type: "placed", order: { number: "ORDER-3", pricesIncludeTax: true, total: 290, discounts: [{ amount: 10 }],
    lines: [{ id: "1", name: "Чарапе", unit: "пар", quantity: 3, unitPrice: 100, taxLabels: ["A"] }] } },
  { id: "paid", type: "paid", payments: [{ type: "CARD", amount: 290 }] }
]
let kept: OrderProgress = {}
const remarks = await sendDue(overa, settings, { events, progress: kept, keep: async (progress) => { kept = progress } })
`

const previewValues = `
import type { PreviewFacts } from "@overa/domain/documents"
import { Dinars, Quantity } from "@overa/domain/money"
import { BigDecimal } from "effect"
const decimal = BigDecimal.fromStringUnsafe
const content: PreviewFacts["content"] = {
  invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "web", displayName: null }, buyer: null, reference: null, dateAndTimeOfIssue: null, esirNumber: "1234/1.0",
  payments: [{ type: "CARD", amount: Dinars.make(decimal("900")) }],
  items: [{
    name: "Чарапе", unitOfMeasure: "пар", gtin: null, catalogProductId: null, quantity: Quantity.make(decimal("2")), unitPrice: Dinars.make(decimal("450")),
    unitPriceBeforeDiscount: null, taxLabels: ["A"], originalLineIndex: null
  }]
}
const seller = null, taxRates = null
`

/** Each sample's program in a project with the packages installed; what a sample prints shows that it ran. */
export const programs: ReadonlyArray<Program> = [
  { file: "receipt.ts", parts: [{ page: "domain/README.md", at: 0 }] },
  { file: "host.ts", parts: [{ page: "domain/README.md", at: 1 }] },
  {
    file: "shop.ts",
    parts: [
      { page: "client/README.md", at: 0 }, 'import type { OrderProgress } from "@overa/client"', orderValues, { page: "client/README.md", at: 1 },
      { page: "docs/guides/journal.md", at: 0 }, { page: "docs/guides/dry-run.md", at: 1 },
      "console.log(issued.status, rates.labels.length > 0, pdf.length > 0, preview.totalAmount)"
    ]
  },
  {
    file: "orders.ts",
    parts: [
      { page: "orders/README.md", at: 0 }, 'import { OveraClient as Client } from "@overa/client"', orderPlaced, "console.log(kept[\"sale\"]?.isDone, remarks)"
    ]
  },
  { file: "preview.ts", parts: [previewValues, { page: "docs/guides/dry-run.md", at: 0 }, "console.log(BigDecimal.format(totalAmount), taxes, journalPreview)"] },
  { file: "check.ts", parts: [{ page: "verify/README.md", at: 0 }] },
  { file: "MyStores.ts", parts: ['export { layerStores as layer } from "@overa/adapter-memory"'] },
  { file: "stores.test.ts", parts: [{ page: "contract-tests/store-contracts/README.md", at: 0 }] },
  { file: "rounding.ts", parts: [0, 1, 2, 3].map((at) => ({ page: "docs/guides/rounding.md", at })) },
  { file: "receiver.ts", parts: [{ page: "docs/guides/events.md", at: 1 }] },
  { file: "simulator.ts", parts: ['const requestId = "1"', { page: "hosts/vpfr-simulator/README.md", at: 0 }, "console.log(element.jid.length)"] }
]

const placeOf = (page: string): number => samplesOf(page).findIndex(({ code }) => code === programIn(readFileSync(page, "utf8"), "ts"))

/** The programs of the guides, each with what its page shows that it prints. */
export const guidePrograms: ReadonlyArray<Program & { readonly prints: string; readonly credential: "management" | null }> = stories.map(({ credential = null, guide, prints }) => {
  const page = `docs/guides/${guide}.md`
  return { file: `guide-${guide}.ts`, parts: [{ page, at: placeOf(page) }], prints, credential }
})

/** Samples for those who work in the checkout itself: no package has what they import. */
export const inCheckout: ReadonlySet<string> = new Set(["hosts/portal/README.md#0"])

const codeOf = (part: Program["parts"][number]): string => typeof part === "string" ? part : samplesOf(part.page)[part.at]?.code ?? ""

export const textOf = ({ parts }: Program): string => `${parts.map(codeOf).join("\n")}\n`
