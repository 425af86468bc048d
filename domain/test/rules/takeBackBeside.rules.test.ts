import { keptIn } from "../../src/restore/KeptFile.ts"
import { documentUuid, premiseUuid } from "../arbitraries/SaleBody.ts"
import { body, document, type Json, pfr, proof, requestOf, taken } from "../examples/keptFiles.ts"
import { rule } from "./ruleBook.ts"

rule("TAKEBACK-7", {
  says: "The proof of a payment, a cancellation or a closing names the advance case, its answer a document of the case: any other closing of this case concerns it too.",
  source: "Decisions §15; docs/adr/0120"
}, ({ holdsForEvery }) => {
  const unknownOutcome = { ...document, status: "OUTCOME_UNKNOWN", pfr: null }
  const advanceRefund = { ...unknownOutcome, invoiceType: "ADVANCE", transactionType: "REFUND", idempotencyKey: "key-1:advance-refund" }
  const proofAt = (given: Json, at: string) => ({ ...proof, document: given, request: requestOf(body, "POST", at) })
  const closing = `/v1/advance-cases/${premiseUuid}/closing`
  const cases: ReadonlyArray<readonly [unknown, boolean | null]> = [
    [proofAt(advanceRefund, closing), true],
    [proofAt(unknownOutcome, closing), true],
    [proofAt(unknownOutcome, `/v1/advance-cases/${premiseUuid}/payments`), false],
    [proofAt(unknownOutcome, `/v1/advance-cases/${premiseUuid}/cancellations`), false],
    [proofAt({ ...advanceRefund, invoiceType: "COPY", idempotencyKey: "key-1:copy" }, `/v1/advance-cases/${premiseUuid}/cancellations`), null],
    [proofAt(unknownOutcome, "/v1/advance-cases/1/closing"), null],
    [proofAt(unknownOutcome, "/v1/refund-workflows"), null],
    [{ ...advanceRefund, status: "FISCALIZED", pfr }, null],
    [{ ...advanceRefund, status: "FISCALIZED", pfr, reference: { fiscalDocumentId: null } }, null],
    [{ ...advanceRefund, status: "FISCALIZED", pfr, invoiceType: "NORMAL", reference: { fiscalDocumentId: premiseUuid } }, null],
    [{ ...advanceRefund, status: "FISCALIZED", pfr, invoiceType: "COPY", reference: { fiscalDocumentId: premiseUuid } }, null]
  ]
  holdsForEvery("by the path of its request", cases, ([value, closes]) => {
    const plan = taken(value)
    return plan?._tag === "Key" && (plan.inCase === null ? closes === null : plan.inCase.id === premiseUuid && plan.inCase.closes === closes)
  })
  const answers: ReadonlyArray<readonly [Json, boolean]> = [
    [advanceRefund, true],
    [{ ...advanceRefund, idempotencyKey: "key-1" }, false],
    [{ ...advanceRefund, transactionType: "SALE" }, false],
    [{ ...advanceRefund, transactionType: "SALE", invoiceType: "NORMAL" }, true]
  ]
  holdsForEvery("of an answer, by the document that it refers to", answers, ([given, closes]) => {
    const plan = taken({ ...given, status: "FISCALIZED", pfr, reference: { fiscalDocumentId: premiseUuid } })
    return plan?._tag === "Key" && plan.inCase?.id === null && plan.inCase.referredId === premiseUuid && plan.inCase.closes === closes
  })
})

rule("TAKEBACK-8", {
  says: "The file of a refund, its proof or its answer, names the receipt that it gives back: any other refund of this receipt concerns it too.",
  source: "Decisions §15; docs/adr/0120"
}, ({ holdsForEvery }) => {
  const refund = { ...document, invoiceType: "NORMAL", transactionType: "REFUND", reference: { fiscalDocumentId: premiseUuid } }
  const files = (given: Json): ReadonlyArray<unknown> => [
    { ...given, status: "FISCALIZED", pfr },
    { ...proof, document: { ...given, status: "OUTCOME_UNKNOWN", pfr: null }, request: requestOf(body, "POST", "/v1/refund-workflows") }
  ]
  const givesBack = (value: unknown): unknown => {
    const plan = taken(value)
    return plan?._tag === "Key" && plan.inCase === null ? plan.givesBack : "no key"
  }
  holdsForEvery("a refund of a sale", files(refund), (value) => givesBack(value) === premiseUuid)
  const { reference: _, ...unreferred } = refund
  const others: ReadonlyArray<Json> = [
    { ...refund, transactionType: "SALE", invoiceType: "COPY" }, { ...refund, invoiceType: "COPY" }, { ...refund, invoiceType: "PROFORMA" }, { ...refund, invoiceType: "TRAINING" },
    { ...refund, reference: null }, { ...refund, reference: { fiscalDocumentId: null } }, unreferred
  ]
  holdsForEvery("no other document, and no refund without a reference", others.flatMap(files), (value) => givesBack(value) === null)
})

