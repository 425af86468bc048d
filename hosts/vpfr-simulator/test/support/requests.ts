import type { IssueElement } from "../../src/index.ts"

export const bakery: IssueElement = {
  environment: "sandbox",
  businessName: "Пекара Зора",
  tin: "111911206",
  locationName: "1108934-Пекара Зора",
  address: "Булевар ослобођења 1",
  city: "Нови Сад",
  district: "Нови Сад-Центар"
}

/** The official example's sale: one item under label A, paid in cash. */
export const sale = {
  invoiceType: 0,
  transactionType: 0,
  cashier: "123456789",
  invoiceNumber: "157/1.0",
  payment: [{ amount: 68.46, paymentType: 1 }],
  items: [{ name: "Sport-100 Helmet, Blue", quantity: 2, unitPrice: 34.23, labels: ["A"], totalAmount: 68.46 }],
  options: { omitQRCodeGen: "1" }
}

export const refund = {
  ...sale,
  transactionType: 1,
  buyerId: "20:0023456",
  referentDocumentNumber: "Y9ANWU3Y-Y9ANWU3Y-7",
  referentDocumentDT: "2026-08-12T10:23:11+02:00"
}
