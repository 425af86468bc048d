import { BigDecimal, DateTime, Result } from "effect"
import { describe, expect, it } from "vitest"
import { formatDecimal } from "../../src/money/decimals.ts"
import { decodeAdvanceCancellationRequest } from "../../src/requests/AdvanceCancellationRequest.ts"
import { decodeAdvanceCaseRequest } from "../../src/requests/AdvanceCaseRequest.ts"
import { decodeAdvanceClosingRequest } from "../../src/requests/AdvanceClosingRequest.ts"
import { decodeAdvancePaymentRequest } from "../../src/requests/AdvancePaymentRequest.ts"
import { decodeCopyRequest } from "../../src/requests/CopyRequest.ts"
import type { RequestFaults } from "../../src/requests/Fault.ts"
import { decodeFiscalDocumentRequest, decodeNormalSale } from "../../src/requests/FiscalDocumentRequest.ts"
import { decodeProformaTrainingRequest } from "../../src/requests/ProformaTrainingRequest.ts"
import { readBodyTree } from "../../src/requests/bodyTree.ts"
import { decodeRefundRequest } from "../../src/requests/RefundRequest.ts"
import { decodeTaxpayerRegistration } from "../../src/requests/TaxpayerRegistration.ts"

const production = { environment: "production" } as const

/** A decoded request with decimals and instants written out, so that it can be compared. */
const plain = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return `decimal ${formatDecimal(value)}`
  if (DateTime.isDateTime(value)) return `instant ${DateTime.formatIso(value)}`
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

const read = (body: unknown): unknown => Result.getOrThrow(readBodyTree(typeof body === "string" ? body : JSON.stringify(body)))
const decoded = (result: Result.Result<unknown, RequestFaults>): unknown =>
  Result.isSuccess(result) ? plain(result.success) : result.failure.faults

const ids = { taxpayerId: "0190ABCD-0000-7000-8000-00000000000A", businessPremiseId: "0190abcd-0000-7000-8000-00000000000b" }
const place = { taxpayerId: ids.taxpayerId.toLowerCase(), businessPremiseId: ids.businessPremiseId }
const documentId = "0190ABCD-0000-7000-8000-00000000000C"
const item = { name: "Кафа", unitOfMeasure: "kg", quantity: 0.5, unitPrice: 9.99, taxLabels: ["Ђ"] }
const storedItem = {
  name: "Кафа",
  unitOfMeasure: "kg",
  quantity: "decimal 0.5",
  unitPrice: "decimal 9.99",
  unitPriceBeforeDiscount: null,
  gtin: null,
  catalogProductId: null,
  taxLabels: ["Ђ"],
  originalLineIndex: null
}
const payments = [{ type: "CARD", amount: 5 }]
const storedPayments = [{ type: "CARD", amount: "decimal 5" }]
const nothingMore = { clientReference: null, commercialFooter: null, metadata: null }

