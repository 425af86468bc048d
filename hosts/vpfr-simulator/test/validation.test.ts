import { describe, expect, it } from "vitest"
import { parseJsonExactly } from "../src/protocol/JsonDocument.ts"
import { listLimits, readInvoiceRequest } from "../src/protocol/readInvoiceRequest.ts"
import { refund, sale } from "./support/requests.ts"

const labels = () => new Set(["A", "F", "N"])

const faultsOf = (body: unknown): Record<string, ReadonlyArray<string>> => {
  const reading = readInvoiceRequest(parseJsonExactly(typeof body === "string" ? body : JSON.stringify(body)), labels)
  return reading.valid ? {} : Object.fromEntries(reading.errors.map(({ errors, property }) => [property, errors]))
}

const without = (name: keyof typeof sale) => Object.fromEntries(Object.entries(sale).filter(([key]) => key !== name))
const withItem = (change: object) => ({ ...sale, items: [{ ...sale.items[0], ...change }] })
const withPayment = (change: object) => ({ ...sale, payment: [{ ...sale.payment[0], ...change }] })

describe("A request without faults", () => {
  it.each([
    ["the official example's sale", sale],
    ["the authority's minimal example", {
      invoiceType: 0,
      transactionType: "Sale",
      payment: [{ amount: 150, paymentType: 0 }],
      items: [{ name: "Network Cable", quantity: 1, unitPrice: 100, labels: ["A"], totalAmount: 100 }]
    }],
    ["a refund with its reference", refund],
    ["names in Pascal case, enumerations by name in any case", {
      InvoiceType: "normal",
      TransactionType: "SALE",
      Payment: [{ Amount: 68.46, PaymentType: "wiretransfer" }],
      Items: [{ Name: "x", Quantity: 2, UnitPrice: 34.23, Labels: ["A"], TotalAmount: 68.46 }]
    }],
    ["numbers as text for enumerations", { ...sale, invoiceType: "0" }],
    ["null for absent", { ...sale, buyerId: null, referentDocumentNumber: null, options: null }],
    ["unknown members", { ...sale, somethingElse: true }],
    ["a payment of nothing, a price of nothing", { ...withPayment({ amount: 0 }), items: [{ ...sale.items[0], unitPrice: 0, totalAmount: 0 }] }],
    ["a reference from before fiscalization", { ...refund, referentDocumentNumber: "XXXXXXXX-XXXXXXXX-12/2021" }],
    ["a reference to an old cash register", { ...refund, referentDocumentNumber: "XXXXXXXX-AB123456-77" }],
    ["a time with a blank", { ...sale, dateAndTimeOfIssue: "2021-09-22 14:00:00" }],
    ["trailing zeros beyond the decimals", JSON.stringify(sale).replaceAll("34.23", "34.230000")]
  ])("%s", (_name, body) => {
    expect(faultsOf(body)).toEqual({})
  })
})

