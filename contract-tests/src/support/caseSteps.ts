import {
  type AdvanceCaseList,
  AdvanceCases,
  type AdvanceContent,
  advanceSales,
  advanceRefundKey,
  caseDocuments,
  type CaseReserved,
  type OpenedAdvanceCase,
  type Operation,
  type OperationHistory,
  OperationStore,
  planCancellation,
  planClosing,
  planPayment,
  type Reservation,
  totalAdvance,
  totalAmount,
  type UnresolvedOperations,
  type WorkflowId
} from "@overa/domain"
import { BigDecimal, Effect, Option, Result } from "effect"
import { assert } from "vitest"
import { mintKey, mintUuid } from "./mintIdentity.ts"
import { mintPlace, rejected, sampleContent, sampleOperation, sampleReservation, sampleTime, signed } from "./sampleOperations.ts"

/** The ports that a contract of advance cases needs. */
export type CaseStores = AdvanceCaseList | AdvanceCases | OperationStore | OperationHistory | UnresolvedOperations

export const said = { cashier: { id: "web", displayName: null }, clientReference: null, commercialFooter: null, metadata: null }
export const buyer = { id: "20:123456789", optionalField: null }

/** A case of a place of its own. */
export const mintCase = (): OpenedAdvanceCase => {
  const place = mintPlace()
  return {
    ...place,
    id: mintUuid() as WorkflowId,
    clientId: "svc-sbx-tests",
    boundKey: { role: "REQUEST", key: mintKey(), target: "POST /v1/advance-cases", body: "{\"n\":1}", fingerprint: { version: 1, digest: "00ff" } },
    clientReference: "орман-1",
    buyer,
    externalAdvance: {
      documentNumber: "2022-15",
      documentTime: "2022-01-05T12:00:00.000+01:00",
      amount: BigDecimal.fromStringUnsafe("300.10") as never,
      taxAmount: BigDecimal.fromStringUnsafe("50.02") as never
    },
    createdAt: sampleTime
  }
}

/** A document of the case that is sent at once, or waits unsent where the options say so. */
export const documentOf = (opened: OpenedAdvanceCase, content: AdvanceContent, changes: Partial<Operation> = {}): Reservation => {
  const operation = sampleOperation(opened, {
    content: { ...sampleContent(1), ...content },
    workflow: { type: "ADVANCE", id: opened.id },
    ...changes
  })
  const reservation = sampleReservation(operation)
  return operation.status === "VALIDATED"
    ? { ...reservation, attempt: null, transitions: reservation.transitions.slice(0, 2) }
    : reservation
}

/** An advance of one piece as it is offered to the store. */
export const paymentOf = (opened: OpenedAdvanceCase, documents: ReadonlyArray<Operation>, type: "CARD" | "CASH" = "CARD") => {
  const { items } = sampleContent(1)
  const request = { ...said, items, payments: [{ type, amount: totalAmount(items) }], paymentOccurredAt: null }
  return Result.map(planPayment(opened, documents, request), (content): ReadonlyArray<Reservation> => [documentOf(opened, content)])
}

/** Reserves an advance of one piece. */
export const pay = (opened: OpenedAdvanceCase, type: "CARD" | "CASH" = "CARD") =>
  AdvanceCases.use((cases) => cases.reserve(opened, (documents) => paymentOf(opened, documents, type)))

/** The first document that a commit stored. */
export const kept = (reserved: Result.Result<CaseReserved, unknown>): Operation => {
  const answer = Result.getOrThrow(reserved)
  const operation = answer._tag === "Reserved" ? answer.kept[0]?.operation : undefined
  if (operation === undefined) throw new Error(`expected Reserved, was ${answer._tag}`)
  return operation
}

/** The V-PFR signs it. */
export const conclude = (operation: Operation) =>
  OperationStore.use((store) => store.conclude({ ...signed(operation), workflow: operation.workflow }))

