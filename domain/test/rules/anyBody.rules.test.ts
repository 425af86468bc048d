import { Result } from "effect"
import * as fc from "fast-check"
import { canonicalContent } from "../../src/idempotency/canonicalContent.ts"
import { decodeAdvanceCancellationRequest } from "../../src/requests/AdvanceCancellationRequest.ts"
import { decodeAdvanceCaseRequest } from "../../src/requests/AdvanceCaseRequest.ts"
import { decodeAdvanceClosingRequest } from "../../src/requests/AdvanceClosingRequest.ts"
import { decodeAdvancePaymentRequest } from "../../src/requests/AdvancePaymentRequest.ts"
import { decodeCopyRequest } from "../../src/requests/CopyRequest.ts"
import type { RequestFaults } from "../../src/requests/Fault.ts"
import { decodeFiscalDocumentRequest } from "../../src/requests/FiscalDocumentRequest.ts"
import { decodeProformaTrainingRequest } from "../../src/requests/ProformaTrainingRequest.ts"
import { readBodyTree } from "../../src/requests/readBodyTree.ts"
import { decodeRefundRequest } from "../../src/requests/RefundRequest.ts"
import { decodeTaxpayerRegistration } from "../../src/requests/TaxpayerRegistration.ts"
import { externalCopyBody, saleBody, validSale, withAt } from "../arbitraries/SaleBody.ts"
import { rule } from "./ruleBook.ts"

const sandbox = { environment: "sandbox" } as const

const readers: ReadonlyArray<(body: unknown) => Result.Result<unknown, RequestFaults>> = [
  (body) => decodeFiscalDocumentRequest(body, sandbox),
  (body) => decodeRefundRequest(body, sandbox),
  (body) => decodeAdvancePaymentRequest(body, sandbox),
  (body) => decodeAdvanceClosingRequest(body, sandbox),
  (body) => decodeProformaTrainingRequest(body, sandbox),
  decodeAdvanceCaseRequest,
  decodeAdvanceCancellationRequest,
  decodeCopyRequest,
  decodeTaxpayerRegistration
]

const anyTree = fc.json({ maxDepth: 4 }).map((text) => Result.getOrThrow(readBodyTree(text)))

const names = ["items", "payments", "buyer", "cashier", "metadata", "reference", "invoiceType", "externalAdvance", "businessPremises"]
/** Objects with the names the requests know, and anything at all behind them. */
const nearlyBody = fc.dictionary(fc.constantFrom(...names), anyTree)

const places: ReadonlyArray<ReadonlyArray<string | number>> = [
  ["items"],
  ["items", 0],
  ["items", 0, "name"],
  ["items", 0, "quantity"],
  ["items", 0, "taxLabels"],
  ["payments"],
  ["payments", 0],
  ["payments", 0, "amount"],
  ["cashier"],
  ["buyer"],
  ["metadata"],
  ["reference"],
  ["invoiceType"],
  ["transactionType"]
]

const isWellAnswered = (answer: Result.Result<unknown, RequestFaults>): boolean =>
  Result.isSuccess(answer) ||
  (answer.failure.faults.length > 0 &&
    answer.failure.faults.every((fault) =>
      fault.key !== "" && fault.message !== "" && (fault.pointer === "" || fault.pointer.startsWith("/"))))

rule("BODY-12", {
  says: "Whatever JSON is sent, it is read or refused with its faults; no body makes a reader fail.",
  source: "Decisions §1, Problem body"
}, ({ holds }) => {
  holds("anything at all, to every reader", { body: anyTree, reader: fc.constantFrom(...readers) }, ({ body, reader }) => isWellAnswered(reader(body)), { cases: 500 })
  holds("anything under the names the requests know", { body: nearlyBody, reader: fc.constantFrom(...readers) },
    ({ body, reader }) => isWellAnswered(reader(body)), { cases: 500 })
  holds("a valid document with anything at one of its places",
    { sale: fc.oneof(validSale, fc.constantFrom(saleBody, externalCopyBody)), place: fc.constantFrom(...places), value: anyTree },
    ({ sale, place, value }) => isWellAnswered(decodeFiscalDocumentRequest(withAt(sale, place, value), sandbox)), { cases: 500 })
  holds("and every one of them has a canonical text", { body: anyTree }, ({ body }) => canonicalContent("POST /v1/x", body).startsWith("POST /v1/x\n"))
})
