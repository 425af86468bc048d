import { DateTime, Result } from "effect"
import * as fc from "fast-check"
import { decodeAdvanceCancellationRequest } from "../../src/requests/AdvanceCancellationRequest.ts"
import { decodeAdvanceCaseRequest } from "../../src/requests/AdvanceCaseRequest.ts"
import { closingBuyer, decodeAdvanceClosingRequest } from "../../src/requests/AdvanceClosingRequest.ts"
import { checkPaymentDay, decodeAdvancePaymentRequest } from "../../src/requests/AdvancePaymentRequest.ts"
import { decodeCopyRequest } from "../../src/requests/CopyRequest.ts"
import { type Fault, pointerOf, type RequestFaults } from "../../src/requests/Fault.ts"
import { decodeProformaTrainingRequest } from "../../src/requests/ProformaTrainingRequest.ts"
import { decodeRefundRequest } from "../../src/requests/RefundRequest.ts"
import { decodeTaxpayerRegistration } from "../../src/requests/TaxpayerRegistration.ts"
import { belgradeDay } from "../../src/time/belgradeTime.ts"
import { type Body, documentUuid, itemBody, premiseUuid, taxpayerUuid, withAt } from "../arbitraries/SaleBody.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

type Decoded = Result.Result<unknown, RequestFaults>
const faults = (decoded: Decoded): ReadonlyArray<Fault> => (Result.isFailure(decoded) ? decoded.failure.faults : [])
const isOnly = (decoded: Decoded, pointer: string, key: string): boolean => {
  const [fault, ...others] = faults(decoded)
  return others.length === 0 && fault?.pointer === pointer && fault.key === key
}
const has = (decoded: Decoded, pointer: string): boolean => faults(decoded).some((fault) => fault.pointer === pointer)

const place = { taxpayerId: taxpayerUuid, businessPremiseId: premiseUuid, clientReference: "order-1" }
const cashier = { id: "shop" }
const payments = [{ type: "CARD", amount: decimal("10") }]
const identified = { id: "20:1234567" }
const production = { environment: "production" } as const

const refundBody: Body = {
  ...place,
  original: { source: "SVC", fiscalDocumentId: documentUuid },
  cashier,
  buyer: identified,
  items: [{ ...itemBody, originalLineIndex: decimal("0") }],
  payments
}
const paymentBody: Body = { cashier, items: [itemBody], payments }
const cancellationBody: Body = { advanceSaleId: documentUuid, cashier, buyer: identified }
const closingBody: Body = { cashier, items: [itemBody], remainingPayments: payments }
const caseBody: Body = { ...place }
const externalAdvance = {
  documentNumber: "XXXXXXXX-XXXXXXXX-7",
  documentTime: "2022-01-05T12:00:00+01:00",
  amount: decimal("120"),
  taxAmount: decimal("20")
}
const proformaBody: Body = { ...place, invoiceType: "PROFORMA", transactionType: "SALE", cashier, items: [itemBody], payments }
const proformaRefund: Body = {
  ...proformaBody,
  transactionType: "REFUND",
  buyer: identified,
  reference: { source: "SVC", fiscalDocumentId: documentUuid }
}

const refund = (body: unknown): Decoded => decodeRefundRequest(body, production)
const payment = (body: unknown): Decoded => decodeAdvancePaymentRequest(body, production)
const closing = (body: unknown): Decoded => decodeAdvanceClosingRequest(body, production)
const proforma = (body: unknown): Decoded => decodeProformaTrainingRequest(body, production)

const requests: ReadonlyArray<{ readonly read: (body: unknown) => Decoded; readonly body: Body; readonly required: ReadonlyArray<string> }> = [
  {
    read: refund,
    body: refundBody,
    required: ["taxpayerId", "businessPremiseId", "clientReference", "original", "cashier", "buyer", "items", "payments"]
  },
  { read: decodeCopyRequest, body: { cashier }, required: ["cashier"] },
  { read: decodeAdvanceCaseRequest, body: caseBody, required: ["taxpayerId", "businessPremiseId", "clientReference"] },
  { read: payment, body: paymentBody, required: ["cashier", "items", "payments"] },
  { read: decodeAdvanceCancellationRequest, body: cancellationBody, required: ["advanceSaleId", "cashier", "buyer"] },
  { read: closing, body: closingBody, required: ["cashier", "items", "remainingPayments"] },
  {
    read: proforma,
    body: proformaBody,
    required: ["taxpayerId", "businessPremiseId", "clientReference", "invoiceType", "transactionType", "cashier", "items", "payments"]
  }
]

