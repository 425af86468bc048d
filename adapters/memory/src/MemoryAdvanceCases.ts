import {
  AdvanceCaseList,
  AdvanceCases,
  type CaseOpened,
  type CaseReserved,
  compareInJournal,
  dueAfterReservation,
  isBehindCursor,
  matchesCaseFilter,
  type OpenedAdvanceCase,
  type Operation,
  OperationStore,
  type Redrive,
  type Reservation,
  standingFinalSale,
  storedAgainItems,
  StoreUnavailable,
  type WorkflowId
} from "@overa/domain"
import { Clock, Effect, Layer, Option, type Result } from "effect"
import { closingsOf, isKeptOut } from "./closingsOf.ts"
import { allShown, holderOf, keyOf, MemoryOperations, utc } from "./MemoryOperations.ts"
import { raise } from "./raise.ts"
import { whenDecided } from "./whenDecided.ts"

/** A closing's final sale has the caller's key; its Advance Refund is composed by the service. */
const callersFirst = (reservations: ReadonlyArray<Reservation>): ReadonlyArray<Reservation> =>
  [...reservations].sort((left, right) => Number(left.operation.boundKey.role === "INNER") - Number(right.operation.boundKey.role === "INNER"))

const layerCases = Layer.effect(
  AdvanceCases,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const store = yield* OperationStore
    const documentsOf = (id: WorkflowId): ReadonlyArray<Operation> =>
      allShown(memory).filter(({ workflow }) => workflow?.id === id)
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
    const keep = Effect.fnUntraced(function*(opened: OpenedAdvanceCase, reservations: ReadonlyArray<Reservation>) {
      for (const { operation } of callersFirst(reservations)) {
        const taken = holderOf(memory, keyOf(operation))
        if (taken?.id === operation.id) continue
        const holder = taken ?? (operation.content.invoiceType === "NORMAL" ? standingFinalSale(closingsOf(memory, opened.id)) : null)
        if (holder !== null) return { _tag: "KeyTaken", existing: holder } satisfies CaseReserved
        if (isKeptOut(memory, operation)) return yield* new StoreUnavailable({ committed: "no", cause: new Error("another document of the case is in flight") })
      }
      for (const reservation of reservations) yield* reserveDocument(reservation)
      return { _tag: "Reserved", kept: reservations } satisfies CaseReserved
    })
    const raiseStoredAgain = (opened: OpenedAdvanceCase, kept: ReadonlyArray<Reservation>): void => {
      for (const { operation } of kept) {
        const stored = memory.byId.get(operation.id)
        if (stored !== undefined) raise(stored, storedAgainItems(operation, documentsOf(opened.id)), operation.createdAt)
      }
    }
    const byId = (organizationId: string, id: WorkflowId): OpenedAdvanceCase | undefined => {
      const opened = memory.cases.get(id)
      return opened?.organizationId === organizationId ? opened : undefined
    }
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
          const opened = byId(tenant.organizationId, id)
          return opened?.environment === tenant.environment ? Option.some({ opened, documents: documentsOf(id) }) : Option.none()
        }),
      find: (organizationId, by) => Effect.sync(() => Option.fromNullishOr("id" in by ? byId(organizationId, by.id) : byKey(organizationId, by.key))),
      reserve: <E>(opened: OpenedAdvanceCase, decide: (documents: ReadonlyArray<Operation>) => Result.Result<ReadonlyArray<Reservation>, E>) =>
        Effect.suspend(() => whenDecided(decide(documentsOf(opened.id)), (kept) => keep(opened, kept))),
      // A failover may have lost the case together with its documents.
      reserveAgain: (opened, kept) =>
        Effect.suspend(() => {
          put(opened)
          return Effect.tap(keep(opened, kept), (reserved) => Effect.sync(() => reserved._tag === "Reserved" ? raiseStoredAgain(opened, kept) : undefined))
        }),
      redrive: <E>(opened: OpenedAdvanceCase, redrive: Redrive, decide: (documents: ReadonlyArray<Operation>) => Result.Result<void, E>) =>
        Effect.suspend(() => whenDecided(decide(documentsOf(opened.id)), () => store.redrive(redrive)))
    })
  })
)

const layerList = Layer.effect(
  AdvanceCaseList,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    return AdvanceCaseList.of({
      opened: (tenant, filter, { after, limit }) =>
        Effect.sync(() =>
          [...memory.cases.values()]
            .filter((opened) =>
              opened.organizationId === tenant.organizationId && opened.environment === tenant.environment && matchesCaseFilter(filter, opened) &&
              isBehindCursor(opened, after)
            )
            .toSorted(compareInJournal)
            .slice(0, limit)
        )
    })
  })
)

/** Advance cases and their list, beside the operations in memory; `conclude` of the operation store stores what follows for them. */
export const layerAdvanceCases = Layer.merge(layerCases, layerList)
