import { describe, expect, it } from "vitest"
import { failureCodeOf, presentDocument, summaryOf } from "../../src/documents/FiscalDocument.ts"
import { FiscalDocumentId, type WorkflowId } from "../../src/tenancy/identifiers.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"

const fiscalDocumentId = FiscalDocumentId.make("01900003-0000-7000-8000-000000000009")
const reference = {
  source: "SVC",
  fiscalDocumentId,
  pfrNumber: "ABCD1234-ABCD1234-9",
  pfrTime: "2026-08-28T12:00:01.1234567+02:00",
  invoiceType: "NORMAL",
  transactionType: "SALE"
} as const

describe("a presented document", () => {
  it("names its buyer and what it refers to", () => {
    const stored = operationOf({ status: "FISCALIZED", answer: signedAnswer })
    const shown = presentDocument({ ...stored, content: { ...stored.content, reference } }, { withRejection: true })
    expect(shown).toMatchObject({
      id: stored.id,
      idempotencyKey: "key-0123456789abcdef",
      clientReference: "order-1",
      cashierId: "shop",
      buyerId: "10:101670560",
      fiscalized: true,
      pfr: signedAnswer.pfr,
      preferredPaperFormat: "80mm",
      reference: { fiscalDocumentId, pfrNumber: "ABCD1234-ABCD1234-9", pfrTime: "2026-08-28T12:00:01.1234567+02:00" }
    })
  })

  it("has null where there is no buyer and no reference", () => {
    const stored = operationOf()
    const shown = presentDocument({ ...stored, content: { ...stored.content, buyer: null } }, { withRejection: true })
    expect([shown.buyerId, shown.reference, shown.pfr]).toEqual([null, null, null])
  })
})

describe("an operation's summary", () => {
  it.each([
    [{ status: "FISCALIZED", failureCode: null, answer: signedAnswer }, "The receipt exists: the V-PFR signed it as ABCD1234-ABCD1234-15; there is nothing more to do."],
    [{ status: "SUBMITTING", failureCode: null, answer: null }, "The request is being sent to the V-PFR; no receipt is known yet; wait for the outcome."],
    [
      { status: "NOT_FISCALIZED", failureCode: "PFR_UNAVAILABLE", answer: null },
      "Nothing was signed; no receipt exists; wait a few seconds and repeat the request with the same key."
    ],
    [
      { status: "REJECTED", failureCode: null, answer: null },
      "The V-PFR rejected the request; no receipt exists and none will; correct the named fields and send the request with a new key."
    ]
  ] as const)("of %o", (operation, sentence) => expect(summaryOf({ ...operationOf(), workflow: null, ...operation })).toBe(sentence))

  const refund = { workflow: { type: "REFUND" as const, id: "01900000-0000-7000-8000-0000000000f1" as WorkflowId } }
  it.each([
    ["REQUEST", "NOT_FISCALIZED", "Nothing was signed; no receipt exists; send the refund again with a new key."],
    ["INNER", "NOT_FISCALIZED", "Nothing was signed; no receipt exists; the service sends the copy again by itself."],
    ["INNER", "REJECTED", "The V-PFR rejected the request; no receipt exists and none will; an operator has the copy sent again."],
    ["REQUEST", "REJECTED", "The V-PFR rejected the request; no receipt exists and none will; correct the named fields and send the request with a new key."]
  ] as const)("of a refund workflow's document, %s and %s", (role, status, sentence) => {
    const stored = operationOf()
    const operation = { ...stored, ...refund, status, failureCode: null, answer: null, boundKey: { ...stored.boundKey, role } }
    expect(summaryOf(operation)).toBe(sentence)
  })

  const advance = { workflow: { type: "ADVANCE" as const, id: "01900000-0000-7000-8000-0000000000f2" as WorkflowId } }
  it.each([
    [null, /waits for the Advance Refund of its closing; no receipt exists yet; .*repeat the closing with the same key\.$/],
    [{ ...reference, invoiceType: "ADVANCE", transactionType: "REFUND" }, /is about to be sent; no receipt exists yet; wait for the outcome\.$/]
  ] as const)("of a closing's final sale that is not sent yet, referring to %o", (referred, sentence) => {
    const stored = operationOf()
    const content = { ...stored.content, invoiceType: "NORMAL", transactionType: "SALE", reference: referred } as const
    expect(summaryOf({ ...stored, ...advance, content, status: "VALIDATED", failureCode: null, answer: null })).toMatch(sentence)
  })

  it.each([
    [{ status: "RECEIVED" }, {}],
    [{ status: "SUBMITTING" }, {}],
    [{ workflow: null }, {}],
    [{ workflow: { type: "PROFORMA_TRAINING", id: advance.workflow.id } }, {}],
    [{}, { invoiceType: "ADVANCE" }]
  ] as const)("of any other document says nothing of an Advance Refund: %o, %o", (change, of) => {
    const stored = operationOf()
    const content = { ...stored.content, invoiceType: "NORMAL", transactionType: "SALE", reference: null, ...of } as const
    expect(summaryOf({ ...stored, ...advance, status: "VALIDATED", failureCode: null, answer: null, ...change, content })).not.toContain("Advance Refund")
  })

  it.each(["OUTCOME_UNKNOWN", "RECONCILING"] as const)("of its copy, %s, sends nobody again", (status) => {
    const stored = operationOf()
    const summary = summaryOf({ ...stored, ...refund, status, failureCode: null, answer: null, boundKey: { ...stored.boundKey, role: "INNER" } })
    expect(summary).toContain("send nothing new")
    expect(summary).not.toContain("operator has the copy")
  })

  it("takes a rejection for one even where no code was stored", () =>
    expect(failureCodeOf("REJECTED", null)).toBe("PFR_VALIDATION_REJECTED"))
})
