import {
  askRefund,
  type FiscalDocumentId,
  type Operation,
  OperationStore,
  type RefundItem,
  type RefundLedger,
  type RefundReservation,
  RefundStore,
  UnresolvedOperations,
  type WorkflowId
} from "@overa/domain"
import { BigDecimal, Effect, Option, Result } from "effect"
import { mintUuid } from "./mintIdentity.ts"
import { mintPlace, sampleAnswer, sampleConclusion, sampleContent, sampleOperation, sampleReservation, signed } from "./sampleOperations.ts"

export type RefundStores = OperationStore | RefundStore | UnresolvedOperations

export const decimal = BigDecimal.fromStringUnsafe

export interface Asked {
  readonly quantity: string
  readonly payment: "CASH" | "CARD"
}

export const itemOf = (original: Operation, quantity: string): RefundItem => {
  const [line] = original.content.items
  if (line === undefined) throw new Error("the sample has lines")
  return { ...line, quantity: decimal(quantity) as RefundItem["quantity"], originalLineIndex: 0 }
}

const refundOf = (original: Operation, items: ReadonlyArray<RefundItem>, asked: Asked, workflowId: WorkflowId): Operation =>
  sampleOperation(original, {
    content: {
      ...sampleContent(1),
      transactionType: "REFUND",
      items,
      payments: [{ type: asked.payment, amount: decimal("1") }]
    },
    workflow: { type: "REFUND", id: workflowId }
  })

export const reservationOf = (original: Operation, asked: Asked) => (ledger: RefundLedger): Result.Result<RefundReservation, unknown> =>
  Result.map(askRefund(original.content.items, ledger, [itemOf(original, asked.quantity)]), ({ items, entries }) => {
    const workflowId = mintUuid() as WorkflowId
    const operation = refundOf(original, items, asked, workflowId)
    return {
      reservation: sampleReservation(operation),
      workflowId,
      originalId: original.id,
      copyId: asked.payment === "CASH" ? mintUuid() as FiscalDocumentId : null,
      entries
    }
  })

export const soldReceipt = Effect.gen(function*() {
  const store = yield* OperationStore
  const operation = sampleOperation(mintPlace())
  yield* store.reserve(sampleReservation(operation))
  yield* store.conclude(signed(operation))
  const sold = yield* store.get(operation, operation.id)
  return Option.getOrThrow(sold)
})

/** Reserves a refund; what the store answers. */
export const ask = Effect.fnUntraced(function*(original: Operation, asked: Asked) {
  const refunds = yield* RefundStore
  return yield* refunds.reserve(original, reservationOf(original, asked))
})

export const reserve = Effect.fnUntraced(function*(original: Operation, asked: Asked) {
  const reserved = Result.getOrThrow(yield* ask(original, asked))
  if (reserved._tag === "KeyTaken") throw new Error("the key is taken")
  return reserved.kept
})

export const concluded = Effect.fnUntraced(function*(kept: RefundReservation, event: "signed" | "rejected" | "notSent" | "noAnswer", answer = sampleAnswer()) {
  const store = yield* OperationStore
  const { operation } = kept.reservation
  const facts = {
    signed: signed(operation, { answer }),
    rejected: sampleConclusion(operation, { event: "rejected", attemptOutcome: "REJECTED", failureCode: "PFR_VALIDATION_REJECTED", rejection: { items: [] } }),
    notSent: sampleConclusion(operation, { event: "notSent", attemptOutcome: "NOT_SENT", failureCode: "PFR_UNAVAILABLE" }),
    noAnswer: sampleConclusion(operation, { event: "noAnswer", attemptOutcome: "NO_ANSWER", failureCode: "OUTCOME_UNKNOWN", nextCheckAfterMillis: 0 })
  }
  return yield* store.conclude({ ...facts[event], workflow: operation.workflow })
})
