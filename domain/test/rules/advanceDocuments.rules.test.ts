import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { advanceRefundKey } from "../../src/advances/AdvanceCase.ts"
import { innerDocumentId } from "../../src/advances/advanceEffects.ts"
import { advanceSales, caseDocuments, caseProgressOf, caseStateOf } from "../../src/advances/caseDocuments.ts"
import { latestAdvance } from "../../src/advances/advanceChain.ts"
import { lineAmount, totalAmount } from "../../src/money/rounding.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { type AdvanceHistory, type AdvanceStep, advanceSteps, playAdvanceHistory } from "../arbitraries/AdvanceHistory.ts"
import { externalAdvance } from "../arbitraries/AdvanceSale.ts"
import { rule } from "./ruleBook.ts"

const given = { steps: advanceSteps, external: fc.option(externalAdvance) }
const cases = { cases: 1_000 }

const isOf = (invoiceType: string, transactionType: string) => ({ content }: Operation): boolean =>
  content.invoiceType === invoiceType && content.transactionType === transactionType
const isSigned = ({ status }: Operation): boolean => status === "FISCALIZED"

const perLabel = (operations: ReadonlyArray<Operation>): Map<string, BigDecimal.BigDecimal> => {
  const sums = new Map<string, BigDecimal.BigDecimal>()
  for (const item of operations.flatMap(({ content }) => content.items)) {
    const label = item.taxLabels.join()
    sums.set(label, BigDecimal.sum(sums.get(label) ?? BigDecimal.fromBigInt(0n), lineAmount(item)))
  }
  return sums
}

const isSameSums = (left: Map<string, BigDecimal.BigDecimal>, right: Map<string, BigDecimal.BigDecimal>): boolean =>
  left.size === right.size && [...left].every(([label, sum]) => BigDecimal.equals(sum, right.get(label) ?? BigDecimal.fromBigInt(-1n)))

/** Documents that the step added, and the ones there before it. */
const added = (history: AdvanceHistory, before: ReadonlyArray<Operation>): ReadonlyArray<Operation> =>
  history.operations.filter(({ id }) => !before.some((other) => other.id === id))

const closingRefund = (operations: ReadonlyArray<Operation>): Operation | undefined =>
  operations.find((operation) => isOf("ADVANCE", "REFUND")(operation) && operation.boundKey.role === "INNER")

rule("ADVANCE-DOCUMENTS-1", {
  says: "At most one document of a case is being sent at any time, and nothing is reserved while an outcome is unknown; the signed copy " +
    "of a cash cancellation holds up nothing.",
  source: "Decisions §5, Advance case (one document in flight per case)",
  proves: ["ADVANCE_CASE_NOT_OPEN"]
}, ({ holds }) => {
  holds("whatever is asked and whatever becomes of it", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history, _, before) => {
      // The signed copy of a cancellation may be in flight beside any other document of the case.
      const inFlight = history.operations.filter(({ content, status }) => status === "SUBMITTING" && content.invoiceType !== "COPY")
      const wasUnknown = before.some(({ content, status }) => status === "OUTCOME_UNKNOWN" && content.invoiceType !== "COPY")
      const isRequest = ({ boundKey }: Operation) => boundKey.role === "REQUEST"
      return inFlight.length <= 1 && !(wasUnknown && added(history, before).some(isRequest))
    }), cases)
})

