import { Result } from "effect"
import * as fc from "fast-check"
import type { AdvanceCaseState } from "../../src/advances/AdvanceCase.ts"
import { type AdvanceSale, cancellationTarget, latestAdvance, mayPaymentBeRedriven } from "../../src/advances/advanceChain.ts"
import { advanceCaseState, type AdvanceDocuments, type AdvanceMutation, advanceProgress, closingDocuments, mayBegin } from "../../src/advances/advanceGate.ts"
import { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import { advanceSaleId, advanceSales } from "../arbitraries/AdvanceSale.ts"
import { rule } from "./ruleBook.ts"

const none: AdvanceDocuments = { documents: [], advanceRefund: null, finalSale: null }

/** One document of the case and its possible next statuses, beside the state that the table gives. */
interface Kept {
  state: AdvanceCaseState
}

const ends = {
  signed: "FISCALIZED",
  rejected: "REJECTED",
  notSent: "NOT_FISCALIZED",
  unknown: "OUTCOME_UNKNOWN"
} as const satisfies Record<string, DocumentStatus>
type End = keyof typeof ends

type AdvanceEvent =
  | "documentReserved"
  | "documentConfirmedNotIssued"
  | "closingReserved"
  | `${"document" | "advanceRefund" | "finalSale"}${Capitalize<End>}`

// The transitions of a case, written by hand: state, event, state. The product has no such table: it computes the state from the documents.
const moves: ReadonlyArray<readonly [AdvanceCaseState, AdvanceEvent, AdvanceCaseState]> = [
  ["OPEN", "documentReserved", "OPEN"],
  ["OPEN", "documentSigned", "OPEN"],
  ["OPEN", "documentRejected", "OPEN"],
  ["OPEN", "documentNotSent", "OPEN"],
  ["OPEN", "documentUnknown", "AWAITING_OUTCOME"],
  ["OPEN", "closingReserved", "AWAITING_OUTCOME"],
  ["AWAITING_OUTCOME", "documentSigned", "OPEN"],
  ["AWAITING_OUTCOME", "documentRejected", "OPEN"],
  ["AWAITING_OUTCOME", "documentUnknown", "AWAITING_OUTCOME"],
  ["AWAITING_OUTCOME", "documentConfirmedNotIssued", "OPEN"],
  ["AWAITING_OUTCOME", "advanceRefundSigned", "AWAITING_OUTCOME"],
  ["AWAITING_OUTCOME", "advanceRefundNotSent", "AWAITING_OUTCOME"],
  ["AWAITING_OUTCOME", "advanceRefundUnknown", "AWAITING_OUTCOME"],
  ["AWAITING_OUTCOME", "advanceRefundRejected", "FAILED"],
  ["AWAITING_OUTCOME", "finalSaleSigned", "CLOSED"],
  ["AWAITING_OUTCOME", "finalSaleNotSent", "AWAITING_OUTCOME"],
  ["AWAITING_OUTCOME", "finalSaleUnknown", "AWAITING_OUTCOME"],
  ["AWAITING_OUTCOME", "finalSaleRejected", "AWAITING_OUTCOME"],
  // Another closing after a rejected final sale: the case waits for its final sale as before.
  ["AWAITING_OUTCOME", "closingReserved", "AWAITING_OUTCOME"]
]

const keep = (kept: Kept, event: AdvanceEvent): void => {
  const move = moves.find(([state, cause]) => state === kept.state && cause === event)
  if (move === undefined) throw new Error(`the table has no move for ${event} in ${kept.state}`)
  kept.state = move[2]
}
const agree = (statuses: AdvanceDocuments, kept: Kept): void => {
  if (advanceCaseState(statuses) !== kept.state) {
    throw new Error(`${JSON.stringify(statuses)} adds up to ${advanceCaseState(statuses)}, the table says ${kept.state}`)
  }
}
const capital = <Text extends string>(text: Text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` as Capitalize<Text>

type Case = { -readonly [Field in keyof AdvanceDocuments]: AdvanceDocuments[Field] }

/** A payment or cancellation is issued, or an unknown one is resolved. */
class Issue implements fc.Command<Case, Kept> {
  readonly end: End
  constructor(end: End) {
    this.end = end
  }
  check = (model: Case): boolean => Result.isSuccess(mayBegin(advanceProgress(model), "PAYMENT"))
  run(model: Case, kept: Kept): void {
    keep(kept, "documentReserved")
    keep(kept, `document${capital(this.end)}`)
    model.documents = [...model.documents, ends[this.end]]
    agree(model, kept)
  }
  toString = (): string => `a document is ${this.end}`
}

class FindOut implements fc.Command<Case, Kept> {
  readonly issued: boolean
  constructor(issued: boolean) {
    this.issued = issued
  }
  check = (model: Case): boolean => model.documents.includes("OUTCOME_UNKNOWN")
  run(model: Case, kept: Kept): void {
    keep(kept, this.issued ? "documentSigned" : "documentConfirmedNotIssued")
    model.documents = model.documents.with(model.documents.indexOf("OUTCOME_UNKNOWN"), this.issued ? "FISCALIZED" : "NOT_FISCALIZED")
    agree(model, kept)
  }
  toString = (): string => `the unknown one was ${this.issued ? "" : "not "}issued`
}

class Reserve implements fc.Command<Case, Kept> {
  check = (model: Case): boolean =>
    model.documents.includes("FISCALIZED") && Result.isSuccess(mayBegin(advanceProgress(model), "CLOSING"))
  run(model: Case, kept: Kept): void {
    const parts = closingDocuments({ advanceStands: true, advanceRefundKept: advanceProgress(model).advanceRefundKept })
    if (parts.includes("ADVANCE_REFUND")) model.advanceRefund = "SUBMITTING"
    model.finalSale = "VALIDATED"
    keep(kept, "closingReserved")
    agree(model, kept)
  }
  toString = (): string => "a closing is reserved"
}

/** The next document of the closing that can continue gets this outcome. */
class Close implements fc.Command<Case, Kept> {
  readonly end: End
  constructor(end: End) {
    this.end = end
  }
  check = (model: Case): boolean => advanceProgress(model).closingReserved && (model.advanceRefund !== "OUTCOME_UNKNOWN" ||
    this.end === "signed" || this.end === "rejected")
  run(model: Case, kept: Kept): void {
    const part = model.advanceRefund === "FISCALIZED" ? "finalSale" : "advanceRefund"
    keep(kept, `${part}${capital(this.end)}`)
    model[part] = ends[this.end]
    agree(model, kept)
  }
  toString = (): string => `the closing's next document is ${this.end}`
}

rule("ADVANCE-CASE-2", {
  says: "The state that a case's documents add up to moves only as the table says, whatever happens to them; closed and failed are final.",
  source: "Decisions §5, Advance case"
}, ({ holdsForHistories, holdsForEvery }) => {
  const end = fc.constantFrom(...(Object.keys(ends) as Array<End>))
  holdsForHistories(
    "payments, cancellations, unknown outcomes and closings in any order",
    fc.commands([
      end.map((one) => new Issue(one)),
      fc.boolean().map((issued) => new FindOut(issued)),
      fc.constant(new Reserve()),
      end.map((one) => new Close(one))
    ], { maxCommands: 30 }),
    (): { model: Case; real: Kept } => ({ model: { ...none }, real: { state: "OPEN" } })
  )
  const examples = [
    { given: none, state: "OPEN" },
    { given: { ...none, documents: ["FISCALIZED", "REJECTED", "NOT_FISCALIZED", "SUBMITTING"] }, state: "OPEN" },
    { given: { ...none, documents: ["FISCALIZED", "OUTCOME_UNKNOWN"] }, state: "AWAITING_OUTCOME" },
    { given: { ...none, documents: ["RECONCILING"] }, state: "AWAITING_OUTCOME" },
    { given: { ...none, advanceRefund: "SUBMITTING", finalSale: "VALIDATED" }, state: "AWAITING_OUTCOME" },
    { given: { ...none, advanceRefund: "NOT_FISCALIZED", finalSale: "VALIDATED" }, state: "AWAITING_OUTCOME" },
    { given: { ...none, advanceRefund: "REJECTED", finalSale: "NOT_FISCALIZED" }, state: "FAILED" },
    { given: { ...none, advanceRefund: "FISCALIZED", finalSale: "NOT_FISCALIZED" }, state: "AWAITING_OUTCOME" },
    { given: { ...none, advanceRefund: "FISCALIZED", finalSale: "REJECTED" }, state: "AWAITING_OUTCOME" },
    { given: { ...none, finalSale: "REJECTED" }, state: "OPEN" },
    { given: { ...none, advanceRefund: "FISCALIZED", finalSale: "FISCALIZED" }, state: "CLOSED" },
    { given: { ...none, finalSale: "OUTCOME_UNKNOWN" }, state: "AWAITING_OUTCOME" }
  ] as const satisfies ReadonlyArray<{ given: AdvanceDocuments; state: AdvanceCaseState }>
  holdsForEvery("the documents of each state", examples, ({ given, state }) => advanceCaseState(given) === state)
})

rule("ADVANCE-CASE-3", {
  says: "A document is issued only in an open case: a closed, failed or waiting one takes none; while it is being closed another closing " +
    "is told so; after a rejected final sale only a closing may follow.",
  source: "Spec, Errors, Catalogue; Decisions §5, Advance case",
  proves: ["ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_CLOSE_ALREADY_RESERVED"]
}, ({ holdsForEvery }) => {
  const open = { state: "OPEN", inFlight: false, outcomeUnknown: false, closingReserved: false, advanceRefundKept: false } as const
  const waiting = { ...open, state: "AWAITING_OUTCOME" } as const
  const unknown = { ...waiting, outcomeUnknown: true } as const
  const rows = [
    { progress: open, answers: ["PROCEED", "PROCEED", "PROCEED"] },
    { progress: { ...open, inFlight: true }, answers: ["WAIT", "WAIT", "WAIT"] },
    { progress: unknown, answers: ["ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN"] },
    {
      progress: { ...waiting, closingReserved: true, inFlight: true },
      answers: ["ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_CLOSE_ALREADY_RESERVED"]
    },
    {
      progress: { ...waiting, advanceRefundKept: true },
      answers: ["ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN", "PROCEED"]
    },
    {
      progress: { ...unknown, advanceRefundKept: true },
      answers: ["ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN"]
    },
    {
      progress: { ...open, state: "CLOSED" as const },
      answers: ["ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN"]
    },
    {
      progress: { ...open, state: "FAILED" as const },
      answers: ["ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN", "ADVANCE_CASE_NOT_OPEN"]
    }
  ]
  const mutations: ReadonlyArray<AdvanceMutation> = ["PAYMENT", "CANCELLATION", "CLOSING"]
  holdsForEvery("payment, cancellation and closing in every state", rows, ({ progress, answers }) =>
    mutations.every((mutation, at) => {
      const answer = mayBegin(progress, mutation)
      return (Result.isSuccess(answer) ? answer.success : answer.failure.code) === answers[at]
    }))
  const statuses: ReadonlyArray<DocumentStatus | null> = [null, ...DocumentStatus.literals]
  const everyCase = statuses.flatMap((document) =>
    statuses.flatMap((advanceRefund) =>
      statuses.map((finalSale): AdvanceDocuments => ({ documents: document === null ? [] : [document], advanceRefund, finalSale }))))
  holdsForEvery("a case is refused as not open exactly where it does not read OPEN, by the state that it reads", everyCase, (given) => {
    const state = advanceCaseState(given)
    const answers = mutations.map((mutation) => mayBegin(advanceProgress(given), mutation))
    const isRefused = answers.some(Result.isFailure)
    return isRefused === (state !== "OPEN") &&
      answers.every((answer) => Result.isSuccess(answer) || !("state" in answer.failure) || answer.failure.state === state)
  })
  const closings = [
    { closing: { advanceStands: true, advanceRefundKept: false }, issues: "ADVANCE_REFUND,FINAL_SALE" },
    { closing: { advanceStands: true, advanceRefundKept: true }, issues: "FINAL_SALE" },
    { closing: { advanceStands: false, advanceRefundKept: false }, issues: "FINAL_SALE" }
  ]
  holdsForEvery("a closing issues its Advance Refund once, and none for an external advance alone", closings, ({ closing, issues }) =>
    closingDocuments(closing).join() === issues)
})

rule("ADVANCE-CASE-4", {
  says: "Only the latest advance that is signed and not cancelled can be cancelled.",
  source: "Spec, Errors, Catalogue; Decisions §5, Advance case (cancellations)",
  proves: ["ADVANCE_CANCELLATION_TARGET_NOT_LATEST"]
}, ({ holds }) => {
  holds("every other advance is refused, and one that is not of the case does not exist", { sales: advanceSales }, ({ sales }) => {
    const latest = latestAdvance(sales)?.id ?? null
    return [...sales.map((sale) => sale.id), advanceSaleId(999)].every((id) => {
      const answer = cancellationTarget(sales, id)
      if (id === advanceSaleId(999)) return Result.isFailure(answer) && answer.failure.code === "REFERENCE_DOCUMENT_NOT_FOUND"
      return id === latest
        ? Result.isSuccess(answer) && answer.success.id === id
        : Result.isFailure(answer) && answer.failure.code === "ADVANCE_CANCELLATION_TARGET_NOT_LATEST" &&
          answer.failure.latestAdvanceSaleId === latest
    })
  })
})

rule("ADVANCE-CASE-5", {
  says: "A payment that was not sent is driven again only while nothing came after it: no later advance became a receipt and the one it " +
    "refers to still stands.",
  source: "Spec, Errors, Catalogue; Decisions §5, Advance case",
  proves: ["ADVANCE_PAYMENT_SUPERSEDED"]
}, ({ holds, holdsForEvery }) => {
  holds("a redriven payment always refers to the end of the chain, and stands after it", { sales: advanceSales }, ({ sales }) =>
    sales.every((sale, at) => {
      if (sale.status !== "NOT_FISCALIZED") return true
      const isFree = !sales.slice(at + 1).some((later) => later.status === "FISCALIZED") &&
        (latestAdvance(sales)?.id ?? null) === sale.previousId
      const answer = mayPaymentBeRedriven(sales, sale)
      return isFree ? Result.isSuccess(answer) : Result.isFailure(answer) && answer.failure.code === "ADVANCE_PAYMENT_SUPERSEDED"
    }))
  const histories: ReadonlyArray<{ name: string; chain: ReadonlyArray<Link>; redriven: number; may: boolean }> = [
    { name: "the only one", chain: [unsent(1, null)], redriven: 1, may: true },
    { name: "after the one it refers to", chain: [signed(1, null), unsent(2, 1)], redriven: 2, may: true },
    { name: "after a later one", chain: [unsent(1, null), signed(2, null)], redriven: 1, may: false },
    { name: "after a later one that was cancelled", chain: [unsent(1, null), cancelled(2, null)], redriven: 1, may: false },
    { name: "after a later one that was not sent either", chain: [unsent(1, null), unsent(2, null)], redriven: 1, may: true },
    { name: "the one it refers to was cancelled", chain: [cancelled(1, null), unsent(2, 1)], redriven: 2, may: false }
  ]
  holdsForEvery("each way a chain goes on without it", histories, ({ chain, redriven, may }) => {
    const sales = chain.map(saleOf)
    const payment = sales.find((sale) => sale.id === advanceSaleId(redriven))
    return payment !== undefined && Result.isSuccess(mayPaymentBeRedriven(sales, payment)) === may
  })
})

interface Link {
  readonly id: number
  readonly previous: number | null
  readonly status: DocumentStatus
  readonly cancelled: boolean
}

function unsent(id: number, previous: number | null): Link {
  return { id, previous, status: "NOT_FISCALIZED", cancelled: false }
}
function signed(id: number, previous: number | null): Link {
  return { id, previous, status: "FISCALIZED", cancelled: false }
}
function cancelled(id: number, previous: number | null): Link {
  return { id, previous, status: "FISCALIZED", cancelled: true }
}
function saleOf(link: Link): AdvanceSale {
  return {
    id: advanceSaleId(link.id),
    previousId: link.previous === null ? null : advanceSaleId(link.previous),
    status: link.status,
    cancelled: link.cancelled,
    items: [],
    payments: [],
    taxes: [],
    pfr: link.status === "FISCALIZED" ? { invoiceNumber: `A-A-${link.id}`, sdcTime: "2026-08-29T10:00:00+02:00" } : null
  }
}