describe("POST /v1/fiscal-documents", () => {
  const sale = { ...ids, clientReference: "o-1", invoiceType: "NORMAL", transactionType: "SALE", cashier: { id: "1" }, items: [item], payments }
  const stored = {
    ...place,
    _tag: "NormalSale",
    clientReference: "o-1",
    invoiceType: "NORMAL",
    transactionType: "SALE",
    cashier: { id: "1", displayName: null },
    buyer: null,
    items: [storedItem],
    payments: storedPayments,
    commercialFooter: null,
    metadata: null,
    reference: null
  }

  it("reads the smallest sale, what is absent as null, ids in lower case", () => {
    expect(decoded(decodeFiscalDocumentRequest(read(sale), production))).toEqual(stored)
    expect(decoded(decodeNormalSale(read(sale), production))).toEqual(stored)
  })

  it("reads every optional field", () => {
    const whole = {
      ...sale,
      cashier: { id: "1", displayName: "Ана" },
      buyer: { id: "10:101670560", optionalField: "20:1" },
      items: [{ ...item, unitPriceBeforeDiscount: 12.5, gtin: "86000000", catalogProductId: documentId }],
      commercialFooter: "Хвала\nи опет",
      metadata: { channel: "web", priority: 1.50, gift: false, none: null, "": undefined },
      reference: { source: "SVC", fiscalDocumentId: documentId }
    }
    expect(decoded(decodeFiscalDocumentRequest(read(whole), production))).toEqual({
      ...stored,
      cashier: { id: "1", displayName: "Ана" },
      buyer: { id: "10:101670560", optionalField: "20:1" },
      items: [{
        ...storedItem,
        unitPriceBeforeDiscount: "decimal 12.5",
        gtin: "86000000",
        catalogProductId: documentId.toLowerCase()
      }],
      commercialFooter: "Хвала\nи опет",
      metadata: { channel: "web", priority: "decimal 1.5", gift: false, none: null },
      reference: { source: "SVC", fiscalDocumentId: documentId.toLowerCase() }
    })
  })

  it("takes a buyer of whom nothing is said for none", () => {
    for (const buyer of [{}, { id: null }, { id: null, optionalField: null }]) {
      expect(decoded(decodeFiscalDocumentRequest(read({ ...sale, buyer }), production))).toEqual(stored)
    }
    expect(decoded(decodeFiscalDocumentRequest(read({ ...sale, buyer: { optionalField: "20:1" } }), production)))
      .toEqual({ ...stored, buyer: { id: null, optionalField: "20:1" } })
  })

  it("reads a copy of another ESIR's document as what it is, its time digit for digit", () => {
    const reference = {
      source: "EXTERNAL",
      pfrNumber: "ABCD1234-ABCD1234-15",
      pfrTime: "2026-08-28T12:30:00.1234567+02:00",
      invoiceType: "ADVANCE",
      transactionType: "REFUND"
    }
    const copy = { ...sale, invoiceType: "COPY", transactionType: "REFUND", reference }
    expect(decoded(decodeFiscalDocumentRequest(read(copy), production)))
      .toEqual({ ...stored, _tag: "ExternalCopy", invoiceType: "COPY", transactionType: "REFUND", reference })
    expect(decoded(decodeNormalSale(read(copy), production)))
      .toEqual([{ pointer: "/invoiceType", key: "InvoiceType", message: "must be NORMAL" }])
  })

  it.each([
    ["null", "is required and must be an object, not null"],
    ["[]", "must be an object"],
    ["5", "must be an object"],
    ["\"sale\"", "must be an object"]
  ])("reports %s as one fault of the whole body", (body, message) => {
    expect(decoded(decodeFiscalDocumentRequest(read(body), production))).toEqual([{ pointer: "", key: "Body", message }])
  })

  it("states what is wrong in words, place by place", () => {
    const wrong = {
      ...sale,
      cashier: 5,
      items: [{ ...item, name: 7, taxLabels: "Ђ", "a/b~c": 1 }, null],
      payments: [{ type: "COINS", amount: "5" }],
      metadata: { list: [] },
      reference: { source: "MINE" },
      buyer: "Ана"
    }
    expect(decoded(decodeFiscalDocumentRequest(read(wrong), production))).toEqual(expect.arrayContaining([
      { pointer: "/cashier", key: "Cashier", message: "must be an object" },
      { pointer: "/items/0/name", key: "Items.Name", message: "must be a text" },
      { pointer: "/items/0/taxLabels", key: "Items.TaxLabels", message: "must be a list" },
      { pointer: "/items/0/a~1b~0c", key: "Items.A/b~c", message: "is not a field of this request" },
      { pointer: "/items/1", key: "Items", message: "is required and must be an object, not null" },
      {
        pointer: "/payments/0/type",
        key: "Payments.Type",
        message: "must be one of CARD, WIRE_TRANSFER, INSTANT_PAYMENT, CASH, VOUCHER, CHECK, OTHER"
      },
      { pointer: "/payments/0/amount", key: "Payments.Amount", message: "must be a number" },
      { pointer: "/metadata/list", key: "Metadata", message: "must be a text, a number, true, false or null" },
      { pointer: "/reference/source", key: "Reference.Source", message: "must be SVC or EXTERNAL" },
      { pointer: "/buyer", key: "Buyer", message: "must be an object" }
    ]))
  })

  it("states both sums where the totals differ, and the digits where a number has too many", () => {
    const off = `{"items":[{"quantity":3,"unitPrice":0.335}],"payments":[{"amount":1}],"metadata":{"n":0.12345678901234567}}`
    expect(decoded(decodeFiscalDocumentRequest(read(off), production))).toEqual(expect.arrayContaining([
      { pointer: "/payments", key: "totals", message: "the items come to 1.01, the payments to 1.00; they must be equal" },
      { pointer: "/metadata/n", key: "Metadata", message: "must be a number of at most 15 significant digits" },
      { pointer: "/items/0/unitPrice", key: "Items.UnitPrice", message: "must have at most 2 decimals" }
    ]))
    const long = `{"items":[{"quantity":1.23456789012345678}]}`
    expect(decoded(decodeFiscalDocumentRequest(read(long), production))).toEqual(expect.arrayContaining([
      { pointer: "/items/0/quantity", key: "Items.Quantity", message: "must be a number of at most 15 significant digits" }
    ]))
  })
})

