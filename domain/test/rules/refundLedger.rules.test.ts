import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import type { LineItem } from "../../src/documents/LineItem.ts"
import { lineAmount } from "../../src/money/rounding.ts"
import { refundable } from "../../src/refunds/refundable.ts"
import { askRefund, type AcceptedRefund } from "../../src/refunds/refundQuantities.ts"
import {
  consumeAfterRelease,
  consumeRefund,
  holdRefund,
  openLedger,
  overRefunded,
  overRefundedLines,
  type RefundLedger,
  releaseRefund
} from "../../src/refunds/RefundLedger.ts"
import { FiscalDocumentId } from "../../src/tenancy/identifiers.ts"
import { refundOf, workflowId } from "../arbitraries/RefundItem.ts"
import { decimal, lineOf } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const sold: ReadonlyArray<LineItem> = [lineOf("9.99", "1"), lineOf("0.33", "7.5"), lineOf("1999.01", "3")]
const saleId = FiscalDocumentId.make("01900003-0000-7000-8000-000000000001")

/** The model beside the ledger: every refund ever requested, with its outcome; sums are computed by listing them all. */
interface Model {
  refunds: Array<{ readonly workflow: number; readonly line: number; readonly thousandths: number; fate: "HELD" | "CONSUMED" | "FREE" }>
}
interface Real {
  ledger: RefundLedger
}

const takenOf = (model: Model, line: number): number =>
  model.refunds.filter((refund) => refund.line === line && refund.fate !== "FREE").reduce((sum, refund) => sum + refund.thousandths, 0)

const soldThousandths = (line: number): number => Number(BigDecimal.format((sold[line] as LineItem).quantity)) * 1000

const neverTooMuch = (real: Real): void => {
  for (const line of real.ledger.lines) {
    if (BigDecimal.isGreaterThan(line.quantityTaken, line.quantityOriginal)) throw new Error("more quantity taken than sold")
    if (BigDecimal.isGreaterThan(line.amountTaken, line.amountOriginal)) throw new Error("more money taken than signed")
    if (BigDecimal.isNegative(line.quantityTaken) || BigDecimal.isNegative(line.amountTaken)) throw new Error("taken below zero")
    const complete = BigDecimal.equals(line.quantityTaken, line.quantityOriginal)
    if (complete && !BigDecimal.equals(line.amountTaken, line.amountOriginal)) throw new Error("complete, but not to the para")
  }
}

/** A customer requests a refund of part of a line; what the ledger allows is held. */
class Ask implements fc.Command<Model, Real> {
  readonly line: number
  readonly thousandths: number
  constructor(line: number, thousandths: number) {
    this.line = line
    this.thousandths = thousandths
  }
  check = (): boolean => true
  run(model: Model, real: Real): void {
    const item = refundOf(sold[this.line] as LineItem, this.line, BigDecimal.make(BigInt(this.thousandths), 3))
    const answer = askRefund(sold, real.ledger, [item])
    const allowed = takenOf(model, this.line) + this.thousandths <= soldThousandths(this.line)
    if (allowed !== Result.isSuccess(answer)) throw new Error(`allowed ${allowed}, answered ${answer._tag}`)
    if (Result.isFailure(answer)) return
    const workflow = model.refunds.length + 1
    real.ledger = holdRefund(real.ledger, workflowId(workflow), answer.success.entries)
    model.refunds.push({ workflow, line: this.line, thousandths: this.thousandths, fate: "HELD" })
    neverTooMuch(real)
  }
  toString = (): string => `ask for ${this.thousandths}/1000 of line ${this.line}`
}

/** The outcome of one of the refunds becomes known, possibly a second time. */
class Conclude implements fc.Command<Model, Real> {
  readonly which: number
  readonly signed: boolean
  constructor(which: number, signed: boolean) {
    this.which = which
    this.signed = signed
  }
  check = (model: Readonly<Model>): boolean => model.refunds.length > 0
  run(model: Model, real: Real): void {
    const refund = model.refunds[this.which % model.refunds.length]
    if (refund === undefined) return
    const settle = this.signed ? consumeRefund : releaseRefund
    real.ledger = settle(real.ledger, workflowId(refund.workflow))
    if (refund.fate === "HELD") refund.fate = this.signed ? "CONSUMED" : "FREE"
    neverTooMuch(real)
  }
  toString = (): string => `${this.signed ? "sign" : "free"} refund ${this.which}`
}

/** The preview is requested: it agrees with the model, and sending back what it offers is accepted. */
class Preview implements fc.Command<Model, Real> {
  check = (): boolean => true
  run(model: Model, real: Real): void {
    const offer = refundable(saleId, sold, real.ledger)
    for (const line of offer.lines) {
      const left = soldThousandths(line.originalLineIndex) - takenOf(model, line.originalLineIndex)
      if (!BigDecimal.equals(line.quantity, BigDecimal.make(BigInt(left), 3))) throw new Error("the offer is not what is left")
      const held = model.refunds.filter((refund) => refund.line === line.originalLineIndex && refund.fate === "HELD")
      if (line.heldBy.length !== held.length) throw new Error("the offer does not name the open refunds")
    }
    const items = offer.lines.flatMap((line) => (line.item === null ? [] : [line.item]))
    const answer = askRefund(sold, real.ledger, items)
    const expected = BigDecimal.sumAll(offer.lines.map((line) => line.amount))
    if (Result.isFailure(answer) || !BigDecimal.equals(answer.success.total, expected)) throw new Error("the offer cannot be sent")
  }
  toString = (): string => "preview"
}

