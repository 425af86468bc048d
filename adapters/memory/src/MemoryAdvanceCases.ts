import {
  AdvanceCases,
  type CaseOpened,
  type CaseReserved,
  dueAfterReservation,
  type OpenedAdvanceCase,
  type Operation,
  OperationStore,
  type Redrive,
  type Reservation,
  type WorkflowId
} from "@overa/domain"
import { Clock, Effect, Layer, Option, type Result } from "effect"
import { holderOf, keyOf, MemoryOperations, utc } from "./MemoryOperations.ts"
import { whenDecided } from "./whenDecided.ts"

/** Advance cases beside the operations in memory; `conclude` of the operation store stores what follows for them. */
export const layerAdvanceCases = Layer.effect(
  AdvanceCases,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const store = yield* OperationStore
    const documentsOf = (id: WorkflowId): ReadonlyArray<Operation> =>
      [...memory.byId.values()].map(({ operation }) => operation).filter(({ workflow }) => workflow?.id === id)
    const byKey = (organizationId: OpenedAdvanceCase["organizationId"], key: string): OpenedAdvanceCase | undefined =>
      [...memory.cases.values()].find((opened) => opened.organizationId === organizationId && opened.boundKey.key === key)
    const put = (opened: OpenedAdvanceCase): void => {
      memory.cases.set(opened.id, opened)
      memory.owners.set(keyOf(opened), opened)
    }
    const reserveDocument = Effect.fnUntraced(function*(reservation: Reservation) {
      const { operation } = reservation
      const isKnown = memory.byId.has(operation.id)
      yield* store.reserve(reservation)
      const [stored, millis] = [memory.byId.get(operation.id), dueAfterReservation(operation)]
      if (isKnown || stored === undefined || millis === null) return
      stored.nextCheckAt = (yield* Clock.currentTimeMillis) + millis
      stored.operation = { ...stored.operation, nextCheckAt: utc(stored.nextCheckAt) }
    })
    /** All or nothing: keys are looked up before the first is written. */
    const keep = Effect.fnUntraced(function*(reservations: ReadonlyArray<Reservation>) {
      for (const { operation } of reservations) {
        const taken = holderOf(memory, keyOf(operation))
        if (taken !== undefined && taken.id !== operation.id) return { _tag: "KeyTaken", existing: taken } satisfies CaseReserved
      }
      for (const reservation of reservations) yield* reserveDocument(reservation)
      return { _tag: "Reserved", kept: reservations } satisfies CaseReserved
    })
    return AdvanceCases.of({
      open: (opened) =>
        Effect.sync((): CaseOpened => {
          const known = byKey(opened.organizationId, opened.boundKey.key)
          if (known !== undefined) return known.id === opened.id ? { _tag: "Opened" } : { _tag: "CaseKnown", existing: known }
          const taken = holderOf(memory, keyOf(opened))
          if (taken !== undefined) return { _tag: "KeyTaken", existing: taken }
          put(opened)
          return { _tag: "Opened" }
        }),
      get: (tenant, id) =>
        Effect.sync(() => {
          const opened = memory.cases.get(id)
          return opened?.organizationId === tenant.organizationId && opened.environment === tenant.environment
            ? Option.some({ opened, documents: documentsOf(id) })
            : Option.none()
        }),
      findByKey: (organizationId, key) => Effect.sync(() => Option.fromNullishOr(byKey(organizationId, key))),
      reserve: <E>(opened: OpenedAdvanceCase, decide: (documents: ReadonlyArray<Operation>) => Result.Result<ReadonlyArray<Reservation>, E>) =>
        Effect.suspend(() => whenDecided(decide(documentsOf(opened.id)), keep)),
      // A failover may have lost the case together with its documents.
      reserveAgain: (opened, kept) =>
        Effect.suspend(() => {
          put(opened)
          return keep(kept)
        }),
      redrive: <E>(opened: OpenedAdvanceCase, redrive: Redrive, decide: (documents: ReadonlyArray<Operation>) => Result.Result<void, E>) =>
        Effect.suspend(() => whenDecided(decide(documentsOf(opened.id)), () => store.redrive(redrive)))
    })
  })
)