rule("ADVANCE-DOCUMENTS-2", {
  says: "Each later Advance Sale refers to the latest advance that stands when it is sent, and so does each Advance Refund.",
  source: "Spec, Reference matrix; Decisions §5, Advance case (payments, cancellations)"
}, ({ holds }) => {
  holds("a payment, when it is sent for the first time or again", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history, _, before) => {
      const sent = history.operations.find((operation) => operation.status === "SUBMITTING" && isOf("ADVANCE", "SALE")(operation))
      if (sent === undefined || before.find(({ id }) => id === sent.id)?.status === "SUBMITTING") return true
      const latest = latestAdvance(advanceSales(caseDocuments(before)))
      return (sent.content.reference?.fiscalDocumentId ?? null) === (latest?.id ?? null)
    }), cases)
  holds("a refund, with the number and time that were signed", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history, _, before) =>
      added(history, before).filter(isOf("ADVANCE", "REFUND")).every(({ content }) => {
        const latest = latestAdvance(advanceSales(caseDocuments(before)))
        return latest !== null && content.reference?.fiscalDocumentId === latest.id &&
          content.reference.pfrNumber === latest.pfr?.invoiceNumber
      })), cases)
})

rule("ADVANCE-DOCUMENTS-3", {
  says: "The Advance Refund of a closing gives back, per label and in sum, what was signed in advance less what was cancelled; no advance " +
    "is counted twice, and none is left out.",
  source: "Decisions §5, Advance case (closing)"
}, ({ holds }) => {
  holds("per label, over every history", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history) => {
      const refund = closingRefund(history.operations)
      if (refund === undefined) return true
      const cancellations = history.operations.filter((one) => isSigned(one) && isOf("ADVANCE", "REFUND")(one) && one.boundKey.role === "REQUEST")
      const cancelled = new Set(cancellations.map(({ content }) => content.reference?.fiscalDocumentId))
      const standing = history.operations.filter((one) => isSigned(one) && isOf("ADVANCE", "SALE")(one) && !cancelled.has(one.id))
      return isSameSums(perLabel([refund]), perLabel(standing))
    }), cases)
  holds("its payments sum to its items", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history) => {
      const refund = closingRefund(history.operations)
      return refund === undefined ||
        BigDecimal.equals(BigDecimal.sumAll(refund.content.payments.map(({ amount }) => amount)), totalAmount(refund.content.items))
    }), cases)
})

rule("ADVANCE-DOCUMENTS-4", {
  says: "A final sale is sent only after the Advance Refund of its closing is a receipt, and refers to it; at most one final sale of a " +
    "case is a receipt.",
  source: "Decisions §5, Advance case (closing)"
}, ({ holds }) => {
  holds("the Advance Refund is signed before the final sale is sent", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history) => {
      const refund = closingRefund(history.operations)
      const maybeSigned = history.operations.filter((one) =>
        isOf("NORMAL", "SALE")(one) && ["SUBMITTING", "OUTCOME_UNKNOWN", "FISCALIZED"].includes(one.status)
      )
      return maybeSigned.every(({ content }) =>
        refund === undefined ? content.reference === null : isSigned(refund) && content.reference?.fiscalDocumentId === refund.id
      )
    }), cases)
  holds("one final sale, one Advance Refund, and then the case is CLOSED", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history) => {
      const finals = history.operations.filter((one) => isOf("NORMAL", "SALE")(one) && isSigned(one)).length
      const refunds = history.operations.filter((one) => isOf("ADVANCE", "REFUND")(one) && one.boundKey.role === "INNER").length
      const isClosed = caseStateOf(caseDocuments(history.operations)) === "CLOSED"
      return finals <= 1 && refunds <= 1 && isClosed === (finals === 1)
    }), cases)
  holds("after a rejected Advance Refund its final sale says so, an earlier one was rejected by itself, and the case is FAILED", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history) => {
      if (closingRefund(history.operations)?.status !== "REJECTED") return true
      // A closing over an external advance alone has no Advance Refund; its final sale may have been rejected before.
      const finals = history.operations.filter(isOf("NORMAL", "SALE"))
      const [last, earlier] = [finals.at(-1), finals.slice(0, -1)]
      return caseStateOf(caseDocuments(history.operations)) === "FAILED" &&
        last?.status === "NOT_FISCALIZED" && last.failureCode === "ADVANCE_REFUND_NOT_FISCALIZED" &&
        earlier.every(({ status }) => status === "REJECTED")
    }), cases)
})

