import { printedTin } from "../certificates/ElementRegister.ts"
import { formatUnits } from "../exactDecimal.ts"
import { invoiceTypes, paymentTypes, transactionTypes } from "../protocol/InvoiceRequest.ts"
import { JsonNumber, JsonObject } from "../protocol/JsonDocument.ts"
import { parseKept } from "../protocol/requestBody.ts"
import { counterExtension } from "../receipts/journalWords.ts"
import { journalOnPage } from "./journalOnPage.ts"
import type { KeptReceipt, Verification } from "./verifyLink.ts"

/** A value in JSON with its numbers exactly as they came. */
const exactJson = (value: unknown): string => {
  if (value instanceof JsonNumber) return value.source
  if (Array.isArray(value)) return `[${value.map(exactJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null)
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`).join(",")}}`
}

/** The request as it was signed, its members readable in any letter case. */
const requestOf = (kept: KeptReceipt | null): JsonObject | null => kept === null ? null : JsonObject.from(parseKept(kept.request))

const enumIndex = (names: ReadonlyArray<string>, value: unknown): number => {
  const text = value instanceof JsonNumber ? value.source : String(value)
  return /^\d+$/.test(text) ? Number(text) : names.findIndex((name) => name.toLowerCase() === text.toLowerCase())
}

const payments = (request: JsonObject | null): unknown => {
  const list = request?.member("payment")
  if (!Array.isArray(list)) return null
  return list.flatMap((entry) => {
    const payment = JsonObject.from(entry)
    return payment === null
      ? []
      : [{ paymentType: enumIndex(paymentTypes, payment.member("paymentType")), amount: payment.member("amount") }]
  })
}

/**
 * The public check's JSON (V-PFR §7.2). As in the one published file, the cashier is shown, and ESIR time and buyer are null.
 */
export const verificationJson = (verification: Verification): string => {
  if (!verification.readable) return JSON.stringify({ invoiceRequest: null, invoiceResult: null, journal: null, isValid: false })
  const { element, invoiceNumber, isValid, kept, link } = verification
  const request = requestOf(kept)
  const invoiceType = invoiceTypes.indexOf(link.invoiceType)
  const transactionType = transactionTypes.indexOf(link.transactionType)
  return exactJson({
    invoiceRequest: {
      posTime: null,
      taxId: element === undefined ? null : printedTin(element),
      businessName: element?.businessName ?? null,
      locationName: element?.locationName ?? null,
      address: element?.address ?? null,
      city: element?.city ?? null,
      administrativeUnit: element?.district ?? null,
      buyer: null,
      buyerCostCenter: null,
      cashier: request?.member("cashier") ?? null,
      requestedBy: link.requestedBy,
      referentDocumentNumber: request?.member("referentDocumentNumber") ?? null,
      invoiceType,
      transactionType,
      payments: payments(request)
    },
    invoiceResult: {
      totalAmount: new JsonNumber(formatUnits(link.totalAmount, 4).replace(/00$/, "")),
      transactionTypeCounter: link.transactionTypeCounter,
      totalCounter: link.totalCounter,
      invoiceCounterExtension: counterExtension("sr-Cyrl-RS", link.invoiceType, link.transactionType),
      invoiceNumber,
      signedBy: link.signedBy,
      // Without zeros at the end of the fraction: `2023-01-03T10:15:33.93Z`.
      sdcTime: new Date(link.time).toISOString().replace(/\.?0{1,3}Z$/, "Z")
    },
    journal: kept === null ? null : journalOnPage(String(JSON.parse(kept.answer).journal ?? "")) || null,
    isValid
  })
}
