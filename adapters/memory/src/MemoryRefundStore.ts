import {
  type FiscalDocumentId,
  holdRefund,
  openLedger,
  type Operation,
  OperationStore,
  originalLost,
  type RefundLedger,
  type RefundReservation,
  type RefundReserved,
  overRefunded,
  overRefundedLines,
  RefundStore,
  type StoredRefund,
  type StoreUnavailable,
  type WorkflowId
} from "@overa/domain"
import { Effect, Layer, Option, type Result } from "effect"
import { MemoryOperations, shown } from "./MemoryOperations.ts"
import { raise } from "./raise.ts"
import { whenDecided } from "./whenDecided.ts"

/** Refund workflows beside the operations in memory; `conclude` of the operation store updates them. */
export const layerRefundStore = Layer.effect(
  RefundStore,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const store = yield* OperationStore
    const ledgerOf = (original: Operation): RefundLedger =>
      memory.ledgers.get(original.id) ?? openLedger(original.content.items)
    const operation = (id: FiscalDocumentId | null): Operation | null => {
      const stored = id === null ? undefined : memory.byId.get(id)
      return stored === undefined ? null : shown(stored)
    }
    const keep = (ledger: RefundLedger, kept: RefundReservation): Effect.Effect<RefundReserved, StoreUnavailable> => {
      const { reservation, workflowId, originalId, copyId, entries } = kept
      return Effect.map(store.reserve(reservation), (reserved): RefundReserved => {
        if (reserved._tag === "KeyTaken") return reserved
        if (memory.refunds.has(workflowId)) return { _tag: "Reserved", kept }
        const isSent = reservation.attempt !== null
        memory.ledgers.set(originalId, isSent ? holdRefund(ledger, workflowId, entries) : ledger)
        const refundId = reservation.operation.id
        memory.refunds.set(workflowId, { workflowId, originalId, refundId, copyId, entries, holds: isSent ? "HELD" : "RELEASED" })
        return { _tag: "Reserved", kept }
      })
    }
    return RefundStore.of({
      ledger: (original) => Effect.sync(() => ledgerOf(original)),
      reserve: <E>(original: Operation, decide: (ledger: RefundLedger) => Result.Result<RefundReservation, E>) =>
        Effect.suspend(() => {
          const ledger = ledgerOf(original)
          return whenDecided(decide(ledger), (kept) => keep(ledger, kept))
        }),
      reserveAgain: (original, kept) =>
        Effect.map(Effect.suspend(() => keep(ledgerOf(original), kept)), (reserved) => {
          const stored = memory.byId.get(kept.reservation.operation.id)
          const over = overRefundedLines(ledgerOf(original))
          const items = [
            ...(over.length > 0 ? [overRefunded(original.id, over)] : []),
            ...(memory.byId.has(original.id) ? [] : [originalLost(original)])
          ]
          if (reserved._tag === "Reserved" && stored !== undefined) raise(stored, items, kept.reservation.operation.createdAt)
          return reserved
        }),
      get: (tenant, id: WorkflowId) =>
        Effect.sync(() => {
          const kept = memory.refunds.get(id)
          const refund = operation(kept?.refundId ?? null)
          const isTenants = refund?.organizationId === tenant.organizationId && refund.environment === tenant.environment
          if (kept === undefined || refund === null || !isTenants) return Option.none<StoredRefund>()
          return Option.some({ id, refund, copyId: kept.copyId, copy: operation(kept.copyId), entries: kept.entries })
        })
    })
  })
)