rule("ADVANCE-DOCUMENTS-5", {
  says: "What the final sale takes in payments is its total less all advances, the external one included; a sum that differs reserves nothing.",
  source: "Spec, advance-cases; Decisions §5, Advance case (closing)",
  proves: ["ADVANCE_CLOSE_TOTAL_MISMATCH"]
}, ({ holds }) => {
  holds("to the para", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history, step, before) => {
      const final = added(history, before).find(isOf("NORMAL", "SALE"))
      if (final === undefined || step._tag !== "Close") return true
      const paid = BigDecimal.sumAll(final.content.payments.map(({ amount }) => amount))
      return step.wrongBy === 0 || (step.wrongBy < 0 && step.moreParas === 0)
        ? BigDecimal.equals(BigDecimal.sum(paid, history.standingTotal()), totalAmount(final.content.items))
        : false
    }), cases)
})

// Histories that random generation seldom makes, each with the number of signed final sales at its end.
const pay = (ending: "FISCALIZED"): AdvanceStep => ({
  _tag: "Pay",
  paras: 1_000_00,
  label: "Ђ",
  type: "CARD",
  ending
})
const cancel: AdvanceStep = { _tag: "Cancel", which: 0, ending: "FISCALIZED" }
const close = (ending: "FISCALIZED" | "NOT_FISCALIZED"): AdvanceStep => ({ _tag: "Close", moreParas: 500_00, wrongBy: 0, ending })
const redrive = (which: number, ending: "FISCALIZED" | "REJECTED"): AdvanceStep => ({ _tag: "Redrive", which, ending })

const endings: ReadonlyArray<{ readonly steps: ReadonlyArray<AdvanceStep>; readonly finalSales: number }> = [
  { steps: [pay("FISCALIZED"), close("FISCALIZED"), redrive(0, "FISCALIZED")], finalSales: 1 },
  // The first final sale is rejected; the second closing refers to the Advance Refund that is kept.
  { steps: [pay("FISCALIZED"), close("FISCALIZED"), redrive(0, "REJECTED"), close("FISCALIZED")], finalSales: 1 },
  // A cancellation that was not sent gives nothing back: it does not count, and it may not be driven again beside the closing.
  { steps: [pay("FISCALIZED"), { ...cancel, ending: "NOT_FISCALIZED" }, close("NOT_FISCALIZED"), redrive(0, "FISCALIZED")], finalSales: 0 },
  { steps: [pay("FISCALIZED"), { ...cancel, ending: "REJECTED" }, close("FISCALIZED"), redrive(0, "FISCALIZED")], finalSales: 1 },
  { steps: [pay("FISCALIZED"), pay("FISCALIZED"), cancel, cancel, close("FISCALIZED")], finalSales: 0 }
]

rule("ADVANCE-DOCUMENTS-7", {
  says: "An open case with an advance that stands is closed by a right sum; a kept Advance Refund serves the next closing.",
  source: "Decisions §5, Advance case (closing)"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("histories written out", endings, ({ finalSales, steps }) => {
    let last: ReadonlyArray<Operation> = []
    const isFaultless = playAdvanceHistory(steps, null, ({ operations }) => {
      last = operations
      const refund = closingRefund(operations)
      const driven = operations.filter(({ status }) => status === "SUBMITTING" || status === "FISCALIZED")
      return driven.filter(isOf("NORMAL", "SALE")).every(({ content }) => content.reference?.fiscalDocumentId === refund?.id) &&
        (refund === undefined || driven.every((one) => one.boundKey.role === "INNER" || !isOf("ADVANCE", "REFUND")(one) || isSigned(one)))
    })
    return isFaultless && last.filter((one) => isSigned(one) && isOf("NORMAL", "SALE")(one)).length === finalSales
  })
  holds("nothing but the state of the case stands in its way", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history, step, before) => {
      if (step._tag !== "Close" || step.wrongBy !== 0) return true
      const documents = caseDocuments(before)
      const { closingReserved, outcomeUnknown, state } = caseProgressOf(documents)
      const isFree = state !== "CLOSED" && state !== "FAILED" && !closingReserved && !outcomeUnknown && before.every(({ status }) => status !== "SUBMITTING")
      const hasAdvance = latestAdvance(advanceSales(documents)) !== null || external !== null
      return added(history, before).some(isOf("NORMAL", "SALE")) === (isFree && hasAdvance)
    }), cases)
})

