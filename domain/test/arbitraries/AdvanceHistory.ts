import { BigDecimal, DateTime, Result } from "effect"
import * as fc from "fast-check"
import { receiptAfterClosing } from "../../src/advances/afterClosing.ts"
import { advanceEffect } from "../../src/advances/advanceEffects.ts"
import { advanceRefundKey, type OpenedAdvanceCase } from "../../src/advances/AdvanceCase.ts"
import type { AdvanceMutation } from "../../src/advances/advanceGate.ts"
import { advancePartOf, caseDocuments } from "../../src/advances/caseDocuments.ts"
import { closingToGiveUp, givenUp, isNeverSent } from "../../src/advances/givenUpClosing.ts"
import { nextOfClosing } from "../../src/advances/continueClosing.ts"
import { mayBeRedriven, planCancellation, planClosing, planPayment } from "../../src/advances/planAdvanceDocument.ts"
import type { AdvanceContent } from "../../src/advances/planAdvanceDocument.ts"
import type { DocumentEvent } from "../../src/documents/documentTransitions.ts"
import type { DocumentStatus } from "../../src/documents/DocumentStatus.ts"
import type { LineItem, PaymentType } from "../../src/documents/LineItem.ts"
import { totalAmount } from "../../src/money/rounding.ts"
import { isDueToBeSent } from "../../src/operations/carriedOnByService.ts"
import type { AttentionItem, KeyRole, Operation } from "../../src/operations/Operation.ts"
import { FiscalDocumentId, WorkflowId } from "../../src/tenancy/identifiers.ts"
import { PfrTime } from "../../src/time/PfrTime.ts"
import { operationOf, signedAnswer } from "./Operation.ts"
import { lineOf } from "./SaleLine.ts"

const at = DateTime.makeUnsafe("2026-08-29T10:00:00Z")
const said = { cashier: { id: "shop", displayName: null }, clientReference: null, commercialFooter: null, metadata: null }
const buyer = { id: "20:123456789", optionalField: null }

type Outcome = "FISCALIZED" | "REJECTED" | "NOT_FISCALIZED" | "OUTCOME_UNKNOWN"

/** A request of a caller to a case with its immediate result, or a later event of a document. */
export type AdvanceStep =
  | { readonly _tag: "Pay"; readonly paras: number; readonly label: string; readonly type: PaymentType; readonly ending: Outcome | null }
  | { readonly _tag: "Cancel"; readonly which: number; readonly ending: Outcome | null }
  | { readonly _tag: "Close"; readonly moreParas: number; readonly wrongBy: number; readonly ending: Outcome | null }
  /** A payment or cancellation again under its key; or a final sale, which the worker sends. */
  | { readonly _tag: "Redrive"; readonly which: number; readonly ending: Outcome | null }
  /** The same closing again under its key; `which` counts the closings from the first one on. */
  | { readonly _tag: "Replay"; readonly which: number; readonly ending: Outcome | null }
  | { readonly _tag: "Outcome"; readonly status: Outcome }
  | { readonly _tag: "Resolve"; readonly status: "FISCALIZED" | "NOT_FISCALIZED" }
  /** An operator gives up the closing. */
  | { readonly _tag: "GiveUp" }
  /** A document that was decided "not issued" is found at the V-PFR: an advance, a cancellation, the Advance Refund of a closing that was given up. */
  | { readonly _tag: "Find"; readonly which: number }

const often = <A>(value: A, weight: number) => ({ weight, arbitrary: fc.constant(value) })
const rarely = <A>(...values: ReadonlyArray<A>) => ({ weight: 1, arbitrary: fc.constantFrom(...values) })

const outcome = fc.oneof(often<Outcome>("FISCALIZED", 8), rarely<Outcome>("REJECTED", "NOT_FISCALIZED", "OUTCOME_UNKNOWN"))
const ending = fc.oneof(often<Outcome | null>("FISCALIZED", 8), rarely<Outcome | null>("REJECTED", "NOT_FISCALIZED", "OUTCOME_UNKNOWN", null))
const step = <Tag extends string>(tag: Tag) => fc.constant(tag)