rule("WORKFLOW-BODY-1", {
  says: "Every workflow request names what it must, and nothing it does not know; all its faults are reported at once.",
  source: "Spec, refund-workflows; Decisions §1, §5"
}, ({ holdsForEvery }) => {
  holdsForEvery("the smallest body of each is accepted", requests, ({ read, body }) => Result.isSuccess(read(body)))
  holdsForEvery("each required field is missed, each alone", requests.flatMap((request) => request.required.map((name) => ({ ...request, name }))),
    ({ read, body, name }) => isOnly(read(withAt(body, [name], undefined)), `/${name}`, name.slice(0, 1).toUpperCase() + name.slice(1)))
  holdsForEvery("all of them together, in an empty body", requests, ({ read, required }) => required.every((name) => has(read({}), `/${name}`)))
  holdsForEvery("an unknown field is refused", requests, ({ read, body }) => isOnly(read({ ...body, note: "x" }), "/note", "Note"))
})

rule("WORKFLOW-BODY-2", {
  says: "clientReference, commercialFooter and metadata are common to all mutations of documents and bounded alike.",
  source: "Decisions §5, common optional fields"
}, ({ holdsForEvery }) => {
  holdsForEvery("accepted, null too, and held to their bounds", requests.filter(({ read }) => read !== decodeAdvanceCaseRequest), ({ read, body }) =>
    Result.isSuccess(read({ ...body, clientReference: "r", commercialFooter: "a\nb", metadata: { k: true } })) &&
    Result.isSuccess(read({ ...body, commercialFooter: null, metadata: null })) &&
    has(read({ ...body, commercialFooter: "x".repeat(2001) }), "/commercialFooter") &&
    has(read({ ...body, clientReference: "x".repeat(201) }), "/clientReference"))
})

rule("WORKFLOW-BODY-3", {
  says: "The buyer of a refund and of an advance cancellation is identified.",
  source: "Spec, Refunds rule 3; Decisions §5"
}, ({ holdsForEvery }) => {
  const refunding = [{ read: refund, body: refundBody }, { read: decodeAdvanceCancellationRequest, body: cancellationBody }, { read: proforma, body: proformaRefund }]
  holdsForEvery("a buyer without an id is refused at the id", refunding, ({ read, body }) => has(read({ ...body, buyer: {} }), "/buyer/id"))
  holdsForEvery("so is a null one, and one of a wrong form", refunding, ({ read, body }) =>
    has(read({ ...body, buyer: { id: null } }), "/buyer/id") && has(read({ ...body, buyer: { id: "10:1" } }), "/buyer/id"))
})

rule("WORKFLOW-BODY-4", {
  says: "The buyer's optional field is refused on every document but a Normal Sale; a closing takes it for its final sale.",
  source: "Spec, fiscal-documents rule 5"
}, ({ holdsForEvery }) => {
  const buyer = { ...identified, optionalField: "20:1" }
  const refusing = [
    { read: refund, body: refundBody },
    { read: decodeAdvanceCaseRequest, body: caseBody },
    { read: decodeAdvanceCancellationRequest, body: cancellationBody },
    { read: proforma, body: proformaBody }
  ]
  holdsForEvery("refused at the field", refusing, ({ read, body }) => isOnly(read({ ...body, buyer }), "/buyer/optionalField", "Buyer.OptionalField"))
  holdsForEvery("accepted on a closing; a corporate card still pays by voucher", [closingBody], (body) =>
    Result.isSuccess(closing({ ...body, buyer })) &&
    isOnly(closing({ ...body, buyer: { ...identified, optionalField: "50:1" } }), "/buyer/optionalField", "Buyer.OptionalField"))
})

rule("WORKFLOW-BODY-5", {
  says: "A refund is of a document of this service and says for each item which line it gives back.",
  source: "Spec, Refunds rule 1; Decisions §5, Refund workflow"
}, ({ holdsForEvery }) => {
  holdsForEvery("another ESIR's receipt is refused", ["EXTERNAL"], (source) =>
    has(refund(withAt(refundBody, ["original", "source"], source)), "/original/source"))
  holdsForEvery("the line's index is a whole number from 0", ["-1", "0.5", "1000000"], (index) =>
    has(refund(withAt(refundBody, ["items", 0, "originalLineIndex"], decimal(index))), "/items/0/originalLineIndex"))
  holdsForEvery("it is required", [undefined, null, "0"], (index) =>
    has(refund(withAt(refundBody, ["items", 0, "originalLineIndex"], index)), "/items/0/originalLineIndex"))
  holdsForEvery("it is read as the number it is", ["0", "7", "12.0"], (index) => {
    const read = decodeRefundRequest(withAt(refundBody, ["items", 0, "originalLineIndex"], decimal(index)), production)
    return Result.isSuccess(read) && read.success.items[0]?.originalLineIndex === Number(index)
  })
  holdsForEvery("whether its payments are right is left to what remains of the lines", ["9.99", "10.01"], (amount) =>
    Result.isSuccess(refund(withAt(refundBody, ["payments", 0, "amount"], decimal(amount)))))
})