describe("workflow requests", () => {
  const buyer = { id: "20:1234567" }
  const storedBuyer = { id: "20:1234567", optionalField: null }
  const cashier = { id: "1" }
  const storedCashier = { id: "1", displayName: null }

  it("reads a copy", () => {
    expect(decoded(decodeCopyRequest(read({ cashier })))).toEqual({ cashier: storedCashier, ...nothingMore })
    expect(decoded(decodeCopyRequest(read({ cashier, clientReference: "c", commercialFooter: "f", metadata: { a: 1 } }))))
      .toEqual({ cashier: storedCashier, clientReference: "c", commercialFooter: "f", metadata: { a: "decimal 1" } })
  })

  it("reads a refund", () => {
    const refund = {
      ...ids,
      clientReference: "r-1",
      original: { source: "SVC", fiscalDocumentId: documentId },
      cashier,
      buyer,
      items: [{ ...item, originalLineIndex: 3 }],
      payments
    }
    expect(decoded(decodeRefundRequest(read(refund), production))).toEqual({
      ...place,
      clientReference: "r-1",
      original: { source: "SVC", fiscalDocumentId: documentId.toLowerCase() },
      cashier: storedCashier,
      buyer: storedBuyer,
      items: [{ ...storedItem, originalLineIndex: 3 }],
      payments: storedPayments,
      commercialFooter: null,
      metadata: null
    })
  })

  it("reads an advance case with and without an external advance", () => {
    const opened = { ...place, clientReference: "a-1", buyer: null, externalAdvance: null }
    expect(decoded(decodeAdvanceCaseRequest(read({ ...ids, clientReference: "a-1", externalAdvance: null })))).toEqual(opened)
    const externalAdvance = { documentNumber: "7", documentTime: "2022-01-05T12:00:00+01:00", amount: 120, taxAmount: 20 }
    expect(decoded(decodeAdvanceCaseRequest(read({ ...ids, clientReference: "a-1", buyer, externalAdvance })))).toEqual({
      ...opened,
      buyer: storedBuyer,
      externalAdvance: {
        documentNumber: "7",
        documentTime: "instant 2022-01-05T11:00:00.000Z",
        amount: "decimal 120",
        taxAmount: "decimal 20"
      }
    })
  })

  it("reads an advance payment and the day it was made", () => {
    const body = { cashier, items: [item], payments: [{ type: "WIRE_TRANSFER", amount: 5 }] }
    const stored = {
      cashier: storedCashier,
      items: [storedItem],
      payments: [{ type: "WIRE_TRANSFER", amount: "decimal 5" }],
      paymentOccurredAt: null,
      ...nothingMore
    }
    expect(decoded(decodeAdvancePaymentRequest(read(body), production))).toEqual(stored)
    expect(decoded(decodeAdvancePaymentRequest(read({ ...body, paymentOccurredAt: "2026-08-28T12:00:00+02:00" }), production)))
      .toEqual({ ...stored, paymentOccurredAt: "instant 2026-08-28T10:00:00.000Z" })
  })

  it("reads a cancellation and a closing", () => {
    expect(decoded(decodeAdvanceCancellationRequest(read({ advanceSaleId: documentId, cashier, buyer }))))
      .toEqual({ advanceSaleId: documentId.toLowerCase(), cashier: storedCashier, buyer: storedBuyer, ...nothingMore })
    expect(decoded(decodeAdvanceClosingRequest(read({ cashier, items: [item], remainingPayments: payments }), production)))
      .toEqual({ cashier: storedCashier, items: [storedItem], remainingPayments: storedPayments, buyer: null, ...nothingMore })
  })

  it("reads a proforma sale and a training refund", () => {
    const body = { ...ids, clientReference: "p", invoiceType: "PROFORMA", transactionType: "SALE", cashier, items: [item], payments }
    const stored = {
      ...place,
      clientReference: "p",
      invoiceType: "PROFORMA",
      transactionType: "SALE",
      cashier: storedCashier,
      buyer: null,
      items: [storedItem],
      payments: storedPayments,
      reference: null,
      commercialFooter: null,
      metadata: null
    }
    expect(decoded(decodeProformaTrainingRequest(read(body), production))).toEqual(stored)
    const reference = { source: "SVC", fiscalDocumentId: documentId }
    const refund = { ...body, invoiceType: "TRAINING", transactionType: "REFUND", buyer, reference }
    expect(decoded(decodeProformaTrainingRequest(read(refund), production))).toEqual({
      ...stored,
      invoiceType: "TRAINING",
      transactionType: "REFUND",
      buyer: storedBuyer,
      reference: { source: "SVC", fiscalDocumentId: documentId.toLowerCase() }
    })
  })

  it("reads a registration", () => {
    const body = { taxIdentifier: "101670560", name: "Shop", vatStatus: "IN_VAT", businessPremises: [{ puIdentifier: "1", name: "Web", city: "Ниш" }] }
    expect(decoded(decodeTaxpayerRegistration(read(body)))).toEqual({
      taxIdentifier: "101670560",
      name: "Shop",
      address: null,
      city: null,
      vatStatus: "IN_VAT",
      businessPremises: [{ puIdentifier: "1", name: "Web", address: null, city: "Ниш" }]
    })
  })
})