rule("TAKEBACK-9", {
  says: "Of a workflow's answer each document is taken back; a proof is never taken apart.",
  source: "Spec, Resources; Decisions §15"
}, ({ holdsForEvery }) => {
  const of = (end: string): Json => ({ ...document, id: documentUuid.replace(/.$/, end) })
  const [one, other, third, fourth] = [of("1"), of("2"), of("3"), of("4")] as const
  const unreadable = { ...proof, version: 2 }
  const cases: ReadonlyArray<readonly [value: unknown, held: ReadonlyArray<unknown>]> = [
    [document, [document]],
    [proof, [proof]],
    [unreadable, [unreadable]],
    [{ id: premiseUuid, status: "COMPLETED", refund: one, cashRefundCopy: other }, [one, other]],
    [{ id: premiseUuid, status: "COMPLETED", refund: one, cashRefundCopy: null }, [one]],
    [{ id: premiseUuid, document: one }, [one]],
    [{ id: premiseUuid, advanceSales: [one], advanceCancellations: [{ refund: other, copy: null }, { refund: third, copy: fourth }], advanceRefund: null, finalSale: null, current: one }, [one, other, third, fourth]],
    [{ id: premiseUuid, advanceSales: [], advanceCancellations: [], advanceRefund: one, finalSale: other, current: other }, [one, other]],
    [{ id: premiseUuid, refund: unreadable }, [{ id: premiseUuid, refund: unreadable }]],
    [{ id: premiseUuid, advanceSales: [] }, [{ id: premiseUuid, advanceSales: [] }]],
    [null, [null]],
    ["x", ["x"]]
  ]
  const nested = (open: string, close: string): unknown => JSON.parse(`${open.repeat(500_000)}1${close.repeat(500_000)}`)
  holdsForEvery("a value that is nested deeper than any stack holds itself alone", [nested("[", "]"), nested("{\"refund\":", "}")], (value) => keptIn(value).length === 1 && keptIn(value)[0] === value)
  holdsForEvery("refunds, advance cases, proforma and training documents", cases, ([value, held]) => JSON.stringify(keptIn(value)) === JSON.stringify(held))
})

rule("TAKEBACK-10", {
  says: "The proof of a copy that the service made names the refund, by its id, its key and its receipt's number: it has a receipt, so it is not sent again.",
  source: "Spec, Refunds rule 4; docs/adr/0120"
}, ({ holdsForEvery }) => {
  const copy: Json = { ...document, invoiceType: "COPY", transactionType: "REFUND", idempotencyKey: "key-1:copy", reference: { fiscalDocumentId: premiseUuid, pfrNumber: "A-A-7" } }
  const unnumbered: Json = { ...copy, reference: { fiscalDocumentId: premiseUuid } }
  const proofAt = (given: Json, at: string): Json => ({ ...proof, document: given, request: requestOf(body, "POST", at) })
  const copied = (value: unknown): unknown => {
    const plan = taken(value)
    return plan?._tag === "Key" ? plan.copied : "no key"
  }
  const cases: ReadonlyArray<readonly [unknown, unknown]> = [
    [proofAt({ ...copy, status: "OUTCOME_UNKNOWN", pfr: null }, "/v1/refund-workflows"), { id: premiseUuid, key: "key-1", invoiceNumber: "A-A-7" }],
    [proofAt({ ...unnumbered, status: "OUTCOME_UNKNOWN", pfr: null }, "/v1/refund-workflows"), { id: premiseUuid, key: "key-1", invoiceNumber: null }],
    [proofAt({ ...copy, status: "OUTCOME_UNKNOWN", pfr: null }, `/v1/advance-cases/${documentUuid}/cancellations`), { id: premiseUuid, key: "key-1", invoiceNumber: "A-A-7" }],
    [proofAt({ ...copy, status: "OUTCOME_UNKNOWN", pfr: null }, `/v1/fiscal-documents/${premiseUuid}/copies`), null],
    [proofAt({ ...copy, status: "OUTCOME_UNKNOWN", pfr: null, reference: null }, "/v1/refund-workflows"), null],
    [proofAt({ ...copy, status: "OUTCOME_UNKNOWN", pfr: null, invoiceType: "NORMAL" }, "/v1/refund-workflows"), null],
    [{ ...copy, status: "FISCALIZED", pfr }, null]
  ]
  holdsForEvery("not that of another document, and no answer", cases, ([value, named]) => JSON.stringify(copied(value)) === JSON.stringify(named))
})
