import {
  AdvanceCases,
  type CaseOpened,
  type CaseReserved,
  type OpenedAdvanceCase,
  type Operation,
  OperationStore,
  type Redrive,
  type Reservation,
  type StoreUnavailable,
  type WorkflowId
} from "@overa/domain"
import { Effect, Layer, Option, Result } from "effect"
import { MemoryOperations } from "./MemoryOperations.ts"

/** Advance cases beside the operations in memory; `conclude` of the operation store settles them. */
export const layerAdvanceCases = Layer.effect(
  AdvanceCases,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const store = yield* OperationStore
    const documentsOf = (id: WorkflowId): ReadonlyArray<Operation> =>
      [...memory.byId.values()].map(({ operation }) => operation).filter(({ workflow }) => workflow?.id === id)
    const byKey = (organizationId: OpenedAdvanceCase["organizationId"], key: string): OpenedAdvanceCase | undefined =>
      [...memory.cases.values()].find((opened) => opened.organizationId === organizationId && opened.boundKey.key === key)
    /** All or nothing: keys are looked up before the first is written. */
    const keep = Effect.fnUntraced(function*(reservations: ReadonlyArray<Reservation>) {
      for (const { operation } of reservations) {
        const { boundKey, organizationId } = operation
        const opened = boundKey.role === "REQUEST" ? byKey(organizationId, boundKey.key) : undefined
        if (opened !== undefined) return { _tag: "CaseKnown", existing: opened } satisfies CaseReserved
        const taken = yield* store.findByKey({ organizationId, role: boundKey.role, key: boundKey.key })
        if (Option.isSome(taken) && taken.value.id !== operation.id) return { _tag: "KeyTaken", existing: taken.value } satisfies CaseReserved
      }
      for (const reservation of reservations) yield* store.reserve(reservation)
      return { _tag: "Reserved", kept: reservations } satisfies CaseReserved
    })
    return AdvanceCases.of({
      open: (opened) =>
        Effect.suspend((): Effect.Effect<CaseOpened, StoreUnavailable> => {
          const existing = byKey(opened.organizationId, opened.boundKey.key)
          if (existing !== undefined && existing.id !== opened.id) return Effect.succeed({ _tag: "CaseKnown", existing })
          const { organizationId, boundKey: { key } } = opened
          return Effect.map(store.findByKey({ organizationId, role: "REQUEST", key }), (taken): CaseOpened => {
            if (Option.isSome(taken)) return { _tag: "KeyTaken", existing: taken.value }
            memory.cases.set(opened.id, opened)
            return { _tag: "Opened" }
          })
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
        Effect.suspend((): Effect.Effect<Result.Result<CaseReserved, E>, StoreUnavailable> => {
          const decided = decide(documentsOf(opened.id))
          return Result.isFailure(decided)
            ? Effect.succeed(Result.fail(decided.failure))
            : Effect.map(keep(decided.success), Result.succeed)
        }),
      // A failover may have lost the case together with its documents.
      reserveAgain: (opened, kept) =>
        Effect.suspend(() => {
          memory.cases.set(opened.id, opened)
          return keep(kept)
        }),
      redrive: <E>(opened: OpenedAdvanceCase, redrive: Redrive, decide: (documents: ReadonlyArray<Operation>) => Result.Result<void, E>) =>
        Effect.suspend((): Effect.Effect<Result.Result<boolean, E>, StoreUnavailable> => {
          const decided = decide(documentsOf(opened.id))
          return Result.isFailure(decided)
            ? Effect.succeed(Result.fail(decided.failure))
            : Effect.map(store.redrive(redrive), Result.succeed)
        })
    })
  })
)