const now = DateTime.makeUnsafe("2026-08-29T10:00:00Z")

rule("WORKFLOW-BODY-6", {
  says: "An advance's earlier payment is told only for a wire transfer, and only of an earlier Belgrade day.",
  source: "Spec, fiscal-documents, transactionOccurredAt; Decisions §5; V-PFR §2"
}, ({ holdsForEvery, holds }) => {
  const paidBy = (type: string) => ({ ...paymentBody, payments: [{ type, amount: decimal("10") }], paymentOccurredAt: "2026-08-28T10:00:00+02:00" })
  holdsForEvery("other payments are refused at the time", ["CARD", "CASH", "INSTANT_PAYMENT", "VOUCHER", "CHECK", "OTHER"], (type) =>
    isOnly(payment(paidBy(type)), "/paymentOccurredAt", "PaymentOccurredAt"))
  holdsForEvery("a wire transfer among them is enough", ["WIRE_TRANSFER"], (type) => Result.isSuccess(payment(paidBy(type))))
  holds("the day is compared in Belgrade", { minutes: fc.integer({ min: -5000, max: 5000 }) }, ({ minutes }) => {
    const paid = DateTime.add(now, { minutes })
    return Result.isSuccess(checkPaymentDay(paid, now)) === (belgradeDay(paid) < "2026-08-29")
  })
  holdsForEvery("23:59 yesterday in Belgrade is earlier, midnight is today", [["2026-08-28T21:59:59Z", true], ["2026-08-28T22:00:00Z", false]] as const,
    ([paid, accepted]) => Result.isSuccess(checkPaymentDay(DateTime.makeUnsafe(paid), now)) === accepted)
  holdsForEvery("without it nothing is asked", [null], (paid) => Result.isSuccess(checkPaymentDay(paid, now)))
})

rule("WORKFLOW-BODY-7", {
  says: "An advance sale's payments sum to its items; a closing's are judged with its case.",
  source: "Decisions §1, Totals; Decisions §5, Advance case"
}, ({ holdsForEvery }) => {
  holdsForEvery("one para off is refused under totals", ["9.99", "10.01"], (amount) =>
    isOnly(payment(withAt(paymentBody, ["payments", 0, "amount"], decimal(amount))), "/payments", "totals") &&
    isOnly(proforma(withAt(proformaBody, ["payments", 0, "amount"], decimal(amount))), "/payments", "totals"))
  const tooMuch = { unitPrice: decimal("999999999999.99"), quantity: decimal("1.001") }
  holdsForEvery("no line exceeds the largest amount, on a refund and a closing too", [
    { read: refund, body: { ...refundBody, items: [{ ...itemBody, ...tooMuch, originalLineIndex: decimal("0") }] } },
    { read: closing, body: { ...closingBody, items: [{ ...itemBody, ...tooMuch }] } }
  ], ({ read, body }) => has(read(body), "/items/0"))
  holdsForEvery("a closing may pay nothing more", ["0", "3.33"], (amount) =>
    Result.isSuccess(closing(withAt(closingBody, ["remainingPayments", 0, "amount"], decimal(amount)))))
})

rule("WORKFLOW-BODY-8", {
  says: "A closing's buyer is the request's, else the case's; without an id it is refused.",
  source: "Decisions §5, Advance case"
}, ({ holdsForEvery }) => {
  const buyer = (id: string | null, optionalField: string | null = null) => ({ id, optionalField })
  holdsForEvery("who it is", [
    [buyer("10:101670560", "20:1"), buyer("20:1"), "10:101670560 20:1"],
    [null, buyer("20:1"), "20:1 null"],
    [buyer(null, "20:1"), buyer("20:9"), "20:9 20:1"],
    [null, null, "Buyer.Id"],
    [buyer(null), buyer(null), "Buyer.Id"]
  ] as const, ([requested, ofCase, expected]) => {
    const chosen = closingBuyer(requested, ofCase)
    const told = Result.isSuccess(chosen) ? `${chosen.success.id} ${chosen.success.optionalField}` : chosen.failure.faults[0]?.key
    return told === expected
  })
})

