import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { storedAfterClosing } from "../../src/advances/afterClosing.ts"
import { storedBesideAnother } from "../../src/advances/storedAgain.ts"
import { advancePartOf, caseDocuments, caseStateOf, referredId } from "../../src/advances/caseDocuments.ts"
import { closingToGiveUp, isNeverSent } from "../../src/advances/givenUpClosing.ts"
import { totalAmount } from "../../src/money/rounding.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { type AdvanceHistory, type AdvanceStep, advanceSteps, advanceStepsWithDecisions, playAdvanceHistory } from "../arbitraries/AdvanceHistory.ts"
import { externalAdvance } from "../arbitraries/AdvanceSale.ts"
import { premiseUuid } from "../arbitraries/SaleBody.ts"
import { rule } from "./ruleBook.ts"

const external = fc.option(externalAdvance)
const cases = { cases: 1_000 }
const zero = BigDecimal.fromBigInt(0n)

const totalOf = (operations: ReadonlyArray<Operation>): BigDecimal.BigDecimal =>
  operations.reduce((sum, { content }) => BigDecimal.sum(sum, totalAmount(content.items)), zero)

/** Signed advances less signed cancellations: what the closing's Advance Refund has to give back. */
const standing = ({ operations }: AdvanceHistory): BigDecimal.BigDecimal => {
  const signed = operations.filter(({ status }) => status === "FISCALIZED")
  const ofPart = (part: ReturnType<typeof advancePartOf>) => totalOf(signed.filter((operation) => advancePartOf(operation) === part))
  return BigDecimal.subtract(ofPart("PAYMENT"), ofPart("CANCELLATION"))
}

const isBalanced = (history: AdvanceHistory): boolean => {
  const { advanceRefund } = caseDocuments(history.operations)
  const given = history.operations.filter((operation) => advancePartOf(operation) === "CLOSING_REFUND" && operation.status === "FISCALIZED")
  if (given.length > 1) return false
  return advanceRefund === null || advanceRefund.status === "REJECTED" ||
    BigDecimal.equals(totalOf([advanceRefund]), standing(history))
}

const paid: AdvanceStep = { _tag: "Pay", paras: 1_000_00, label: "Ђ", type: "CARD", ending: "FISCALIZED" }
const unknown: AdvanceStep = { ...paid, ending: "OUTCOME_UNKNOWN" }
const notIssued: AdvanceStep = { _tag: "Resolve", status: "NOT_FISCALIZED" }
const close: AdvanceStep = { _tag: "Close", moreParas: 500_00, wrongBy: 0, ending: "FISCALIZED" }
const giveUp: AdvanceStep = { _tag: "GiveUp" }
const find: AdvanceStep = { _tag: "Find", which: 0 }

const worker: AdvanceStep = { _tag: "Redrive", which: 0, ending: "REJECTED" }
const whyNot: ReadonlyArray<readonly [ReadonlyArray<AdvanceStep>, string | null]> = [
  [[paid], "no closing of the case is reserved"],
  [[paid, { ...close, ending: null }], "is being sent"],
  [[paid, { ...close, ending: "OUTCOME_UNKNOWN" }], "decide its outcome first"],
  [[paid, { ...close, ending: "REJECTED" }], "Advance Refund was rejected"],
  [[paid, close], "the service sends the final sale itself"],
  [[paid, close, worker], "another closing with a new key may follow"],
  [[paid, close, { ...worker, ending: "FISCALIZED" }], "the case is closed"],
  [[paid, { ...close, ending: "NOT_FISCALIZED" }], null],
  [[paid, { ...close, ending: "NOT_FISCALIZED" }, giveUp], "no closing of the case is reserved"]
]

rule("ADVANCE-AFTER-1", {
  says: "A document of a case that becomes a receipt after a closing was reserved without it is put on the attention list; a closing whose Advance " +
    "Refund does not give back exactly what stands is never passed over in silence.",
  source: "Decisions §4, late answers, The operator decides; §5, Advance case (closing)"
}, ({ holds, holdsForEvery }) => {
  holds("either nothing was found too late, or a person was told", { steps: advanceStepsWithDecisions, external }, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, (history) => isBalanced(history) || history.items.length > 0), cases)
  holds("where nothing is found after a decision, nobody is told anything", { steps: advanceSteps, external }, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ items }) => items.length === 0), cases)
  const histories: ReadonlyArray<readonly [ReadonlyArray<AdvanceStep>, number]> = [
    [[paid, unknown, notIssued, close, find], 1],
    [[paid, unknown, notIssued, find, close], 0],
    [[paid, { _tag: "Cancel", which: 0, ending: "OUTCOME_UNKNOWN" }, notIssued, close, find], 1],
    // The Advance Refund of a closing that was given up is found: before another closing, and after it.
    [[paid, { ...close, ending: "NOT_FISCALIZED" }, giveUp, find], 1],
    [[paid, { ...close, ending: "NOT_FISCALIZED" }, giveUp, close, find], 1]
  ]
  holdsForEvery("histories written out, with the number of items at their end", histories, ([steps, told]) => {
    let count = 0
    playAdvanceHistory(steps, null, ({ items }) => {
      count = items.length
      return true
    })
    return count === told
  })
})