const pay = fc.record({
  _tag: step("Pay"),
  paras: fc.integer({ min: 1, max: 100_000_00 }),
  label: fc.constantFrom("Ђ", "Е", "А"),
  type: fc.constantFrom<PaymentType>("CARD", "CASH", "WIRE_TRANSFER"),
  ending
})
// Mostly the last one, which is the only one that may be cancelled.
const cancel = fc.record({ _tag: step("Cancel"), which: fc.oneof(often(0, 4), rarely(1, 2, 3)), ending })
const close = fc.record({
  _tag: step("Close"),
  moreParas: fc.constantFrom(0, 1, 99_99, 100_000_00),
  wrongBy: fc.oneof(often(0, 6), rarely(1, -1)),
  ending
})
const redrive = fc.record({ _tag: step("Redrive"), which: fc.nat(3), ending })
const replay = fc.record({ _tag: step("Replay"), which: fc.nat(3), ending })
const later = fc.record({ _tag: step("Outcome"), status: outcome })
const resolve = fc.record({ _tag: step("Resolve"), status: fc.oneof(often("FISCALIZED" as const, 3), rarely("NOT_FISCALIZED" as const)) })

const find = fc.record({ _tag: step("Find"), which: fc.nat(3) })

const usual = [
  { weight: 5, arbitrary: pay },
  { weight: 3, arbitrary: cancel },
  { weight: 2, arbitrary: close },
  { weight: 2, arbitrary: redrive },
  { weight: 2, arbitrary: replay },
  { weight: 3, arbitrary: later },
  { weight: 2, arbitrary: resolve }
] as const

export const advanceSteps: fc.Arbitrary<ReadonlyArray<AdvanceStep>> = fc.array(fc.oneof(...usual), { maxLength: 25 })

/** The same, with an operator who gives closings up, and with receipts that are found after a person decided that they were not issued. */
export const advanceStepsWithDecisions: fc.Arbitrary<ReadonlyArray<AdvanceStep>> = fc.array(
  fc.oneof(...usual, { weight: 3, arbitrary: find }, { weight: 2, arbitrary: fc.record({ _tag: step("GiveUp") }) }),
  { maxLength: 25 }
)

const amount = (paras: number): string => BigDecimal.format(BigDecimal.make(BigInt(paras), 2))

/** The mutation that reserved a document. */
export const mutationOf = (operation: Operation): AdvanceMutation => {
  const part = advancePartOf(operation)
  return part === "PAYMENT" || part === "CANCELLATION" ? part : "CLOSING"
}

/** A case as a store keeps it: the plan functions decide under its lock, and an outcome stores what follows in the same commit. */
export class AdvanceHistory {
  operations: Array<Operation> = []
  /** What a person was told of. */
  readonly items: Array<AttentionItem> = []
  readonly opened: OpenedAdvanceCase
  #number = 0
  #key = 0

  constructor(external: OpenedAdvanceCase["externalAdvance"]) {
    const { businessPremiseId, boundKey, clientId, environment, organizationId, taxpayerId } = operationOf()
    this.opened = {
      id: WorkflowId.make("01900004-0000-7000-8000-000000000001"),
      organizationId,
      environment,
      taxpayerId,
      businessPremiseId,
      clientId,
      boundKey,
      clientReference: "case-1",
      buyer,
      externalAdvance: external,
      createdAt: at
    }
  }

  /** Takes one step where it is possible; answers whether anything was reserved or changed. */
  take(step: AdvanceStep): boolean {
    switch (step._tag) {
      case "Pay":
        return this.#pay(step.paras, step.label, step.type)
      case "Cancel":
        return this.#cancel(step.which)
      case "Close":
        return this.#close(step.moreParas, step.wrongBy)
      case "Redrive":
        return this.#redrive(step.which)
      case "Replay":
        return this.#replay(step.which)
      case "Outcome":
        return this.#conclude(this.operations.find(({ status }) => status === "SUBMITTING"), step.status)
      case "Resolve":
        return this.#conclude(this.operations.find(({ status }) => status === "OUTCOME_UNKNOWN"), step.status)
      case "GiveUp":
        return this.#giveUp()
      case "Find":
        return this.#find(step.which)
    }
  }

