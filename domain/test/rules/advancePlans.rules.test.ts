import { advanceRefundKey, type OpenedAdvanceCase } from "../../src/advances/AdvanceCase.ts"
import { DateTime, Result } from "effect"
import * as fc from "fast-check"
import { advanceEffect, innerDocumentId } from "../../src/advances/advanceEffects.ts"
import { advanceSales, cancelledSaleIds, caseDocuments, inFlightOf } from "../../src/advances/caseDocuments.ts"
import { isSentByAnother, mayBeRedriven, planCancellation, planClosing, planPayment } from "../../src/advances/planAdvanceDocument.ts"
import { closingCurrent, presentAdvanceCase } from "../../src/advances/presentAdvanceCase.ts"
import type { DocumentReference } from "../../src/references/ReferencedDocument.ts"
import type { DocumentStatus, FailureCode } from "../../src/documents/DocumentStatus.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { FiscalDocumentId } from "../../src/tenancy/identifiers.ts"
import { AdvanceHistory, advanceSteps, mutationOf, playAdvanceHistory } from "../arbitraries/AdvanceHistory.ts"
import { externalAdvance } from "../arbitraries/AdvanceSale.ts"
import { operationOf, signedAnswer } from "../arbitraries/Operation.ts"
import { decimal, lineOf } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const at = DateTime.makeUnsafe("2026-08-29T10:00:00Z")
const idOf = (number: number): FiscalDocumentId => FiscalDocumentId.make(`01900006-0000-7000-8000-${number.toString(16).padStart(12, "0")}`)
const { opened } = new AdvanceHistory(null)

type Part = "PAYMENT" | "CANCELLATION" | "CANCELLATION_COPY" | "CLOSING_REFUND" | "FINAL_SALE"

const kinds = {
  PAYMENT: { invoiceType: "ADVANCE", transactionType: "SALE" },
  CANCELLATION: { invoiceType: "ADVANCE", transactionType: "REFUND" },
  CANCELLATION_COPY: { invoiceType: "COPY", transactionType: "REFUND" },
  CLOSING_REFUND: { invoiceType: "ADVANCE", transactionType: "REFUND" },
  FINAL_SALE: { invoiceType: "NORMAL", transactionType: "SALE" }
} as const

const referenceOf = (number: number): DocumentReference => ({
  source: "SVC",
  fiscalDocumentId: idOf(number),
  pfrNumber: `ABCD1234-ABCD1234-${number}`,
  pfrTime: "2026-08-29T12:00:01.1234567+02:00",
  invoiceType: "ADVANCE",
  transactionType: "SALE"
})

const keyOf = (number: number): string => `key-${String(number).padStart(16, "0")}`

/** A document of the case; it refers to the one whose number `to` is. The number after an Advance Refund of a closing is its final sale's. */
const document = (number: number, part: Part, status: DocumentStatus, to: number | null = null, failureCode: FailureCode | null = null): Operation => {
  const base = operationOf()
  const isInner = part === "CANCELLATION_COPY" || part === "CLOSING_REFUND"
  return {
    ...base,
    id: idOf(number),
    workflow: { type: "ADVANCE", id: opened.id },
    boundKey: { ...base.boundKey, role: isInner ? "INNER" : "REQUEST", key: part === "CLOSING_REFUND" ? advanceRefundKey(keyOf(number + 1)) : keyOf(number) },
    content: { ...base.content, ...kinds[part], reference: to === null ? null : referenceOf(to) },
    status,
    failureCode,
    answer: status === "FISCALIZED" ? { ...signedAnswer, pfr: { ...signedAnswer.pfr, invoiceNumber: `ABCD1234-ABCD1234-${number}` } } : null,
    updatedAt: DateTime.add(at, { seconds: number })
  }
}

const unread = (operation: Operation): Operation => ({ ...operation, answer: null })
const paidInCash = (operation: Operation): Operation =>
  ({ ...operation, content: { ...operation.content, payments: [{ type: "CASH", amount: decimal("10") }] } })