rule("ADVANCE-AFTER-2", {
  says: "A document that the store had lost is put on the attention list when it is stored again in a case with a closing that another key made.",
  source: "Decisions §4, Store trouble; §5, Advance case (closing)"
}, ({ holds }) => {
  const stored = (operations: ReadonlyArray<Operation>) => (document: Operation): boolean => storedAfterClosing(document, operations) !== null
  holds("an advance or a cancellation, exactly where a closing stands; a closing's own documents never", { steps: advanceSteps, external }, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ operations }) => {
      const ofClosing = (operation: Operation) => ["FINAL_SALE", "CLOSING_REFUND"].includes(advancePartOf(operation))
      const stands = operations.some((operation) =>
        ofClosing(operation) && operation.status !== "REJECTED" && operation.failureCode !== "ADVANCE_REFUND_NOT_FISCALIZED")
      const { advanceRefund, finalSale } = caseDocuments(operations)
      const others = operations.filter((operation) => !ofClosing(operation) && advancePartOf(operation) !== "CANCELLATION_COPY")
      return others.every((document) => stored(operations)(document) === stands) &&
        [advanceRefund, finalSale].every((document) => document === null || !stored(operations)(document))
    }), cases)
})

rule("ADVANCE-AFTER-3", {
  says: "An Advance Sale that the store had lost is put on the attention list when it is stored again beside another one that was reserved without it, and became a receipt or may do so.",
  source: "Decisions §4, Store trouble; §5, Advance case"
}, ({ holds }) => {
  const payments = (operations: ReadonlyArray<Operation>) => operations.filter((operation) => advancePartOf(operation) === "PAYMENT")
  holds("the one that was reserved last, in an ordinary course, and the one that it refers to, are told to nobody; lost and planned again on what stood before it, it is told where the other one stands or is unresolved", { steps: advanceSteps, external }, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ operations }) => {
      const last = payments(operations).at(-1)
      if (last === undefined || operations.some((operation) => ["CANCELLATION", "CLOSING_REFUND"].includes(advancePartOf(operation)))) return true
      const referred = operations.find(({ id }) => id === referredId(last))
      if (referred !== undefined && storedBesideAnother(referred, operations) !== null) return false
      const lost: Operation = { ...last, id: premiseUuid as Operation["id"] }
      const mayStand = ["FISCALIZED", "SUBMITTING", "OUTCOME_UNKNOWN", "RECONCILING"].includes(last.status)
      return storedBesideAnother(last, operations) === null && (storedBesideAnother(lost, operations) !== null) === mayStand
    }), cases)
})

const isOfClosing = (operation: Operation): boolean => ["FINAL_SALE", "CLOSING_REFUND"].includes(advancePartOf(operation))

rule("ADVANCE-GIVE-UP-1", {
  says: "A closing that an operator gave up is as if it had not been: the case reads as before, no document of that closing is ever sent, and at most one " +
    "final sale of the case is signed.",
  source: "Decisions §5, Advance case (closing); §4, The operator decides"
}, ({ holds, holdsForEvery }) => {
  const given = { steps: advanceStepsWithDecisions, external }
  holds("giving up leads to the state that the other documents give the case", given, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ operations }, step, before) => {
      if (step._tag !== "GiveUp" || operations.every((operation, at) => operation === before[at])) return true
      const gone = operations.filter((operation, at) => operation !== before[at])
      const others = operations.filter((operation) => !gone.includes(operation))
      return gone.every(isNeverSent) && gone.every(isOfClosing) &&
        caseStateOf(caseDocuments(operations)) === caseStateOf(caseDocuments(others))
    }), cases)
  holds("what was given up is never sent", given, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ operations }, _, before) =>
      before.filter(isNeverSent).every(({ id }) => operations.find((operation) => operation.id === id)?.status !== "SUBMITTING")), cases)
  holds("at most one final sale is signed, and it refers to a signed Advance Refund where one is signed", given, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ operations, items }) => {
      const signed = operations.filter(({ status }) => status === "FISCALIZED")
      const finals = signed.filter((operation) => advancePartOf(operation) === "FINAL_SALE")
      const refunds = signed.filter((operation) => advancePartOf(operation) === "CLOSING_REFUND").map(({ id }) => id)
      return finals.length <= 1 && finals.every(({ content }) =>
        items.length > 0 || refunds.length === 0 || refunds.includes(content.reference?.fiscalDocumentId ?? refunds[0] as never))
    }), cases)
  holdsForEvery("why a closing is not given up", whyNot, ([steps, why]) => {
    let last: ReadonlyArray<Operation> = []
    playAdvanceHistory(steps, null, ({ operations }) => {
      last = operations
      return true
    })
    const answer = closingToGiveUp(caseDocuments(last))
    return Result.isFailure(answer) ? why !== null && answer.failure.includes(why) : why === null
  })
})
