import {
  type Branding,
  type BrandingLogo,
  BuyerDetails,
  DocumentContent,
  FiscalDocumentId,
  type InvoiceType,
  lineAmount,
  LineItem,
  type Operation,
  OrganizationId,
  PfrTime,
  type Receipt,
  roundToPara,
  type SignedTax,
  TaxpayerId,
  BusinessPremiseId,
  totalAmount,
  type TransactionType
} from "@overa/domain"
import { BigDecimal, DateTime, Schema } from "effect"
import { readFileSync } from "node:fs"
import { sampleJournal } from "./sampleJournal.ts"

const decimal = BigDecimal.fromStringUnsafe
const time = (text: string) => DateTime.toUtc(DateTime.makeUnsafe(text))

/** A line as a caller might write it; prices and quantities as text. */
export const sampleItem = (
  name: string,
  unitOfMeasure: string | null,
  quantity: string,
  unitPrice: string,
  label: string,
  rest: { readonly gtin?: string; readonly before?: string; readonly originalLineIndex?: number } = {}
): LineItem =>
  Schema.decodeUnknownSync(Schema.toType(LineItem))({
    name,
    unitOfMeasure,
    quantity: decimal(quantity),
    unitPrice: decimal(unitPrice),
    unitPriceBeforeDiscount: rest.before === undefined ? null : decimal(rest.before),
    gtin: rest.gtin ?? null,
    catalogProductId: null,
    taxLabels: [label],
    originalLineIndex: rest.originalLineIndex ?? null
  })

const rates: Readonly<Record<string, { readonly category: string; readonly rate: string }>> = {
  Ђ: { category: "О-ПДВ", rate: "20" },
  Е: { category: "П-ПДВ", rate: "10" },
  Г: { category: "Без ПДВ", rate: "0" },
  А: { category: "Није у ПДВ", rate: "0" }
}

/** Tax of gross prices, four decimals a label (V-PFR §6.2). */
const taxesOf = (items: ReadonlyArray<LineItem>): ReadonlyArray<SignedTax> => {
  const labels = [...new Set(items.flatMap((item) => item.taxLabels))].toSorted()
  return labels.map((label) => {
    const { category, rate } = rates[label] ?? { category: "VAT", rate: "9" }
    const gross = BigDecimal.sumAll(items.filter((item) => item.taxLabels.includes(label)).map(lineAmount))
    const divisor = BigDecimal.sum(decimal("1"), BigDecimal.multiply(decimal(rate), decimal("0.01")))
    const net = BigDecimal.round(BigDecimal.divideUnsafe(gross, divisor), { scale: 4, mode: "half-from-zero" })
    const amount = BigDecimal.round(BigDecimal.multiply(net, BigDecimal.multiply(decimal(rate), decimal("0.01"))), {
      scale: 4,
      mode: "half-from-zero"
    })
    return { label, category, categoryType: 0, rate: decimal(rate), amount }
  })
}

/** A verification link of the length the V-PFR gives: base64 of 572 bytes and more, percent-encoded (V-PFR §7.1). */
export const sampleLink = (length: number): string => {
  const root = "https://sandbox.suf.purs.gov.rs/v/?vl="
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  let body = "A1"
  for (let state = 7; root.length + body.length < length;) {
    state = (state * 48_271) % 2_147_483_647
    body += state % 29 === 0 ? "%2B" : alphabet[state % alphabet.length]
  }
  return (root + body).slice(0, length)
}

const marks = {
  NORMAL: ["ПП", "ПР"],
  ADVANCE: ["АП", "АР"],
  COPY: ["КП", "КР"],
  PROFORMA: ["РП", "РР"],
  TRAINING: ["ОП", "ОР"]
} as const

const ids = {
  organization: OrganizationId.make("0198c0de-0000-7000-8000-000000000001"),
  taxpayer: TaxpayerId.make("0198c0de-0000-7000-8000-000000000002"),
  premise: BusinessPremiseId.make("0198c0de-0000-7000-8000-000000000003"),
  original: FiscalDocumentId.make("0198c0de-0000-7000-8000-000000000009")
}

const usualItems: ReadonlyArray<LineItem> = [
  sampleItem("Вуњени џемпер „Јелица“, величина Л", "ком", "1", "5499.00", "Ђ", { gtin: "8600123456789", before: "6999.00" }),
  sampleItem("Čarape pamučne, đačke, šarene – paket od pet pari za školu", "kom", "2", "890.50", "Ђ", { gtin: "8600123456796" }),
  sampleItem("Буквар за први разред – друго, допуњено издање", "ком", "1", "1250.00", "Е"),
  sampleItem("Кафа млевена 🐱", "кг", "0.750", "1299.99", "Ђ", { before: "1450.00" })
]

/** What a kind of document has in addition to the usual content. */
export interface SampleOptions {
  readonly items?: ReadonlyArray<LineItem>
  readonly payments?: DocumentContent["payments"]
  readonly buyer?: DocumentContent["buyer"]
  readonly buyerDetails?: BuyerDetails | null
  readonly commercialFooter?: string | null
  readonly advanceClosing?: DocumentContent["advanceClosing"]
  readonly preferredPaperFormat?: DocumentContent["preferredPaperFormat"]
  readonly brandingId?: string | null
  readonly link?: string
  readonly journal?: string
}

/** The register's answer for a buyer that is a company. */
export const sampleBuyerDetails = BuyerDetails.make({
  legalName: "ПРИВРЕДНО ДРУШТВО ЗА ТРГОВИНУ И УСЛУГЕ ЗОРА ДОО БЕОГРАД (СТАРИ ГРАД)",
  taxIdentifier: "101670560",
  registrationNumber: "17012345",
  address: "Кнеза Милоша 10",
  city: "Београд",
  source: "NBS",
  resolvedAt: time("2026-03-14T09:05:00Z")
})