const said = { cashier: { id: "ana", displayName: "Ана" }, clientReference: "call-7", commercialFooter: { text: "Хвала" }, metadata: { order: "7" } } as unknown as
  Pick<Parameters<typeof planPayment>[2], "cashier" | "clientReference" | "commercialFooter" | "metadata">
const payment = { ...said, items: [lineOf("5", "2")], payments: [{ type: "CARD" as const, amount: decimal("10") }], paymentOccurredAt: at }
const cancellation = { ...said, buyer: { id: "20:7", optionalField: null }, advanceSaleId: idOf(1) }
const closing = { ...said, items: [lineOf("10", "1")], remainingPayments: [{ type: "CASH" as const, amount: decimal("0") }], buyer: { id: "10:101670560", optionalField: "20:5" } }

const paid = document(1, "PAYMENT", "FISCALIZED")
const external: OpenedAdvanceCase["externalAdvance"] = {
  documentNumber: "12345678-ABCDEFGH-1",
  documentTime: "2022-01-05T12:00:00+01:00",
  amount: lineOf("10", "1").unitPrice,
  taxAmount: lineOf("1.67", "1").unitPrice
}
const tagOf = (operation: Operation): string => advanceEffect(operation, { at, actor: "api:host", event: "signed" })._tag

rule("ADVANCE-PLAN-1", {
  says: "What follows from the outcome of a document of a case depends on its part: a signed cash cancellation reserves its signed copy, a signed " +
    "Advance Refund of a closing lets its final sale be sent, a rejected one ends it; nothing else follows from anything.",
  source: "Decisions §5, Advance case (cancellations, closing)"
}, ({ holds, holdsForEvery }) => {
  const effects: ReadonlyArray<readonly [Operation, string]> = [
    [paid, "None"],
    [document(1, "PAYMENT", "REJECTED"), "None"],
    [paidInCash(paid), "None"],
    [document(2, "CANCELLATION", "FISCALIZED", 1), "None"],
    [paidInCash(document(2, "CANCELLATION", "FISCALIZED", 1)), "ReserveCopy"],
    [paidInCash(document(2, "CANCELLATION", "REJECTED", 1)), "None"],
    [document(2, "CANCELLATION_COPY", "FISCALIZED", 1), "None"],
    [document(2, "CANCELLATION_COPY", "REJECTED", 1), "None"],
    [document(2, "CLOSING_REFUND", "FISCALIZED", 1), "ReadyFinalSale"],
    [document(2, "CLOSING_REFUND", "NOT_FISCALIZED", 1), "None"],
    [document(2, "CLOSING_REFUND", "OUTCOME_UNKNOWN", 1), "None"],
    [document(2, "CLOSING_REFUND", "REJECTED", 1), "EndFinalSale"],
    [document(3, "FINAL_SALE", "FISCALIZED", 2), "None"],
    [document(3, "FINAL_SALE", "REJECTED", 2), "None"]
  ]
  holdsForEvery("every part and outcome", effects, ([operation, tag]) => tagOf(operation) === tag)
  holdsForEvery("the final sale refers to the Advance Refund as it was signed", [document(2, "CLOSING_REFUND", "FISCALIZED", 1)], (refund) => {
    const effect = advanceEffect(refund, { at, actor: "api:host", event: "signed" })
    return effect._tag === "ReadyFinalSale" && effect.reference.fiscalDocumentId === idOf(2) && effect.reference.pfrNumber === "ABCD1234-ABCD1234-2" &&
      effect.reference.transactionType === "REFUND"
  })
  const ids = [["01936b0e-9200-7000-8000-000000000002", "01936b0e-9200-7000-8000-000000000003"], ["01936b0e-9200-7000-8000-00000000000f", "01936b0e-9200-7000-8000-00000000000e"]] as const
  holdsForEvery("a document composed after another has its id with the last bit turned", ids, ([parent, id]) => innerDocumentId(FiscalDocumentId.make(parent)) === id)
  holds("no two documents get the same one", { one: fc.nat({ max: 10_000 }), other: fc.nat({ max: 10_000 }) }, ({ one, other }) =>
    (innerDocumentId(idOf(one)) === innerDocumentId(idOf(other))) === (one === other))
})

