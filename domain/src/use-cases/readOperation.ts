import { Effect, Option } from "effect"
import { FiscalDocumentNotFound, OperationNotFound } from "../documents/errors.ts"
import { summaryOf } from "../documents/FiscalDocument.ts"
import type { Operation, Transition } from "../operations/Operation.ts"
import { OperationHistory, OperationStore } from "../ports/OperationStore.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"

/** The document of a tenant; another tenant's is answered as not found (Decisions §7). */
export const readDocument = Effect.fn("readDocument")(function*(tenant: Tenant, id: FiscalDocumentId) {
  const store = yield* OperationStore
  const found = yield* store.get(tenant, id)
  return Option.isSome(found) ? found.value : yield* new FiscalDocumentNotFound({ fiscalDocumentId: id })
})

/** An operation with its transitions so far and one sentence for the caller. Source: Decisions §5, Operations. */
export interface OperationView {
  readonly operation: Operation
  readonly summary: string
  readonly transitions: ReadonlyArray<Transition>
}

/** What `GET /v1/operations/{id}` answers: used to poll an unknown outcome. */
export const readOperation = Effect.fn("readOperation")(function*(tenant: Tenant, id: FiscalDocumentId) {
  const store = yield* OperationStore
  const found = yield* store.get(tenant, id)
  if (Option.isNone(found)) return yield* new OperationNotFound({ operationId: id })
  const transitions = yield* (yield* OperationHistory).transitions(tenant, id)
  const view: OperationView = { operation: found.value, summary: summaryOf(found.value), transitions }
  return view
})
