import { BigDecimal } from "effect"
import * as fc from "fast-check"
import { storedAfterClosing } from "../../src/advances/afterClosing.ts"
import { advancePartOf, caseDocuments } from "../../src/advances/caseDocuments.ts"
import { totalAmount } from "../../src/money/lineAmount.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { type AdvanceHistory, type AdvanceStep, advanceSteps, advanceStepsWithFinds, playAdvanceHistory } from "../arbitraries/AdvanceHistory.ts"
import { externalAdvance } from "../arbitraries/AdvanceSale.ts"
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
  return advanceRefund === null || advanceRefund.status === "REJECTED" ||
    BigDecimal.equals(totalOf([advanceRefund]), standing(history))
}

const paid: AdvanceStep = { _tag: "Pay", paras: 1_000_00, label: "Ђ", type: "CARD", ending: "FISCALIZED" }
const unknown: AdvanceStep = { ...paid, ending: "OUTCOME_UNKNOWN" }
const notIssued: AdvanceStep = { _tag: "Resolve", status: "NOT_FISCALIZED" }
const close: AdvanceStep = { _tag: "Close", moreParas: 500_00, wrongBy: 0, ending: "FISCALIZED" }
const find: AdvanceStep = { _tag: "Find", which: 0 }

rule("ADVANCE-AFTER-1", {
  says: "A document of a case that becomes a receipt after a closing was reserved without it is put on the attention list; a closing whose Advance " +
    "Refund does not give back exactly what stands is never passed over in silence.",
  source: "Decisions §4, late answers, The operator decides; §5, Advance case (closing)"
}, ({ holds, holdsForEvery }) => {
  holds("either nothing was found too late, or a person was told", { steps: advanceStepsWithFinds, external }, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, (history) => isBalanced(history) || history.items.length > 0), cases)
  holds("where nothing is found after a decision, nobody is told anything", { steps: advanceSteps, external }, ({ external: over, steps }) =>
    playAdvanceHistory(steps, over, ({ items }) => items.length === 0), cases)
  const histories: ReadonlyArray<readonly [ReadonlyArray<AdvanceStep>, number]> = [
    [[paid, unknown, notIssued, close, find], 1],
    [[paid, unknown, notIssued, find, close], 0],
    [[paid, { _tag: "Cancel", which: 0, ending: "OUTCOME_UNKNOWN" }, notIssued, close, find], 1]
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