  #pay(paras: number, label: string, type: PaymentType): boolean {
    const items = [lineOf(amount(paras), "1", { taxLabels: [label] })]
    const plan = planPayment(this.opened, this.operations, {
      ...said,
      items,
      payments: [{ type, amount: totalAmount(items) }],
      paymentOccurredAt: null
    })
    return Result.isSuccess(plan) && this.#reserve(plan.success, "REQUEST", "SUBMITTING", this.#nextKey())
  }

  #cancel(which: number): boolean {
    const sales = this.operations.filter(({ content }) => content.invoiceType === "ADVANCE" && content.transactionType === "SALE")
    const sale = sales.at(-1 - (which % Math.max(sales.length, 1)))
    if (sale === undefined) return false
    const plan = planCancellation(this.opened, this.operations, { ...said, buyer, advanceSaleId: sale.id })
    return Result.isSuccess(plan) && this.#reserve(plan.success, "REQUEST", "SUBMITTING", this.#nextKey())
  }

  #close(moreParas: number, wrongBy: number): boolean {
    const advance = this.standingTotal()
    const items: ReadonlyArray<LineItem> = [lineOf(BigDecimal.format(BigDecimal.sum(advance, BigDecimal.make(BigInt(moreParas), 2))), "1")]
    const remaining = BigDecimal.make(BigInt(Math.max(moreParas + wrongBy, 0)), 2)
    const plan = planClosing(this.opened, this.operations, {
      ...said,
      items,
      remainingPayments: [{ type: "CASH", amount: remaining }],
      buyer: null
    })
    if (Result.isFailure(plan)) return false
    const key = this.#nextKey()
    const { advanceRefund, finalSale } = plan.success
    if (advanceRefund !== null) this.#reserve(advanceRefund, "INNER", "SUBMITTING", advanceRefundKey(key))
    return this.#reserve(finalSale, "REQUEST", advanceRefund === null ? "SUBMITTING" : "VALIDATED", key)
  }

  #redrive(which: number): boolean {
    const unsent = this.operations.filter((operation) =>
      isDueToBeSent(operation) || (operation.status === "NOT_FISCALIZED" && mutationOf(operation) !== "CLOSING")
    )
    const operation = unsent[which % Math.max(unsent.length, 1)]
    if (operation === undefined) return false
    const allowed: Result.Result<void, unknown> = mayBeRedriven[mutationOf(operation)](this.operations, operation)
    if (Result.isFailure(allowed)) return false
    this.#replace({ ...operation, status: "SUBMITTING" })
    return true
  }

  #giveUp(): boolean {
    const target = closingToGiveUp(caseDocuments(this.operations))
    if (Result.isFailure(target)) return false
    const concluded: Operation = { ...target.success, ...givenUp }
    this.#replace(concluded)
    this.#settle(concluded, "closingGivenUp")
    return true
  }

  #find(which: number): boolean {
    const mayBeFound = (operation: Operation) => mutationOf(operation) !== "CLOSING" || (isNeverSent(operation) && operation.boundKey.role === "INNER")
    const decided = this.operations.filter((operation) => operation.status === "NOT_FISCALIZED" && mayBeFound(operation))
    return this.#conclude(decided[which % Math.max(decided.length, 1)], "FISCALIZED")
  }

  /** The keys of the closings, in the order they were reserved. */
  closingKeys(): ReadonlyArray<string> {
    return this.operations.filter(({ content }) => content.invoiceType === "NORMAL").map(({ boundKey }) => boundKey.key)
  }

  #replay(which: number): boolean {
    const keys = this.closingKeys()
    const next = nextOfClosing(this.operations, keys[which % Math.max(keys.length, 1)] ?? "", true)
    if (next._tag !== "Send" || Result.isFailure(mayBeRedriven.CLOSING(this.operations, next.operation))) return false
    this.#replace({ ...next.operation, status: "SUBMITTING" })
    return true
  }

  /** The sum of the advances that stand, computed from the signed documents alone. */
  standingTotal(): BigDecimal.BigDecimal {
    const signed = this.operations.filter(({ content, status }) => status === "FISCALIZED" && content.invoiceType === "ADVANCE")
    const cancelled = new Set(
      signed.filter(({ boundKey, content }) => content.transactionType === "REFUND" && boundKey.role === "REQUEST")
        .map(({ content }) => content.reference?.fiscalDocumentId)
    )
    const standing = signed.filter(({ content, id }) => content.transactionType === "SALE" && !cancelled.has(id))
    return BigDecimal.sumAll([
      ...standing.map(({ content }) => totalAmount(content.items)),
      this.opened.externalAdvance?.amount ?? BigDecimal.fromBigInt(0n)
    ])
  }

  #nextKey(): string {
    this.#key += 1
    return `key-${String(this.#key).padStart(16, "0")}`
  }

  #reserve(content: AdvanceContent, role: KeyRole, status: DocumentStatus, key: string): boolean {
    const base = operationOf()
    this.#number += 1
    this.operations.push({
      ...base,
      // Even, so that the document composed after this one has an id of its own.
      id: FiscalDocumentId.make(`01900005-0000-7000-8000-${(this.#number * 2).toString(16).padStart(12, "0")}`),
      workflow: { type: "ADVANCE", id: this.opened.id },
      boundKey: { ...base.boundKey, role, key },
      content: { ...base.content, ...content },
      status
    })
    return true
  }

  #replace(operation: Operation): void {
    this.operations = this.operations.map((other) => other.id === operation.id ? operation : other)
  }

  #conclude(operation: Operation | undefined, status: DocumentStatus): boolean {
    if (operation === undefined) return false
    this.#number += 1
    const number = `ABCD1234-ABCD1234-${this.#number}`
    const concluded: Operation = {
      ...operation,
      status,
      answer: status === "FISCALIZED"
        ? { ...signedAnswer, pfr: { ...signedAnswer.pfr, invoiceNumber: number, sdcTime: PfrTime.make("2026-08-29T12:00:01.1234567+02:00") } }
        : null
    }
    this.#replace(concluded)
    const item = receiptAfterClosing(concluded, this.operations)
    if (item !== null) this.items.push(item)
    this.#settle(concluded)
    return true
  }

  #settle(concluded: Operation, event: DocumentEvent = "signed"): void {
    const effect = advanceEffect(concluded, { at, actor: "api:host", event })
    if (effect._tag === "ReserveCopy") this.operations.push(effect.copy.operation)
    if (effect._tag === "None" || effect._tag === "ReserveCopy") return
    const waiting = this.operations.find(({ boundKey, content, status }) =>
      status === "VALIDATED" && content.invoiceType === "NORMAL" && boundKey.key === effect.closingKey
    )
    if (waiting === undefined) return
    if (effect._tag === "ReadyFinalSale") this.#replace({ ...waiting, content: { ...waiting.content, reference: effect.reference } })
    if (effect._tag === "EndFinalSale") {
      this.#replace({ ...waiting, status: "NOT_FISCALIZED", failureCode: "ADVANCE_REFUND_NOT_FISCALIZED" })
    }
  }
}

/** Plays a history and calls `check` after every change: after each request, and after each later event. */
export const playAdvanceHistory = (
  steps: ReadonlyArray<AdvanceStep>,
  external: OpenedAdvanceCase["externalAdvance"],
  check: (history: AdvanceHistory, step: AdvanceStep, before: ReadonlyArray<Operation>) => boolean
): boolean => {
  const history = new AdvanceHistory(external)
  const takes = (step: AdvanceStep): boolean => {
    const before = history.operations
    history.operations = [...before]
    const isTaken = history.take(step)
    if (!check(history, step, before)) return false
    return !isTaken || !("ending" in step) || step.ending === null || takes({ _tag: "Outcome", status: step.ending })
  }
  return steps.every(takes)
}