const contentOf = (invoiceType: InvoiceType, transactionType: TransactionType, options: SampleOptions): DocumentContent => {
  const items = options.items ?? usualItems
  const refers = invoiceType === "COPY" || transactionType === "REFUND"
  return DocumentContent.make({
    invoiceType,
    transactionType,
    clientReference: "porudžbina-2026-000481",
    cashier: { id: "Милица П.", displayName: null },
    buyer: options.buyer === undefined ? (transactionType === "REFUND" ? { id: "20:008765432", optionalField: null } : null) : options.buyer,
    items: transactionType === "REFUND" ? items.map((item, index) => ({ ...item, originalLineIndex: index })) : items,
    payments: options.payments ?? [{ type: transactionType === "REFUND" ? "CASH" : "CARD", amount: totalAmount(items) }],
    commercialFooter: options.commercialFooter === undefined
      ? "Рок за рекламацију је две године од дана куповине.\nPovraćaj robe u roku od 14 dana: povracaj@zora.example"
      : options.commercialFooter,
    metadata: { channel: "web", attempt: decimal("1") },
    reference: refers
      ? {
        source: "SVC",
        fiscalDocumentId: ids.original,
        pfrNumber: "ZRA8K2QW-ZRA8K2QW-1040",
        pfrTime: "2026-03-13T18:41:09.1234567+01:00",
        invoiceType: invoiceType === "ADVANCE" ? "ADVANCE" : "NORMAL",
        transactionType: invoiceType === "COPY" ? transactionType : "SALE"
      }
      : null,
    dateAndTimeOfIssue: null,
    advanceClosing: options.advanceClosing ?? null,
    esirNumber: "1123/1.0",
    preferredPaperFormat: options.preferredPaperFormat ?? "a4",
    brandingId: options.brandingId === undefined ? "branding-1" : options.brandingId
  })
}

/** A fiscalized receipt of any of the ten kinds; everything in it is invented. */
export const sampleReceipt = (
  invoiceType: InvoiceType,
  transactionType: TransactionType,
  options: SampleOptions = {}
): Receipt => {
  const content = contentOf(invoiceType, transactionType, options)
  const taxes = taxesOf(content.items)
  const mark = marks[invoiceType][transactionType === "SALE" ? 0 : 1]
  const number = "ZRA8K2QW-ZRA8K2QW-1042"
  const journal = options.journal ?? sampleJournal(content, {
    header: ["101234567", "Књижара и галантерија Зора", "1098765-Веб продавница Зора", "БУЛЕВАР КРАЉА АЛЕКСАНДРА 73", "Београд-Звездара"],
    taxes,
    number,
    counter: `17/1042${mark}`,
    printedTime: "14.03.2026. 9:05:07",
    referencePrintedTime: "13.03.2026. 18:41:09"
  })
  const id = FiscalDocumentId.make("0198c0de-0000-7000-8000-000000000010")
  const answer = {
    text: JSON.stringify({ invoiceNumber: number, journal }),
    pfr: {
      invoiceNumber: number,
      sdcTime: PfrTime.make("2026-03-14T09:05:07.4551405+01:00"),
      requestedBy: "ZRA8K2QW",
      signedBy: "ZRA8K2QW",
      transactionTypeCounter: 17,
      totalCounter: 1042,
      invoiceCounterExtension: mark,
      totalAmount: totalAmount(content.items),
      totalTax: BigDecimal.sumAll(taxes.map((tax) => tax.amount)),
      verificationUrl: options.link ?? sampleLink(965),
      journal
    },
    taxes,
    taxGroupRevision: 8,
    businessName: "Књижара и галантерија Зора",
    tin: "101234567",
    encryptedInternalData: null,
    signature: null
  }
  const operation: Operation = {
    id,
    organizationId: ids.organization,
    environment: "sandbox",
    taxpayerId: ids.taxpayer,
    businessPremiseId: ids.premise,
    clientId: "svc-sbx-sample",
    boundKey: { role: "REQUEST", key: "sample-key-0000000001", target: "POST /v1/fiscal-documents", body: "{}", fingerprint: { version: 1, digest: "00" } },
    content,
    workflow: null,
    status: "FISCALIZED",
    attempt: 1,
    failureCode: null,
    rejection: null,
    answer,
    buyerDetails: options.buyerDetails ?? null,
    createdAt: time("2026-03-14T08:05:06.900Z"),
    updatedAt: time("2026-03-14T08:05:07.500Z"),
    nextCheckAt: null
  }
  return { operation, answer }
}

/** The sum of printed tax amounts: each label rounded to the para first (V-PFR §6.3). */
export const printedTotalTax = (taxes: ReadonlyArray<SignedTax>): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(taxes.map((tax) => roundToPara(tax.amount)))

/** A shop's logo as it was uploaded. */
export const sampleLogo = (): BrandingLogo => ({
  mediaType: "image/svg+xml",
  bytes: new Uint8Array(readFileSync(new URL("./sampleLogo.svg", import.meta.url)))
})

/** Its branding, with the logo as the bitmap that was made of it (`renderers.stress.test.ts` compares them). */
export const sampleBranding = (): Branding => ({
  logo: { mediaType: "image/png", bytes: new Uint8Array(readFileSync(new URL("./sampleLogo.png", import.meta.url))) },
  contactLines: ["Књижара Зора", "zora.example · +381 11 123 4567", "Булевар краља Александра 73, Београд"],
  thankYouNote: "Хвала на куповини!\nВидимо се ускоро."
})
