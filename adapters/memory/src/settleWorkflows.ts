import { type AdvanceEffect, advanceEffect, type Conclusion, copyNotReserved, type FiscalDocumentId, openLedger, overRefunded, receiptAfterClosing, type ReservedCopy } from "@overa/domain"
import { closingsOf } from "./closingsOf.ts"
import { holderOf, keyOf, type MemoryOperations, move, put, shown, type StoredOperation, utc } from "./MemoryOperations.ts"
import { raise } from "./raise.ts"
import { refundEffects } from "./refundEffects.ts"

/** The refund document of a workflow updates its hold and reserves its copy, in the same commit. */
export const settleRefund = (
  memory: MemoryOperations["Service"],
  conclusion: Pick<Conclusion, "actor" | "at" | "event" | "operationId" | "workflow">,
  now: number
): void => {
  const refund = conclusion.workflow?.type === "REFUND" ? memory.refunds.get(conclusion.workflow.id) : undefined
  const stored = memory.byId.get(conclusion.operationId)
  if (refund === undefined || stored === undefined || refund.refundId !== conclusion.operationId) return
  const original = memory.byId.get(refund.originalId)?.operation
  const ledger = memory.ledgers.get(refund.originalId) ?? openLedger(original?.content.items ?? [])
  const effects = refundEffects(ledger, refund, shown(stored), conclusion)
  memory.ledgers.set(refund.originalId, effects.ledger)
  if (effects.overRefunded.length > 0) {
    raise(stored, [overRefunded(refund.originalId, effects.overRefunded)], conclusion.at)
  }
  if (effects.copy !== null) putUnsent(memory, stored, effects.copy, now + effects.copyCheckAfterMillis)
}

/** A refund in doubt holds its quantities again, even if other refunds took them, until a person has looked. */
export const followDoubt = (memory: MemoryOperations["Service"], { operation: { id, workflow } }: StoredOperation, at: Conclusion["at"]): void =>
  settleRefund(memory, { workflow, operationId: id, at, actor: "api:doubt", event: "noAnswer" }, 0)

/** A copy that is reserved and not sent, due at `nextCheckAt`; once. Where something else has its key, a person is told. */
const putUnsent = (memory: MemoryOperations["Service"], refund: StoredOperation, copy: ReservedCopy, nextCheckAt: number): void => {
  if (memory.byId.has(copy.operation.id)) return
  const holder = holderOf(memory, keyOf(copy.operation))
  if (holder !== undefined) return raise(refund, [copyNotReserved(copy.operation.id, holder.id)], utc(nextCheckAt))
  put(memory, { ...copy.operation, nextCheckAt: utc(nextCheckAt) }, {
    attempts: [],
    transitions: [...copy.transitions],
    answerTexts: new Map(),
    attention: [],
    leaseUntil: null,
    nextCheckAt,
    checks: 0
  })
}

/** What follows from the outcome of a document of an advance case, in the same commit. */
export const settleAdvance = (memory: MemoryOperations["Service"], conclusion: Conclusion, now: number): void => {
  const { workflow } = conclusion
  const concluded = memory.byId.get(conclusion.operationId)
  if (workflow?.type !== "ADVANCE" || concluded === undefined) return
  const item = receiptAfterClosing(concluded.operation, closingsOf(memory, workflow.id))
  if (item !== null) raise(concluded, [item], conclusion.at)
  const effect = advanceEffect(concluded.operation, conclusion)
  if (effect._tag === "ReserveCopy") return putUnsent(memory, concluded, effect.copy, now + effect.dueAfterMillis)
  if (effect._tag === "None") return
  const waiting = closingsOf(memory, workflow.id).find(({ boundKey, content, inDoubt, status }) =>
    content.invoiceType === "NORMAL" && (inDoubt ?? status) === "VALIDATED" && boundKey.key === effect.closingKey
  )
  if (waiting !== undefined) settleFinalSale(memory, waiting.id, effect, conclusion, now)
}

type OfFinalSale = Extract<AdvanceEffect, { readonly _tag: "ReadyFinalSale" | "EndFinalSale" }>

const settleFinalSale = (memory: MemoryOperations["Service"], id: FiscalDocumentId, effect: OfFinalSale, conclusion: Conclusion, now: number): void => {
  const waiting = memory.byId.get(id)
  if (waiting === undefined) return
  if (effect._tag === "ReadyFinalSale") {
    waiting.nextCheckAt = now + effect.dueAfterMillis
    const content = { ...waiting.operation.content, reference: effect.reference }
    waiting.operation = { ...waiting.operation, content, updatedAt: conclusion.at, nextCheckAt: utc(waiting.nextCheckAt) }
  }
  if (effect._tag === "EndFinalSale") {
    move(waiting, { event: "notSent", at: conclusion.at, actor: conclusion.actor, attempt: 0 }, { failureCode: "ADVANCE_REFUND_NOT_FISCALIZED" })
  }
}
