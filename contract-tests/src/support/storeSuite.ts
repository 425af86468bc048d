import {
  type Concluded,
  type FiscalDocumentId,
  type Operation,
  OperationHistory,
  OperationStore,
  type OrganizationId,
  type Tenant,
  UnresolvedOperations
} from "@overa/domain"
import { Effect, type Layer, ManagedRuntime, Option } from "effect"
import { afterAll, assert, beforeAll } from "vitest"
import { mintPlace, sampleOperation, sampleReservation } from "./sampleOperations.ts"

export type Store = OperationStore["Service"]
export type Stores = OperationStore | OperationHistory | UnresolvedOperations

/** An operation's own tenant. */
export const tenantOf = (operation: Operation): Tenant => operation

/** The operation of a conclusion that must have been applied. */
export const applied = (concluded: Concluded): Operation => {
  if (concluded._tag !== "Applied") assert.fail(`expected Applied, was ${concluded._tag}`)
  return concluded.operation
}

/** The operation as it is stored now. */
export const stored = (store: Store, operation: Operation) =>
  Effect.map(store.get(tenantOf(operation), operation.id), Option.getOrThrow)

/** The transitions of the operation so far. */
export const transitionsOf = (tenant: Tenant, id: FiscalDocumentId) => OperationHistory.use((history) => history.transitions(tenant, id))

/** The attempts made for the operation so far. */
export const attemptsOf = (organizationId: OrganizationId, id: FiscalDocumentId) =>
  OperationHistory.use((history) => history.attempts(organizationId, id))

/** A fresh operation that is being submitted. */
export const submitting = Effect.fnUntraced(function*(store: Store, changes: Parameters<typeof sampleReservation>[1] = {}) {
  const operation = sampleOperation(mintPlace())
  const reservation = sampleReservation(operation, changes)
  assert.deepStrictEqual(yield* store.reserve(reservation), { _tag: "Reserved" })
  return { operation, reservation }
})

/** Builds the stores once for a suite and runs its cases over them. */
export const storesOf = (layer: () => Layer.Layer<Stores, unknown>) => {
  let runtime: ManagedRuntime.ManagedRuntime<Stores, unknown>
  beforeAll(() => {
    runtime = ManagedRuntime.make(layer())
  })
  afterAll(() => runtime.dispose())
  return (body: (store: Store) => Effect.Effect<void, unknown, Stores>): Promise<void> =>
    runtime.runPromise(Effect.flatMap(Effect.service(OperationStore), body))
}