rule("WORKFLOW-BODY-9", {
  says: "An external advance has a number, a time, an amount above 0 and a tax not above the amount.",
  source: "Decisions §5, Advance case"
}, ({ holdsForEvery }) => {
  const withAdvance = (fields: Body) => decodeAdvanceCaseRequest({ ...caseBody, externalAdvance: { ...externalAdvance, ...fields } })
  holdsForEvery("accepted", [{}, { taxAmount: decimal("0") }, { taxAmount: decimal("120") }], (fields) => Result.isSuccess(withAdvance(fields)))
  holdsForEvery("refused", [
    ["amount", decimal("0")],
    ["amount", decimal("-1")],
    ["amount", decimal("150.001")],
    ["taxAmount", decimal("120.01")],
    ["taxAmount", decimal("-0.01")],
    ["documentTime", "2022-02-30T12:00:00+01:00"],
    ["documentNumber", ""],
    ["documentNumber", "x".repeat(51)]
  ] as const, ([name, value]) => isOnly(withAdvance({ [name]: value }), `/externalAdvance/${name}`, `ExternalAdvance.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`))
  holdsForEvery("without its tax, or without its amount, it misses just that", ["taxAmount", "amount"], (name) =>
    isOnly(withAdvance({ [name]: undefined }), `/externalAdvance/${name}`, `ExternalAdvance.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`))
  holdsForEvery("its time is an instant", ["2022-01-05T12:00:00+01:00", "2022-01-05T11:00:00Z"], (documentTime) => {
    const read = decodeAdvanceCaseRequest({ ...caseBody, externalAdvance: { ...externalAdvance, documentTime } })
    return Result.isSuccess(read) && read.success.externalAdvance !== null &&
      DateTime.formatIso(read.success.externalAdvance.documentTime) === "2022-01-05T11:00:00.000Z"
  })
})

rule("WORKFLOW-BODY-10", {
  says: "Proforma and training requests are of those types; a refund names a sale of this service. Other types name their operation.",
  source: "Spec, Document types; Decisions §5, Proforma and training"
}, ({ holdsForEvery }) => {
  holdsForEvery("both types, sale and refund", ["PROFORMA", "TRAINING"], (invoiceType) =>
    Result.isSuccess(proforma({ ...proformaBody, invoiceType })) && Result.isSuccess(proforma({ ...proformaRefund, invoiceType })))
  holdsForEvery("others name theirs", [["NORMAL", "/v1/fiscal-documents"], ["ADVANCE", "/v1/advance-cases"], ["COPY", "/copies"]] as const,
    ([invoiceType, operation]) => faults(proforma({ ...proformaBody, invoiceType })).some((fault) => fault.key === "InvoiceType" && fault.message.includes(operation)))
  holdsForEvery("a refund without its sale, or of another ESIR's", [["reference", undefined], ["reference", { source: "EXTERNAL" }]] as const,
    ([name, value]) => faults(proforma(withAt(proformaRefund, [name], value))).some((fault) => fault.pointer.startsWith("/reference")))
})

const registration: Body = {
  taxIdentifier: "101670560",
  name: "Shop",
  vatStatus: "IN_VAT",
  businessPremises: [{ puIdentifier: "1234567", name: "Web shop" }]
}

rule("WORKFLOW-BODY-11", {
  says: "A taxpayer is registered with nine digits, its VAT status and at least one premise, no two of one identifier.",
  source: "Decisions §5, setup"
}, ({ holdsForEvery }) => {
  holdsForEvery("accepted", [registration, { ...registration, address: "A", city: null, vatStatus: "OUTSIDE_VAT" }], (body) => Result.isSuccess(decodeTaxpayerRegistration(body)))
  holdsForEvery("refused at its place", [
    [["taxIdentifier"], "12345678"],
    [["taxIdentifier"], "12345678a"],
    [["name"], ""],
    [["name"], "x".repeat(351)],
    [["address"], "x".repeat(301)],
    [["city"], "x".repeat(101)],
    [["vatStatus"], "in_vat"],
    [["businessPremises"], []],
    [["businessPremises", 0, "puIdentifier"], ""],
    [["businessPremises", 0, "name"], undefined]
  ] as const, ([path, value]) => has(decodeTaxpayerRegistration(withAt(registration, path, value)), pointerOf(path)))
  holdsForEvery("the second of two premises with one identifier is refused", [registration], (body) => {
    const premise = { puIdentifier: "1234567", name: "Second" }
    return has(decodeTaxpayerRegistration({ ...body, businessPremises: [premise, premise] }), "/businessPremises/1/puIdentifier")
  })
  holdsForEvery("two premises without an identifier miss it, and are not told that they are alike", [registration], (body) => {
    const told = faults(decodeTaxpayerRegistration({ ...body, businessPremises: [{ name: "One" }, { name: "Two" }] }))
    return told.map((fault) => `${fault.pointer} ${fault.message}`).join() ===
      "/businessPremises/0/puIdentifier is required,/businessPremises/1/puIdentifier is required"
  })
  holdsForEvery("1 000 premises are taken, 1 001 are refused", [1000, 1001], (count) => {
    const businessPremises = Array.from({ length: count }, (_, at) => ({ puIdentifier: String(at), name: "Shop" }))
    const read = decodeTaxpayerRegistration({ ...registration, businessPremises })
    return count === 1000 ? Result.isSuccess(read) : isOnly(read, "/businessPremises", "BusinessPremises")
  })
})
