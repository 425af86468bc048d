import { presentAdvanceCase, presentDocument } from "@overa/domain"
import { DateTime } from "effect"
import { expect, it } from "vitest"
import { decimal } from "../../../domain/test/arbitraries/SaleLine.ts"
import { operationOf, signedAnswer } from "../../../domain/test/arbitraries/Operation.ts"
import { advanceCaseJson } from "../src/contract/advanceSchemas.ts"
import { fiscalDocumentJson } from "../../kit/src/contract/documentSchemas.ts"
import { refundWorkflowJson } from "../src/contract/refundSchemas.ts"

const reference = { source: "EXTERNAL", fiscalDocumentId: null, pfrNumber: "A-A-1", pfrTime: "2026-08-01T10:00:00+02:00", invoiceType: "ADVANCE", transactionType: "SALE" } as const
const base = operationOf()
const receipt = operationOf({ status: "FISCALIZED", answer: signedAnswer, content: { ...base.content, reference } })
const rejected = operationOf({ status: "REJECTED", failureCode: "PFR_VALIDATION_REJECTED", rejection: { items: [{ property: "items", codes: ["2807"] }] } })
const names = (json: unknown): ReadonlyArray<string> => Object.keys(JSON.parse(JSON.stringify(json)) as object)
const documentNames = "id taxpayerId businessPremiseId idempotencyKey clientReference invoiceType transactionType cashierId buyerId buyerDetails status fiscalized failureCode"

it("writes the members of a document in the contract's order, and leaves out what does not apply", () => {
  const written = presentDocument(receipt, { withRejection: true })
  expect(names(fiscalDocumentJson(written)).join(" ")).toBe(`${documentNames} retryable pfr receipt reference createdAt updatedAt`)
  expect(names(fiscalDocumentJson(presentDocument(rejected, { withRejection: true }))).join(" ")).toBe(`${documentNames} pfrRejection retryable pfr receipt createdAt updatedAt`)
  expect(names(fiscalDocumentJson(presentDocument(rejected, { withRejection: false }))).join(" ")).toBe(`${documentNames} retryable pfr receipt createdAt updatedAt`)
})

it("writes a receipt byte for byte", () => {
  const { pfr, receipt: links, reference: named } = fiscalDocumentJson(presentDocument(receipt, { withRejection: true }))
  expect(JSON.stringify(pfr)).toBe(
    "{\"invoiceNumber\":\"ABCD1234-ABCD1234-15\",\"sdcTime\":\"2026-08-29T12:00:01.1234567+02:00\",\"requestedBy\":\"ABCD1234\",\"signedBy\":\"ABCD1234\",\"transactionTypeCounter\":10," +
      "\"totalCounter\":15,\"invoiceCounterExtension\":\"ПП\",\"totalAmount\":10,\"totalTax\":1.6667,\"verificationUrl\":\"https://verify.example/v/?vl=A\",\"journal\":\"journal\"}"
  )
  expect(JSON.stringify(named)).toBe("{\"pfrNumber\":\"A-A-1\",\"pfrTime\":\"2026-08-01T10:00:00+02:00\"}")
  expect(JSON.stringify(links)).toContain(`"pdf58mmUrl":"/v1/fiscal-documents/${receipt.id}/representations/pdf-58mm"`)
})

it("writes a refund and an advance case with the same documents", () => {
  const refund = { id: "01900003-0000-7000-8000-00000000000a", refund: receipt, copy: rejected, copyId: rejected.id, entries: [] } as unknown as Parameters<typeof refundWorkflowJson>[0]
  const workflow = refundWorkflowJson(refund)
  expect(names(workflow).join(" ")).toBe("id taxpayerId businessPremiseId clientReference status original refund cashRefundCopy failureCode createdAt updatedAt")
  expect(JSON.stringify([workflow["status"], workflow["failureCode"], workflow["original"]])).toBe(
    "[\"COPY_PENDING\",\"PFR_VALIDATION_REJECTED\",{\"source\":\"EXTERNAL\",\"fiscalDocumentId\":null,\"pfrNumber\":\"A-A-1\",\"pfrTime\":\"2026-08-01T10:00:00+02:00\",\"invoiceType\":\"ADVANCE\",\"transactionType\":\"SALE\"}]"
  )
  const externalAdvance = { documentNumber: "A-A-1", documentTime: "2026-08-01T10:00:00+02:00", amount: decimal("10.50"), taxAmount: decimal("1.75") }
  const opened = { ...receipt, clientReference: "order 7", buyer: null, externalAdvance, createdAt: DateTime.makeUnsafe(0) } as unknown as Parameters<typeof presentAdvanceCase>[0]["opened"]
  const bytes = advanceCaseJson(presentAdvanceCase({ opened, documents: [] }, receipt)).bytes().toString()
  expect(JSON.parse(bytes).current).toEqual(JSON.parse(JSON.stringify(fiscalDocumentJson(presentDocument(receipt, { withRejection: true })))))
  expect(bytes).toContain("\"externalAdvance\":{\"documentNumber\":\"A-A-1\",\"documentTime\":\"2026-08-01T10:00:00+02:00\",\"amount\":10.5,\"taxAmount\":1.75},\"totalAdvance\":10.5,\"remainingPayments\":null")
})
