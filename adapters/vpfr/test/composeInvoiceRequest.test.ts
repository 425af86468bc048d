import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { Dinars, type DocumentContent, Quantity } from "@overa/domain"
import { composeInvoiceRequest } from "../src/composeInvoiceRequest.ts"
import { content, decimal, item } from "./support/farEnd.ts"

const composed = (change: Partial<DocumentContent> = {}) =>
  JSON.parse(composeInvoiceRequest(content(change), "sandbox")) as Record<string, unknown>

describe("The request as the V-PFR wants it (V-PFR §2)", () => {
  it("a plain sale, key by key", () => {
    assert.deepStrictEqual(composed(), {
      cashier: "web",
      invoiceType: 0,
      transactionType: 0,
      payment: [{ amount: 100, paymentType: 2 }],
      invoiceNumber: "157/1.0",
      options: { omitQRCodeGen: "1" },
      items: [{ name: "Кафа/kom", quantity: 1, unitPrice: 100, labels: ["A"], totalAmount: 100 }]
    })
  })

  it("every optional key when it is given", () => {
    const full = composed({
      invoiceType: "ADVANCE",
      transactionType: "SALE",
      buyer: { id: "10:123456789", optionalField: "20:55" },
      items: [{ ...item(), gtin: "12345678" }],
      reference: {
        source: "SVC",
        fiscalDocumentId: null,
        pfrNumber: "AAAAAAAA-BBBBBBBB-1",
        pfrTime: "2024-02-29T17:07:27.4551405+01:00",
        invoiceType: "ADVANCE",
        transactionType: "SALE"
      },
      dateAndTimeOfIssue: DateTime.makeUnsafe("2026-08-29T10:30:00Z")
    })
    assert.strictEqual(full["buyerId"], "10:123456789")
    assert.strictEqual(full["buyerCostCenterId"], "20:55")
    assert.strictEqual(full["referentDocumentNumber"], "AAAAAAAA-BBBBBBBB-1")
    assert.strictEqual(full["referentDocumentDT"], "2024-02-29T17:07:27.4551405+01:00")
    assert.strictEqual(full["dateAndTimeOfIssue"], "2026-08-29T12:30:00.000+02:00")
    assert.deepInclude((full["items"] as ReadonlyArray<object>)[0], { gtin: "12345678" })
  })

  it("no empty ESIR number, no time of issue on anything but an Advance Sale", () => {
    assert.notProperty(composed({ esirNumber: "" }), "invoiceNumber")
    const dateAndTimeOfIssue = DateTime.makeUnsafe("2026-08-29T10:30:00Z")
    for (const change of [{}, { invoiceType: "ADVANCE", transactionType: "REFUND" }] as const) {
      assert.notProperty(composed({ ...change, dateAndTimeOfIssue }), "dateAndTimeOfIssue")
    }
  })

  it("decimals digit by digit, never through floating point", () => {
    const items = [{ ...item(), quantity: Quantity.make(decimal("99999999999.999")), unitPrice: Dinars.make(decimal("0.1")) }]
    const text = composeInvoiceRequest(content({ items, payments: [{ type: "CASH", amount: decimal("9999999999.9999") }] }), "sandbox")
    assert.include(text, `"quantity":99999999999.999,"unitPrice":0.1,"labels":["A"],"totalAmount":10000000000}`)
    assert.include(text, `"amount":9999999999.9999`)
    const tiny = composeInvoiceRequest(content({ items: [{ ...item(), quantity: Quantity.make(decimal("0.001")) }] }), "sandbox")
    assert.include(tiny, `"quantity":0.001,"unitPrice":100,"labels":["A"],"totalAmount":0.1`)
  })

  it("the line total is rounded half away from zero", () => {
    const items = [{ ...item("9.95"), quantity: Quantity.make(decimal("0.123")) }]
    assert.include(composeInvoiceRequest(content({ items }), "sandbox"), `"totalAmount":1.22`)
  })

  it.each([
    ["NORMAL", 0],
    ["PROFORMA", 1],
    ["COPY", 2],
    ["TRAINING", 3],
    ["ADVANCE", 4]
  ] as const)("invoice type %s is %i", (invoiceType, number) => {
    assert.strictEqual(composed({ invoiceType })["invoiceType"], number)
  })

  it.each([
    ["OTHER", 0],
    ["CASH", 1],
    ["CARD", 2],
    ["CHECK", 3],
    ["WIRE_TRANSFER", 4],
    ["VOUCHER", 5],
    ["INSTANT_PAYMENT", 6]
  ] as const)("payment %s is %i", (type, paymentType) => {
    assert.deepStrictEqual(composed({ payments: [{ type, amount: decimal("1.5") }] })["payment"], [{ amount: 1.5, paymentType }])
  })

  it("quotes, backslashes and line ends in names stay what they are", () => {
    const name = 'Књига "Ж\\n"\u2028'
    assert.deepInclude((composed({ items: [item("1", name)] })["items"] as ReadonlyArray<object>)[0], { name: `${name}/kom` })
  })
})