rule("ADVANCE-PLAN-2", {
  says: "A case is determined by its documents: each cancellation has the copy that refers to it, only a signed one cancels the advance it names, and " +
    "whatever is being sent holds up the next document.",
  source: "Decisions §5, Advance case"
}, ({ holdsForEvery }) => {
  holdsForEvery("each cancellation with its own copy, whatever the order", [[4, 5], [5, 4]] as const, ([first, second]) => {
    const copyOf = (number: number) => document(number, "CANCELLATION_COPY", "FISCALIZED", number - 2)
    const { cancellations } = caseDocuments([document(2, "CANCELLATION", "FISCALIZED", 1), document(3, "CANCELLATION", "FISCALIZED", 1), copyOf(first), copyOf(second)])
    return cancellations.map(({ copy, refund }) => `${refund.id.at(-1)}${copy?.id.at(-1)}`).join() === "24,35"
  })
  const cancelling: ReadonlyArray<readonly [Operation, string]> = [
    [document(2, "CANCELLATION", "FISCALIZED", 1), idOf(1)],
    [document(2, "CANCELLATION", "FISCALIZED"), ""],
    [document(2, "CANCELLATION", "NOT_FISCALIZED", 1), ""]
  ]
  holdsForEvery("a signed cancellation cancels what it names", cancelling, ([refund, ids]) => {
    const documents = caseDocuments([paid, refund])
    return cancelledSaleIds(documents).join() === ids && cancelledSaleIds(documents).length === (ids === "" ? 0 : 1) && advanceSales(documents)[0]?.cancelled === (ids !== "")
  })
  const taxes = [{ label: "Ђ", category: "О-ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal("1.6667") }]
  holdsForEvery("an advance has the taxes that were signed, and none before", [{ ...paid, answer: { ...signedAnswer, taxes } }, document(1, "PAYMENT", "NOT_FISCALIZED")], (sale) =>
    JSON.stringify(advanceSales(caseDocuments([sale]))[0]?.taxes.map(({ label }) => label)) === JSON.stringify(sale.answer === null ? [] : ["Ђ"]))
  holdsForEvery("a document of any part that is being sent is found", ["PAYMENT", "CANCELLATION", "CANCELLATION_COPY", "CLOSING_REFUND", "FINAL_SALE"] as const, (part) => {
    const refund = document(2, "CANCELLATION", part === "CANCELLATION" ? "SUBMITTING" : "FISCALIZED", 1)
    const others = part === "CANCELLATION" ? [] : [document(3, part, "SUBMITTING", 2)]
    return inFlightOf(caseDocuments([paid, refund, ...others]))?.id === idOf(part === "CANCELLATION" ? 2 : 3) &&
      inFlightOf(caseDocuments([paid, { ...refund, status: "FISCALIZED" }])) === null
  })
  holdsForEvery("and the next payment is told which one it waits for", [document(2, "PAYMENT", "SUBMITTING", 1)], (sent) => {
    const plan = planPayment(opened, [paid, sent], payment)
    return Result.isFailure(plan) && "_tag" in plan.failure && plan.failure._tag === "DocumentInFlight" && plan.failure.operation === sent
  })
})

rule("ADVANCE-PLAN-3", {
  says: "A document of a case says what its request says, under the reference of the case where the request has none; the buyer of a payment is the " +
    "case's, and the optional field of a closing is the final sale's alone.",
  source: "Decisions §5, Advance case; Spec, fiscal-documents rule 5"
}, ({ holdsForEvery }) => {
  const isSaid = (content: { readonly cashier: unknown; readonly commercialFooter: unknown; readonly metadata: unknown; readonly clientReference: string }): boolean =>
    content.cashier === said.cashier && content.commercialFooter === said.commercialFooter && content.metadata === said.metadata && content.clientReference === "call-7"
  holdsForEvery("a payment", [null, "call-7"], (clientReference) => {
    const content = Result.getOrThrow(planPayment(opened, [paid], { ...payment, clientReference }))
    return content.clientReference === (clientReference ?? "case-1") && isSaid({ ...content, clientReference: "call-7" }) && content.buyer === opened.buyer &&
      content.items === payment.items && content.payments === payment.payments && content.dateAndTimeOfIssue === at && content.advanceClosing === null &&
      content.reference?.fiscalDocumentId === paid.id && content.invoiceType === "ADVANCE" && content.transactionType === "SALE"
  })
  holdsForEvery("a cancellation", [cancellation], (request) => {
    const content = Result.getOrThrow(planCancellation(opened, [paid], request))
    return isSaid(content) && content.buyer === request.buyer && content.items === paid.content.items && content.dateAndTimeOfIssue === null &&
      content.invoiceType === "ADVANCE" && content.transactionType === "REFUND"
  })
  holdsForEvery("a closing", [closing], (request) => {
    const { advanceRefund, finalSale } = Result.getOrThrow(planClosing(opened, [paid], request))
    return isSaid(finalSale) && JSON.stringify(finalSale.buyer) === JSON.stringify(request.buyer) && finalSale.reference === null && finalSale.items === request.items &&
      finalSale.advanceClosing !== null && finalSale.invoiceType === "NORMAL" && finalSale.transactionType === "SALE" &&
      JSON.stringify(advanceRefund?.buyer) === JSON.stringify({ id: "10:101670560", optionalField: null }) && advanceRefund?.metadata === null &&
      advanceRefund.commercialFooter === null && advanceRefund.cashier === said.cashier && advanceRefund.invoiceType === "ADVANCE" && advanceRefund.transactionType === "REFUND"
  })
  holdsForEvery("a closing over an external advance has no Advance Refund", [{ ...opened, externalAdvance: external }], (withExternal) => {
    const { advanceRefund, finalSale } = Result.getOrThrow(planClosing(withExternal, [], closing))
    return advanceRefund === null && finalSale.reference === null
  })
  holdsForEvery("after a rejected final sale the next one refers to the Advance Refund that is kept", [
    [paid, document(2, "CLOSING_REFUND", "FISCALIZED", 1), document(3, "FINAL_SALE", "REJECTED", 2)]
  ], (operations) => {
    const { advanceRefund, finalSale } = Result.getOrThrow(planClosing(opened, operations, closing))
    return advanceRefund === null && finalSale.reference?.fiscalDocumentId === idOf(2) && finalSale.reference.pfrNumber === "ABCD1234-ABCD1234-2" &&
      finalSale.reference.transactionType === "REFUND" && finalSale.reference.source === "SVC"
  })
})

rule("ADVANCE-PLAN-4", {
  says: "A payment that would raise the advances above the bound of one document is refused under totals; what is signed and has no number is given " +
    "back by nothing.",
  source: "Decisions §1, Bounds; Decisions §5, Advance case"
}, ({ holdsForEvery }) => {
  holdsForEvery("up to the bound, and one para beyond it", [["999999999989.99", true], ["999999999990", false]] as const, ([price, fits]) => {
    const plan = planPayment(opened, [paid], { ...payment, items: [lineOf(price, "1")] })
    return Result.isSuccess(plan) === fits && (fits || (Result.isFailure(plan) && "faults" in plan.failure && plan.failure.faults.map(({ key }) => key).join() === "totals"))
  })
  holdsForEvery("neither by a cancellation nor by a closing", [[unread(paid)]], (operations) => {
    const refused = [planCancellation(opened, operations, cancellation), planClosing(opened, operations, closing)]
    return refused.every(({ _tag }) => _tag === "Failure")
  })
})

rule("ADVANCE-PLAN-5", {
  says: "A document that was not sent is driven again as long as the case would still plan it; the documents of a closing go on as they are.",
  source: "Decisions §5, Advance case; Spec, Errors, Catalogue (ADVANCE_PAYMENT_SUPERSEDED)"
}, ({ holds, holdsForEvery }) => {
  const unsent: ReadonlyArray<{ readonly operations: ReadonlyArray<Operation>; readonly answer: string }> = [
    { operations: [paid, document(2, "PAYMENT", "NOT_FISCALIZED", 1)], answer: "" },
    { operations: [document(2, "PAYMENT", "NOT_FISCALIZED")], answer: "" },
    { operations: [paid, document(2, "PAYMENT", "NOT_FISCALIZED")], answer: "ADVANCE_PAYMENT_SUPERSEDED" },
    { operations: [paid, document(3, "CANCELLATION", "OUTCOME_UNKNOWN", 1), document(2, "PAYMENT", "NOT_FISCALIZED", 1)], answer: "ADVANCE_CASE_NOT_OPEN" },
    { operations: [paid, document(2, "CANCELLATION", "NOT_FISCALIZED", 1)], answer: "" },
    { operations: [paid, document(3, "PAYMENT", "FISCALIZED", 1), document(2, "CANCELLATION", "NOT_FISCALIZED", 1)], answer: "ADVANCE_CANCELLATION_TARGET_NOT_LATEST" },
    { operations: [paid, document(3, "PAYMENT", "OUTCOME_UNKNOWN", 1), document(2, "CANCELLATION", "NOT_FISCALIZED", 1)], answer: "ADVANCE_CASE_NOT_OPEN" },
    { operations: [paid, document(2, "CANCELLATION", "NOT_FISCALIZED")], answer: "REFERENCE_DOCUMENT_NOT_FOUND" },
    { operations: [paid, document(3, "FINAL_SALE", "VALIDATED"), document(2, "CLOSING_REFUND", "NOT_FISCALIZED", 1)], answer: "" },
    { operations: [paid, document(2, "CLOSING_REFUND", "FISCALIZED", 1), document(3, "FINAL_SALE", "NOT_FISCALIZED", 2)], answer: "" }
  ]
  holdsForEvery("each part, when it may and when it may not", unsent, ({ answer, operations }) => {
    const document = operations.at(-1) as Operation
    const may: Result.Result<void, { readonly code: string } | { readonly _tag: string }> =
      mayBeRedriven[mutationOf(document)](operations, document)
    return (Result.isFailure(may) ? ("code" in may.failure ? may.failure.code : may.failure._tag) : "") === answer
  })
  holds("no refusal answers a request whose attempt, or a later one, another request has added to this document", { attempt: fc.integer({ min: 1, max: 5 }), added: fc.integer({ min: 1, max: 5 }) }, ({ added, attempt }) => {
    const [mine, other] = [{ ...document(2, "PAYMENT", "FISCALIZED", 1), attempt }, { ...document(3, "PAYMENT", "FISCALIZED", 2), attempt: 9 }]
    return isSentByAnother([paid, mine, other], { id: mine.id, attempt: added }) === (added <= attempt)
  })
})

rule("ADVANCE-PLAN-6", {
  says: "A case shows every document by its part, the document it waits for decides its failure code, and it was changed when the last of them was.",
  source: "Decisions §5, Advance case"
}, ({ holds, holdsForEvery }) => {
  const shown = (operations: ReadonlyArray<Operation>, current: FiscalDocumentId | null = null) => presentAdvanceCase({ opened, documents: operations }, operations.find(({ id }) => id === current) ?? null)
  holdsForEvery("after a cancellation with its copy", [[paid, document(2, "CANCELLATION", "FISCALIZED", 1), document(3, "CANCELLATION_COPY", "VALIDATED", 2)]], (operations) => {
    const it = shown(operations, idOf(2))
    return it.advanceSales.map(({ id }) => id).join() === idOf(1) && it.cancelledAdvanceSaleIds.join() === idOf(1) &&
      it.advanceCancellations.map(({ copy, refund }) => `${refund.id} ${copy?.id}`).join() === `${idOf(2)} ${idOf(3)}` && it.current?.id === idOf(2) &&
      it.remainingPayments === null && it.advanceRefund === null && it.finalSale === null && it.failureCode === null && it.state === "OPEN" &&
      it.updatedAt.epochMilliseconds === at.epochMilliseconds + 3_000 && it.createdAt === opened.createdAt
  })
  holdsForEvery("without a document it is as it was opened", [[]], (operations) => {
    const it = shown(operations, idOf(9))
    return it.current === null && it.advanceSales.length === 0 && it.updatedAt.epochMilliseconds === opened.createdAt.epochMilliseconds && it.id === opened.id
  })
  const refund = (status: DocumentStatus, failureCode: FailureCode | null = null) => document(2, "CLOSING_REFUND", status, 1, failureCode)
  const final = (status: DocumentStatus, failureCode: FailureCode | null = null) => document(3, "FINAL_SALE", status, 2, failureCode)
  const codes: ReadonlyArray<readonly [ReadonlyArray<Operation>, string, string | null]> = [
    [[paid, document(2, "PAYMENT", "OUTCOME_UNKNOWN", 1)], "AWAITING_OUTCOME", "OUTCOME_UNKNOWN"],
    [[paid, document(2, "PAYMENT", "RECONCILING", 1)], "AWAITING_OUTCOME", "OUTCOME_UNKNOWN"],
    [[paid, document(2, "CANCELLATION", "OUTCOME_UNKNOWN", 1)], "AWAITING_OUTCOME", "OUTCOME_UNKNOWN"],
    [[paid, document(2, "PAYMENT", "NOT_FISCALIZED", 1, "PFR_UNAVAILABLE")], "OPEN", null],
    [[paid, refund("NOT_FISCALIZED", "PFR_UNAVAILABLE"), final("VALIDATED")], "AWAITING_OUTCOME", "PFR_UNAVAILABLE"],
    [[paid, refund("REJECTED", "PFR_VALIDATION_REJECTED"), final("NOT_FISCALIZED", "ADVANCE_REFUND_NOT_FISCALIZED")], "FAILED", "PFR_VALIDATION_REJECTED"],
    [[paid, refund("FISCALIZED"), final("NOT_FISCALIZED", "PFR_UNAVAILABLE")], "AWAITING_OUTCOME", "PFR_UNAVAILABLE"],
    [[paid, refund("FISCALIZED"), final("OUTCOME_UNKNOWN")], "AWAITING_OUTCOME", "OUTCOME_UNKNOWN"],
    [[paid, refund("FISCALIZED"), final("REJECTED", "PFR_VALIDATION_REJECTED")], "AWAITING_OUTCOME", "PFR_VALIDATION_REJECTED"],
    [[paid, refund("FISCALIZED"), final("REJECTED"), document(4, "PAYMENT", "OUTCOME_UNKNOWN", 1)], "AWAITING_OUTCOME", "OUTCOME_UNKNOWN"],
    [[paid, refund("FISCALIZED"), final("FISCALIZED")], "CLOSED", null]
  ]
  holdsForEvery("the failure code is that of the document it waits for, or that ended it", codes, ([operations, state, code]) => {
    const it = shown(operations)
    return it.state === state && it.failureCode === code && (it.finalSale === null) === (operations.length < 3) && (it.advanceRefund === null) === (operations.length < 3)
  })
  holds("in any history it is shown only while the case waits, or once it has failed", { steps: advanceSteps, external: fc.option(externalAdvance) }, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ opened: case_, operations }) => {
      const it = presentAdvanceCase({ opened: case_, documents: operations }, null)
      return it.failureCode === null || it.state === "AWAITING_OUTCOME" || it.state === "FAILED"
    }))
  const closings: ReadonlyArray<readonly [ReadonlyArray<Operation>, FiscalDocumentId | null]> = [
    [[paid], null],
    [[paid, refund("SUBMITTING"), final("VALIDATED")], idOf(2)],
    [[paid, refund("OUTCOME_UNKNOWN"), final("VALIDATED")], idOf(2)],
    [[paid, refund("NOT_FISCALIZED"), final("VALIDATED")], idOf(2)],
    [[paid, refund("REJECTED"), final("NOT_FISCALIZED")], idOf(3)],
    [[paid, refund("FISCALIZED"), final("SUBMITTING")], idOf(3)],
    [[paid, final("SUBMITTING")], idOf(3)]
  ]
  holdsForEvery("a closing is answered by its Advance Refund until that is a receipt or rejected, then by its final sale", closings, ([operations, id]) =>
    (closingCurrent(caseDocuments(operations))?.id ?? null) === id)
  holdsForEvery("what the V-PFR said of a rejected document is shown", [{ items: [{ property: "items[0].taxLabels[0]", codes: ["2310"] }] }], (rejection) =>
    shown([{ ...document(1, "PAYMENT", "REJECTED"), rejection }]).advanceSales[0]?.pfrRejection === rejection)
})