rule("LEDGER-1", {
  says: "In any interleaving of refunds asked, signed and freed, no line ever gives back more quantity or money than was sold, a freed " +
    "part can be asked for again, and a completed line has given back its money to the para.",
  source: "Spec, Refunds rule 2; Decisions §5, Refund workflow (holds, money); §10, refundable"
}, ({ holdsForHistories, holds }) => {
  const ask = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 3000 })).map(([line, thousandths]) => new Ask(line, thousandths))
  const wholeSteps = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 6 })).map(([line, halves]) => new Ask(line, halves * 500))
  const conclude = fc.tuple(fc.nat(), fc.boolean()).map(([which, signed]) => new Conclude(which, signed))
  holdsForHistories(
    "the ledger agrees with a plain list of all refunds after every event",
    fc.commands([ask, wholeSteps, conclude, conclude, fc.constant(new Preview())], { maxCommands: 60 }),
    () => ({ model: { refunds: [] }, real: { ledger: openLedger(sold) } }),
    { cases: 300 }
  )
  holds("an outcome told twice changes nothing the second time", { signed: fc.boolean() }, ({ signed }) => {
    const accepted = acceptedHalf(openLedger(sold))
    const held = holdRefund(openLedger(sold), workflowId(1), accepted.entries)
    const settle = signed ? consumeRefund : releaseRefund
    const once = settle(held, workflowId(1))
    return settle(once, workflowId(1)) === once && holdRefund(held, workflowId(1), accepted.entries) === held
  })
  holds("what is held is named with its workflow, quantity and amount, at its own line alone", { line: fc.constantFrom(0, 1, 2) }, ({ line }) => {
    const item = sold[line] as LineItem
    const accepted = Result.getOrThrow(askRefund(sold, openLedger(sold), [refundOf(item, line, decimal("0.001"))]))
    const held = refundable(saleId, sold, holdRefund(openLedger(sold), workflowId(3), accepted.entries)).lines.map(({ heldBy }) => heldBy)
    const [hold] = held[line] ?? []
    return held.flat().length === 1 && hold?.workflowId === workflowId(3) && BigDecimal.equals(hold.quantity, decimal("0.001")) &&
      BigDecimal.equals(hold.amount, accepted.total)
  })
  holds("an entry of a line that is not there changes no line", { index: fc.integer({ min: 3, max: 9 }) }, ({ index }) => {
    const one = decimal("1")
    const { lines } = holdRefund(openLedger(sold), workflowId(4), [{ originalLineIndex: index, quantity: one, amount: one }])
    return lines.length === sold.length && lines.every(({ quantityTaken }) => BigDecimal.isZero(quantityTaken))
  })
})

rule("LEDGER-2", {
  says: "A refund that was freed and turns out to be signed counts, even where that exceeds the sale; such lines are named and give back " +
    "nothing more.",
  source: "Decisions §4, late answers are stored from every status; a receipt that exists is never denied"
}, ({ holds, holdsForEvery }) => {
  holdsForEvery("an operator is told of the lines and the receipt", [[[0], "lines 0 of"], [[0, 2], "lines 0, 2 of"]] as const, ([lines, told]) => {
    const { detail, evidence, kind } = overRefunded(saleId, lines)
    return kind === "OVER_REFUNDED" && evidence === null && detail.startsWith(`${told} ${saleId} `)
  })
  holds("the late refund is taken from its line", { others: fc.boolean() }, ({ others }) => {
    const late = acceptedHalf(openLedger(sold))
    const all = Result.getOrThrow(askRefund(sold, openLedger(sold), [refundOf(sold[0] as LineItem, 0, decimal("1"))]))
    const freed = releaseRefund(holdRefund(openLedger(sold), workflowId(1), late.entries), workflowId(1))
    const before = others ? consumeRefund(holdRefund(freed, workflowId(2), all.entries), workflowId(2)) : freed
    const after = consumeAfterRelease(before, late.entries)
    const left = refundable(saleId, sold, after).lines[0]
    return overRefundedLines(after).length === (others ? 1 : 0) &&
      BigDecimal.equals(left?.quantity ?? decimal("-1"), decimal(others ? "0" : "0.5")) && (left?.item === null) === others
  })
})

rule("LEDGER-3", {
  says: "The thousandth partial refund of a receipt reads as much of the ledger as the first: the ledger does not grow with signed refunds.",
  source: "Decisions §5, Refund workflow; the ledger keeps sums per line"
}, ({ holds }) => {
  holds("after a thousand signed refunds the ledger has its lines, no holds, and the whole line is given back", {
    order: fc.constantFrom(1, 2, 5)
  }, ({ order }) => {
    const line = lineOf("9.99", `${order}`)
    let ledger = openLedger([line])
    for (let at = 0; at < 1000; at++) {
      const part = Result.getOrThrow(askRefund([line], ledger, [refundOf(line, 0, BigDecimal.make(BigInt(order), 3))]))
      ledger = consumeRefund(holdRefund(ledger, workflowId(at + 1), part.entries), workflowId(at + 1))
    }
    const scale = (ledger.lines[0]?.amountTaken.scale ?? 99) + (ledger.lines[0]?.quantityTaken.scale ?? 99)
    return ledger.lines.length === 1 && ledger.holds.length === 0 && scale <= 5 &&
      BigDecimal.equals(ledger.lines[0]?.amountTaken ?? decimal("0"), lineAmount(line))
  }, { cases: 3 })
})

const acceptedHalf = (ledger: RefundLedger): AcceptedRefund =>
  Result.getOrThrow(askRefund(sold, ledger, [refundOf(sold[0] as LineItem, 0, decimal("0.5"))]))