const cases: ReadonlyArray<readonly [string, string, unknown, string, string]> = [
  ["2310", "a label not in force", withItem({ labels: ["A", "Ђ"] }), "items[0].labels[1]", "2310"],
  ["2800", "no invoice type", without("invoiceType"), "invoiceType", "2800"],
  ["2800", "no transaction type", without("transactionType"), "transactionType", "2800"],
  ["2800", "no payment", without("payment"), "payment", "2800"],
  ["2800", "no items", without("items"), "items", "2800"],
  ["2800", "no amount", withPayment({ amount: null }), "payment[0].amount", "2800"],
  ["2800", "no payment type", withPayment({ paymentType: null }), "payment[0].paymentType", "2800"],
  ["2800", "no name", withItem({ name: null }), "items[0].name", "2800"],
  ["2800", "no quantity", withItem({ quantity: null }), "items[0].quantity", "2800"],
  ["2800", "no unit price", withItem({ unitPrice: null }), "items[0].unitPrice", "2800"],
  ["2800", "no labels", withItem({ labels: null }), "items[0].labels", "2800"],
  ["2800", "no total", withItem({ totalAmount: null }), "items[0].totalAmount", "2800"],
  ["2800", "a refund without reference number", { ...refund, referentDocumentNumber: null }, "referentDocumentNumber", "2800"],
  ["2800", "a refund without reference time", { ...refund, referentDocumentDT: null }, "referentDocumentDT", "2800"],
  ["2800", "a copy without reference", { ...sale, invoiceType: 2, referentDocumentDT: refund.referentDocumentDT }, "referentDocumentNumber", "2800"],
  ["2800", "a sale's reference time without number", { ...sale, referentDocumentDT: refund.referentDocumentDT }, "referentDocumentNumber", "2800"],
  ["2801", "a long cashier", { ...sale, cashier: "x".repeat(51) }, "cashier", "2801"],
  ["2801", "a long buyer", { ...sale, buyerId: "1".repeat(21) }, "buyerId", "2801"],
  ["2801", "a long optional field", { ...sale, buyerCostCenterId: "1".repeat(51) }, "buyerCostCenterId", "2801"],
  ["2801", "a long ESIR number", { ...sale, invoiceNumber: "1".repeat(61) }, "invoiceNumber", "2801"],
  ["2801", "a long name", withItem({ name: "Ж".repeat(2049) }), "items[0].name", "2801"],
  ["2802", "an empty buyer", { ...sale, buyerId: "" }, "buyerId", "2802"],
  ["2802", "an empty name", withItem({ name: "" }), "items[0].name", "2802"],
  ["2803", "a short GTIN", withItem({ gtin: "1234567" }), "items[0].gtin", "2803"],
  ["2803", "a long GTIN", withItem({ gtin: "123456789012345" }), "items[0].gtin", "2803"],
  ["2804", "a quantity of nothing", withItem({ quantity: 0 }), "items[0].quantity", "2804"],
  ["2804", "four decimals of quantity", withItem({ quantity: 1.0001 }), "items[0].quantity", "2804"],
  ["2804", "three decimals of price", withItem({ unitPrice: 34.235 }), "items[0].unitPrice", "2804"],
  ["2804", "a negative price", withItem({ unitPrice: -1 }), "items[0].unitPrice", "2804"],
  ["2804", "three decimals of total", withItem({ totalAmount: 68.461 }), "items[0].totalAmount", "2804"],
  ["2804", "three decimals of payment", withPayment({ amount: 68.461 }), "payment[0].amount", "2804"],
  ["2804", "a negative payment", withPayment({ amount: -0.01 }), "payment[0].amount", "2804"],
  ["2804", "an amount of thirteen digits before the point", JSON.stringify(sale).replace("\"totalAmount\":68.46", "\"totalAmount\":1e12"), "items[0].totalAmount", "2804"],
  ["2805", "an unknown invoice type", { ...sale, invoiceType: 5 }, "invoiceType", "2805"],
  ["2805", "an unknown transaction type", { ...sale, transactionType: "Return" }, "transactionType", "2805"],
  ["2805", "an unknown payment type", withPayment({ paymentType: 7 }), "payment[0].paymentType", "2805"],
  ["2805", "a fractional enumeration", { ...sale, invoiceType: 0.5 }, "invoiceType", "2805"],
  ["2806", "a malformed reference", { ...refund, referentDocumentNumber: "Y9ANWU3Y-7" }, "referentDocumentNumber", "2806"],
  ["2806", "a day that does not exist", { ...refund, referentDocumentDT: "2026-02-30T10:00:00" }, "referentDocumentDT", "2806"],
  ["2806", "a date alone", { ...sale, dateAndTimeOfIssue: "2026-02-03" }, "dateAndTimeOfIssue", "2806"],
  ["2806", "a number for a text", { ...sale, cashier: 7 }, "cashier", "2806"],
  ["2806", "a text for an amount", withPayment({ amount: "68.46" }), "payment[0].amount", "2806"],
  ["2806", "an item that is no object", { ...sale, items: [1] }, "items[0]", "2806"],
  ["2806", "a body that is no object", [], "", "2806"],
  ["2807", "an empty list of items", { ...sale, items: [] }, "items", "2807"],
  ["2807", "an empty list of payments", { ...sale, payment: [] }, "payment", "2807"],
  ["2807", "an empty list of labels", withItem({ labels: [] }), "items[0].labels", "2807"],
  ["2808", "too many items", { ...sale, items: Array(listLimits.items + 1).fill(sale.items[0]) }, "items", "2808"],
  ["2808", "too many payments", { ...sale, payment: Array(listLimits.payments + 1).fill(sale.payment[0]) }, "payment", "2808"]
]

describe("Every fault has its property and code (V-PFR §4)", () => {
  it.each(cases)("%s for %s", (_code, _name, body, property, code) => {
    expect(faultsOf(body)).toEqual({ [property]: [code] })
  })

  it("reports all faults of a request at once", () => {
    const body = { ...sale, invoiceType: 9, cashier: "", items: [{ ...sale.items[0], labels: ["Ђ"], gtin: "1", quantity: 0 }] }
    expect(faultsOf(body)).toEqual({
      "invoiceType": ["2805"],
      "cashier": ["2802"],
      "items[0].gtin": ["2803"],
      "items[0].quantity": ["2804"],
      "items[0].labels[0]": ["2310"]
    })
  })

  it("refuses a total the signer has no room for", () => {
    const large = { ...sale.items[0], totalAmount: 999_999_999_999.99 }
    expect(faultsOf({ ...sale, items: Array.from({ length: 8 }, () => large) })).toEqual({ items: ["2804"] })
  })
})
