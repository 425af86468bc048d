import { claimsSource, type FiscalDocumentId, type Operation, OperationStore, ProformaTrainingDocuments, proformaTrainingStatus, type SourceRefund, type Tenant } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { allShown, holderOf, keyOf, MemoryOperations } from "./MemoryOperations.ts"

const claimOf = ({ status, workflowId }: SourceRefund): SourceRefund => ({ workflowId, status })

/** Proforma and training documents beside the operations in memory. */
export const layerProformaTraining = Layer.effect(
  ProformaTrainingDocuments,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const store = yield* OperationStore
    const documents = (): ReadonlyArray<Operation> =>
      allShown(memory).filter(({ workflow }) => workflow?.type === "PROFORMA_TRAINING")
    const refundsOf = (organizationId: Tenant["organizationId"], sourceId: FiscalDocumentId): ReadonlyArray<SourceRefund & { readonly id: FiscalDocumentId }> =>
      documents()
        .filter((operation) => operation.organizationId === organizationId && operation.content.reference?.fiscalDocumentId === sourceId)
        .flatMap(({ id, status, workflow }) => workflow === null ? [] : [{ id, workflowId: workflow.id, status: proformaTrainingStatus(status) }])
    return ProformaTrainingDocuments.of({
      reserve: (reservation) =>
        Effect.suspend((): ReturnType<ProformaTrainingDocuments["Service"]["reserve"]> => {
          const { id, organizationId, content } = reservation.operation
          const sourceId = content.reference?.fiscalDocumentId ?? null
          // The own reservation again: what others claim since changes nothing.
          const by = sourceId === null || memory.byId.has(id)
            ? undefined
            : refundsOf(organizationId, sourceId).find((refund) => refund.id !== id && claimsSource(refund))
          const reserve = store.reserve(reservation)
          if (by === undefined) return reserve
          // The key is checked before the claim, in the order of a database's unique constraints.
          const taken = holderOf(memory, keyOf(reservation.operation))
          return Effect.succeed(taken === undefined ? { _tag: "SourceClaimed", by: claimOf(by) } : { _tag: "KeyTaken", existing: taken })
        }),
      refundsOf: (tenant, sourceId) => Effect.sync(() => refundsOf(tenant.organizationId, sourceId).map(claimOf)),
      get: (tenant, id) =>
        Effect.sync(() =>
          Option.fromNullishOr(documents().find(({ environment, organizationId, workflow }) =>
            workflow?.id === id && organizationId === tenant.organizationId && environment === tenant.environment
          ))
        )
    })
  })
)