/** A signed advance of one piece. */
export const paid = Effect.fnUntraced(function*(opened: OpenedAdvanceCase, type: "CARD" | "CASH" = "CARD") {
  const operation = kept(yield* pay(opened, type))
  yield* conclude(operation)
  return operation
})

/** A case that is stored. */
export const openedCase = Effect.gen(function*() {
  const cases = yield* AdvanceCases
  const opened = mintCase()
  assert.deepStrictEqual(yield* cases.open(opened), { _tag: "Opened" })
  return opened
})

/** The case as it is stored. */
export const read = Effect.fnUntraced(function*(opened: OpenedAdvanceCase) {
  const cases = yield* AdvanceCases
  return Option.getOrThrow(yield* cases.get(opened, opened.id))
})

/** The cancellation of an advance as it is offered to the store. */
export const cancellationOf = (opened: OpenedAdvanceCase, documents: ReadonlyArray<Operation>, { id }: Operation) =>
  Result.map(planCancellation(opened, documents, { ...said, buyer, advanceSaleId: id }), (content): ReadonlyArray<Reservation> => [documentOf(opened, content)])

/** The documents of a closing of everything, if the case allows it. */
export const planAll = (opened: OpenedAdvanceCase, documents: ReadonlyArray<Operation>) => {
  const { items } = sampleContent(6)
  const advance = totalAdvance(advanceSales(caseDocuments(documents)), opened.externalAdvance)
  const remainingPayments = [{ type: "CARD" as const, amount: BigDecimal.subtract(totalAmount(items), advance) }]
  return planClosing(opened, documents, { ...said, items, remainingPayments, buyer: null })
}

/** A closing of everything as it is offered to the store: its Advance Refund, then its final sale. */
export const closingOf = (opened: OpenedAdvanceCase, documents: ReadonlyArray<Operation>) =>
  Result.map(planAll(opened, documents), (plan): ReadonlyArray<Reservation> => {
    const finalSale = documentOf(opened, plan.finalSale, { status: "VALIDATED", attempt: 0 })
    if (plan.advanceRefund === null) return [finalSale]
    const { boundKey } = finalSale.operation
    return [documentOf(opened, plan.advanceRefund, { boundKey: { ...boundKey, role: "INNER", key: advanceRefundKey(boundKey.key) } }), finalSale]
  })

/** A closing of everything, if the case allows it. */
export const tryClose = (opened: OpenedAdvanceCase) =>
  AdvanceCases.use((cases) => cases.reserve(opened, (documents) => closingOf(opened, documents)))

/** Both documents of a closing of everything. */
export const close = Effect.fnUntraced(function*(opened: OpenedAdvanceCase) {
  const answer = Result.getOrThrow(yield* tryClose(opened))
  if (answer._tag !== "Reserved") throw new Error(`expected Reserved, was ${answer._tag}`)
  const [refund, finalSale] = answer.kept.map(({ operation }) => operation)
  if (refund === undefined || finalSale === undefined) throw new Error("a closing has two documents")
  return { refund, finalSale }
})

/** The final sale is sent, and the V-PFR rejects it. */
export const sendAndReject = Effect.fnUntraced(function*(finalSale: Operation) {
  const store = yield* OperationStore
  const stored = Option.getOrThrow(yield* store.get(finalSale, finalSale.id))
  const { attempt, leaseMillis } = sampleReservation({ ...stored, attempt: 1 })
  if (attempt === null) throw new Error("an attempt is sent")
  const transition = { from: "VALIDATED", to: "SUBMITTING", at: sampleTime, cause: "reserved", actor: "api:h1", attempt: 1 } as const
  const operation: Operation = { ...stored, status: "SUBMITTING", attempt: 1 }
  assert.isTrue(yield* store.redrive({ operation, attempt, transition, leaseMillis }))
  yield* store.conclude(rejected(operation, { workflow: operation.workflow }))
})
