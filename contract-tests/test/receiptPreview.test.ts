import { VpfrSellerDetails, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import {
  type DocumentContent, groupAt, PaymentType, previewReceipt, SellerDetails, type SignedAnswer, TaxAuthority, taxByLabel, type TaxRateGroup, TaxRates,
  totalAmount, writeJournal
} from "@overa/domain"
import { operations } from "@overa/rest-api"
import { BigDecimal, DateTime, Effect, Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { lineItem, saleContent } from "../src/support/documentContents.ts"
import { type IssuedElement, simulatedVpfr, type SimulatedVpfr } from "../src/support/simulatedVpfr.ts"

const openRuntime = (far: SimulatedVpfr) =>
  ManagedRuntime.make(Layer.mergeAll(VpfrTaxAuthority.layer, VpfrTaxRates.layer, VpfrSellerDetails.layer).pipe(Layer.provide(far.layer())))

const word = fc.string({ minLength: 1, maxLength: 70, unit: fc.constantFrom("а", "Ж", "š", "Đ", "x", " ", "7", "🙂", "/", "-", "\"") })
const line = fc.record({
  name: word,
  unitOfMeasure: fc.constantFrom("kom", "кг", "m²"),
  quantity: fc.integer({ min: 1, max: 5_000_000 }),
  unitPrice: fc.integer({ min: 0, max: 100_000_000 }),
  gtin: fc.option(fc.stringMatching(/^\d{8,14}$/)),
  taxLabels: fc.constantFrom(["A"], ["F"], ["N"], ["P"], ["E", "T"], ["P", "Ж"], ["B"], ["C"])
}).map(({ gtin, name, quantity, taxLabels, unitOfMeasure, unitPrice }): DocumentContent["items"][number] => ({
  ...lineItem({
    name,
    taxLabels,
    quantity: BigDecimal.format(BigDecimal.make(BigInt(quantity), 3)),
    unitPrice: BigDecimal.format(BigDecimal.make(BigInt(unitPrice), 2))
  }),
  unitOfMeasure,
  gtin
}))

const copyReference = {
  source: "EXTERNAL", fiscalDocumentId: null, pfrNumber: "ABCD1234-EFGH5678-15", pfrTime: "2026-08-29T09:05:00.1234567+02:00", invoiceType: "NORMAL", transactionType: "SALE"
} as const

/** Sales with everything that is printed, and copies of them. */
const document: fc.Arbitrary<DocumentContent> = fc.record({
  items: fc.array(line, { minLength: 1, maxLength: 5 }),
  types: fc.uniqueArray(fc.constantFrom(...PaymentType.literals), { minLength: 1, maxLength: 3 }),
  cashier: fc.stringMatching(/^[a-zA-Zа-ш0-9]{1,50}$/),
  buyer: fc.option(fc.constantFrom("10:100000008", "20:1234567", "11:0101990800084")),
  esirNumber: fc.constantFrom("", "157/1.0"),
  isCopy: fc.boolean()
}).map(({ buyer, cashier, esirNumber, isCopy, items, types }) => {
  const whole = totalAmount(items)
  const none = BigDecimal.fromBigInt(0n)
  return saleContent({
    items,
    payments: types.map((type, at) => ({ type, amount: at === 0 ? whole : none })),
    cashier: { id: cashier, displayName: null },
    buyer: buyer === null ? null : { id: buyer, optionalField: null } as DocumentContent["buyer"],
    esirNumber,
    ...(isCopy ? { invoiceType: "COPY", reference: copyReference } as const : {})
  })
})

const rule = `${"=".repeat(40)}\r\n`
const notice = `        ОВО НИЈЕ ФИСКАЛНИ РАЧУН         \r\n${rule}`
const frame = "===== ПРЕГЛЕД, НИЈЕ ФИСКАЛНИ РАЧУН =====\r\n"

/** The text within the frame up to the PFR time, without the notice that previews and copies have in the middle. */
const upToSigning = (journal: string): string => journal.slice(42, journal.indexOf("ПФР време:")).replace(notice, "")

describe("the text of a receipt before it is signed, beside what the simulated V-PFR signs over mutual TLS", () => {
  let far: SimulatedVpfr
  let shop: IssuedElement
  let runtime: ReturnType<typeof openRuntime>
  let rates: TaxRateGroup
  beforeAll(async () => {
    far = await simulatedVpfr()
    shop = await far.addElement()
    runtime = openRuntime(far)
    const { groups } = await runtime.runPromise(TaxRates.use((source) => source.fresh(far.tenant, shop.id)))
    rates = groupAt(groups, DateTime.nowUnsafe()) ?? expect.fail("no rates are in force")
  })
  afterAll(async () => {
    await runtime.dispose()
    await far.simulator.stop()
  })

  const sign = (content: DocumentContent): Promise<SignedAnswer> =>
    runtime.runPromise(Effect.gen(function*() {
      const authority = yield* TaxAuthority
      const { submit } = yield* authority.open({ tenant: far.tenant, elementId: shop.id, jid: shop.element.jid })
      const terms = { requestId: randomUUID().replaceAll("-", ""), firstByteWithinMillis: 10_000, callerGone: new AbortController().signal, submittedAt: yield* DateTime.now }
      const outcome = yield* submit({ content, taxRates: rates }, terms)
      if (outcome._tag !== "Signed") return expect.fail(JSON.stringify(outcome))
      expect(outcome.remarks).toEqual([])
      return outcome.answer
    }))
  const sellerOf = () => runtime.runPromise(SellerDetails.use((sellers) => sellers.ofElement(far.tenant.organizationId, shop.id)))

  it("differs only where it says that it is no receipt, and has the signed taxes to the fourth decimal", { timeout: 120_000 }, async () => {
    const seller = await sellerOf()
    await fc.assert(
      fc.asyncProperty(document, async (content) => {
        const preview = previewReceipt({ environment: "sandbox", content, seller, taxRates: rates })
        const { pfr, taxes } = await sign(content)
        const text = preview.journalPreview ?? ""
        expect(upToSigning(text)).toBe(upToSigning(pfr.journal))
        expect([text.startsWith(frame), text.endsWith(rule + frame), text.split(notice).length]).toEqual([true, true, 2])
        expect(text.slice(text.indexOf("ПФР време:"), -(rule.length + frame.length)).split("\r\n").map((line) => line.replace(/ {2,}/, " ")))
          .toEqual(["ПФР време: НИЈЕ ПОТПИСАНО", "ПФР број рачуна: НИЈЕ ПОТПИСАНО", "Бројач рачуна: НИЈЕ ПОТПИСАНО", ""])
        const amounts = (list: ReadonlyArray<{ readonly label: string; readonly amount: BigDecimal.BigDecimal }>) => list.map(({ amount, label }) => `${label} ${BigDecimal.format(amount)}`)
        expect(amounts(preview.taxes ?? [])).toEqual(amounts(taxes))
        expect(BigDecimal.format(preview.totalAmount)).toBe(BigDecimal.format(pfr.totalAmount))
      }),
      { numRuns: 150 }
    )
  })

  it("with the signing's own facts is the signed text, letter by letter", async () => {
    const seller = await sellerOf()
    if (seller === null) return expect.fail("no seller")
    const content = saleContent({ items: [lineItem({ name: "Торта „Сан“ са орасима и чоколадом, велика", quantity: "1.250", unitPrice: "1999.99", taxLabels: ["E", "T"] })], payments: [{ type: "CASH", amount: BigDecimal.fromStringUnsafe("2499.99") }] })
    const { pfr } = await sign(content)
    const written = writeJournal({
      environment: "sandbox",
      seller,
      content,
      taxes: taxByLabel(content.items, rates),
      signed: {
        sdcTime: pfr.sdcTime,
        invoiceNumber: pfr.invoiceNumber,
        invoiceCounter: `${pfr.transactionTypeCounter}/${pfr.totalCounter}${pfr.invoiceCounterExtension}`
      }
    })
    expect(written).toBe(pfr.journal)
  })

  it("is what the published example shows", () => {
    const { responses } = operations.find(({ id }) => id === "dryRunFiscalDocument") ?? expect.fail("no such operation")
    const example = responses[200]?.content["application/json"]?.example as { readonly journalPreview: string }
    const seller = { tin: "RS100000008", businessName: "Продавница Д.О.О.", locationName: "1015151-Веб продавница", address: "Кнеза Милоша 1", district: "Београд" }
    const content = saleContent({
      items: [{ ...lineItem({ name: "Чарапе", quantity: "2", unitPrice: "1200", taxLabels: ["Ђ"] }), unitOfMeasure: "пар" }],
      payments: [{ type: "CARD", amount: BigDecimal.fromStringUnsafe("2400") }],
      esirNumber: ""
    })
    const taxRates = { ...rates, rates: [{ label: "Ђ", category: "О-ПДВ", categoryType: 0, rate: BigDecimal.fromStringUnsafe("20") }] } as const
    expect(previewReceipt({ environment: "sandbox", content, seller, taxRates }).journalPreview).toBe(example.journalPreview)
  })

  it("takes the seller from the certificate, wrapped and with its blanks, and knows none for an element that cannot be opened", async () => {
    const seller = await sellerOf()
    expect(seller).toEqual({
      tin: "RS100000001",
      businessName: "СИМУЛАТОР Продавница 1",
      locationName: "1000001-Продавница",
      address: "Кнеза Милоша 1",
      district: "Београд"
    })
    const absent = await runtime.runPromise(SellerDetails.use((sellers) => sellers.ofElement(far.tenant.organizationId, randomUUID() as IssuedElement["id"])))
    expect(absent).toBeNull()
  })
})