const replay = (which: number, ending: "FISCALIZED" | "REJECTED"): AdvanceStep => ({ _tag: "Replay", which, ending })
/** A closing whose final sale was rejected, a later one that was not sent, then the first one's key again. */
const rejectedThenLater: ReadonlyArray<AdvanceStep> = [
  pay("FISCALIZED"), close("FISCALIZED"), redrive(0, "REJECTED"), close("NOT_FISCALIZED"), replay(0, "FISCALIZED")
]

const sentIn = (history: AdvanceHistory, before: ReadonlyArray<Operation>): ReadonlyArray<Operation> =>
  history.operations.filter(({ id, status }) => status === "SUBMITTING" && before.find((other) => other.id === id)?.status !== "SUBMITTING")

const isOfClosing = (key: string) => ({ boundKey }: Operation): boolean => boundKey.key === key || boundKey.key === advanceRefundKey(key)

rule("ADVANCE-DOCUMENTS-8", {
  says: "Only the key that made a closing carries it on: whatever the order of closings, repetitions and outcomes, no other key's request sends one of " +
    "its documents, and at most one final sale of the case is signed.",
  source: "Decisions §5, Advance case (closing); Spec, Errors, Catalogue (ADVANCE_CASE_CLOSE_ALREADY_RESERVED)"
}, ({ holds, holdsForEvery }) => {
  holds("a repetition sends documents of its own closing, and of no rejected one", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, (history, step, before) => {
      const keys = history.closingKeys()
      const key = keys[step._tag === "Replay" ? step.which % Math.max(keys.length, 1) : -1]
      if (key === undefined) return true
      const rejected = before.some(({ boundKey, status }) => boundKey.key === key && status === "REJECTED")
      const sent = sentIn(history, before)
      return rejected ? sent.length === 0 : sent.every(isOfClosing(key))
    }), cases)
  holds("at most one final sale is signed", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, ({ operations }) =>
      operations.filter((one) => isOf("NORMAL", "SALE")(one) && isSigned(one)).length <= 1), cases)
  holdsForEvery("a rejected closing's key leaves a later closing alone", [rejectedThenLater], (steps) => {
    let last: ReadonlyArray<Operation> = []
    playAdvanceHistory(steps, null, ({ operations }) => {
      last = operations
      return true
    })
    return last.filter(isOf("NORMAL", "SALE")).map(({ status }) => status).join() === "REJECTED,NOT_FISCALIZED"
  })
})

rule("ADVANCE-DOCUMENTS-6", {
  says: "A cancellation that gives cash back reserves its signed copy with its outcome, once; the copy refers to the Advance Refund.",
  source: "Decisions §5, Advance case (cancellations)"
}, ({ holds }) => {
  holds("exactly for signed cancellations with cash", given, ({ external, steps }) =>
    playAdvanceHistory(steps, external, ({ operations }) => {
      const copies = operations.filter(({ content }) => content.invoiceType === "COPY")
      const due = operations.filter((one) =>
        isSigned(one) && isOf("ADVANCE", "REFUND")(one) && one.boundKey.role === "REQUEST" &&
        one.content.payments.some(({ type }) => type === "CASH")
      )
      return copies.length === due.length && due.every((refund) =>
        copies.filter(({ content, id }) => content.reference?.fiscalDocumentId === refund.id && id === innerDocumentId(refund.id)).length === 1
      )
    }), cases)
})
