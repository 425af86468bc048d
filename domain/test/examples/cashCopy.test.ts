import { DateTime } from "effect"
import { assert, describe, it } from "vitest"
import { cashCopyOf, copyDueAfterMillis, FiscalDocumentId, type Operation } from "../../src/index.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"

const copyId = FiscalDocumentId.make("01900003-0000-7000-8000-000000000099")
const at = DateTime.toUtc(DateTime.makeUnsafe("2026-08-29T12:00:00Z"))
const content: Operation["content"] = {
  ...operationOf().content,
  transactionType: "REFUND",
  buyer: { id: "20:123456789", optionalField: null },
  metadata: { order: "1" }
}
const signedRefund = operationOf({ content, status: "FISCALIZED", answer: signedAnswer, failureCode: null, attempt: 2 })

describe("the copy of a cash refund", () => {
  it("says what the refund says, as a copy that refers to it", () => {
    const copy = cashCopyOf(signedRefund, copyId, at, "api:host-a")?.operation
    assert.deepInclude(copy?.content, {
      invoiceType: "COPY",
      transactionType: "REFUND",
      clientReference: content.clientReference,
      items: content.items,
      payments: content.payments,
      buyer: content.buyer,
      metadata: null,
      reference: {
        source: "SVC",
        fiscalDocumentId: signedRefund.id,
        pfrNumber: signedAnswer.pfr.invoiceNumber,
        pfrTime: signedAnswer.pfr.sdcTime,
        invoiceType: "NORMAL",
        transactionType: "REFUND"
      }
    })
  })

  it("is reserved and not sent, under the refund's key followed by :copy", () => {
    const reserved = cashCopyOf(signedRefund, copyId, at, "api:host-a")
    assert.deepInclude(reserved?.operation, {
      id: copyId,
      status: "VALIDATED",
      attempt: 0,
      answer: null,
      failureCode: null,
      rejection: null,
      createdAt: at,
      updatedAt: at,
      nextCheckAt: null,
      workflow: signedRefund.workflow
    })
    assert.deepInclude(reserved?.operation.boundKey, { ...signedRefund.boundKey, role: "INNER", key: `${signedRefund.boundKey.key}:copy` })
    assert.deepEqual(reserved?.transitions, [
      { from: null, to: "RECEIVED", at, cause: "received", actor: "api:host-a", attempt: 0 },
      { from: "RECEIVED", to: "VALIDATED", at, cause: "validated", actor: "api:host-a", attempt: 0 }
    ])
  })

  it.each(["SUBMITTING", "OUTCOME_UNKNOWN", "NOT_FISCALIZED", "REJECTED"] as const)("does not exist while the refund is %s", (status) => {
    assert.isNull(cashCopyOf({ ...signedRefund, status, answer: null }, copyId, at, "api:host-a"))
  })

  it("is left to the request that heard the answer for a while, and due at once where nobody else is there", () => {
    assert.isAbove(copyDueAfterMillis("signed"), 5_000)
    assert.strictEqual(copyDueAfterMillis("found"), 0)
    assert.strictEqual(copyDueAfterMillis("confirmedIssued"), 0)
  })
})
