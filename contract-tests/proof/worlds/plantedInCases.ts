import type { MemoryOperations } from "@overa/adapter-memory"
import { type AdvanceCases, advancePartOf, type DocumentReference, type Operation, type StoredAdvanceCase } from "@overa/domain"
import { Effect, Option, Result } from "effect"

/** Bugs of advance cases that the checks must find. */
export type PlantedInCases = "stale-predecessor" | "cancelled-counted" | "final-sale-too-early" | "closing-by-another-key"

type Cases = AdvanceCases["Service"]

/** A planted bug: a payment is sent again whatever the state of the case is by then. */
const stalePredecessor = (cases: Cases): Cases => ({
  ...cases,
  redrive: (opened, redrive) => cases.redrive(opened, redrive, () => Result.void)
})

const withoutCancellations = (documents: ReadonlyArray<Operation>) => documents.filter((operation) => advancePartOf(operation) !== "CANCELLATION")

/** A planted bug: a cancelled Advance Sale stays in every sum. */
const cancelledCounted = (cases: Cases): Cases => ({
  ...cases,
  get: (tenant, id) =>
    Effect.map(cases.get(tenant, id), Option.map((stored): StoredAdvanceCase => ({ ...stored, documents: withoutCancellations(stored.documents) }))),
  reserve: (opened, decide) => cases.reserve(opened, (documents) => decide(withoutCancellations(documents)))
})

const isFinalSale = (operation: Operation): boolean => advancePartOf(operation) === "FINAL_SALE"

/** The closing that is not sent yet, as if the key of a rejected one had made it. */
const underRejectedKey = (documents: ReadonlyArray<Operation>): ReadonlyArray<Operation> => {
  const rejected = documents.find((one) => isFinalSale(one) && one.status === "REJECTED")
  const unsent = documents.findLast((one) => isFinalSale(one) && (one.status === "VALIDATED" || one.status === "NOT_FISCALIZED"))
  if (rejected === undefined || unsent === undefined) return documents
  return documents.map((one) => (one === unsent ? { ...one, boundKey: { ...one.boundKey, key: rejected.boundKey.key } } : one))
}

/** A planted bug: the key of a rejected closing carries a later closing on. */
const closingByAnotherKey = (cases: Cases): Cases => ({
  ...cases,
  get: (tenant, id) => Effect.map(cases.get(tenant, id), Option.map((stored): StoredAdvanceCase => ({ ...stored, documents: underRejectedKey(stored.documents) })))
})

/** A reference to an Advance Refund that has no number yet. */
const early: DocumentReference = {
  source: "SVC",
  fiscalDocumentId: null,
  pfrNumber: "ELEMENT1-SIMULAO0-0",
  pfrTime: "2026-01-01T00:00:00+01:00",
  invoiceType: "ADVANCE",
  transactionType: "REFUND"
}

/** A planted bug: the worker may send the final sale at once, whatever the outcome of the Advance Refund. */
const finalSaleTooEarly = (memory: MemoryOperations["Service"]) => (cases: Cases): Cases => ({
  ...cases,
  reserve: (opened, decide) =>
    Effect.tap(cases.reserve(opened, decide), (reserved) =>
      Effect.sync(() => {
        if (Result.isFailure(reserved) || reserved.success._tag !== "Reserved") return
        for (const { operation } of reserved.success.kept) {
          const stored = memory.byId.get(operation.id)
          if (stored?.operation.status !== "VALIDATED") continue
          stored.operation = { ...stored.operation, content: { ...stored.operation.content, reference: early } }
          stored.nextCheckAt = 0
        }
      }))
})

/** The cases with one planted bug, or unchanged. */
export const plantInCases = (bug: string | null, memory: MemoryOperations["Service"]): (cases: Cases) => Cases => {
  switch (bug) {
    case "stale-predecessor":
      return stalePredecessor
    case "cancelled-counted":
      return cancelledCounted
    case "closing-by-another-key":
      return closingByAnotherKey
    case "final-sale-too-early":
      return finalSaleTooEarly(memory)
    default:
      return (cases) => cases
  }
}
