import { OperationStore, RefundStore, UnresolvedOperations } from "@overa/domain"
import { Effect, Layer } from "effect"
import type { AtPoint } from "./CrashPoint.ts"

/** The real store with a place to die before and after each of its commits. */
export const mortalOperationStore = (at: AtPoint) =>
  Layer.effect(
    OperationStore,
    Effect.map(OperationStore, (store) =>
      OperationStore.of({
        ...store,
        reserve: (reservation) =>
          at("beforeFirstCommit").pipe(Effect.andThen(store.reserve(reservation)), Effect.tap(() => at("afterFirstCommit"))),
        redrive: (redrive) =>
          at("beforeCopySubmitting").pipe(Effect.andThen(store.redrive(redrive)), Effect.tap(() => at("afterCopySubmitting"))),
        conclude: (conclusion) =>
          at("beforeSecondCommit").pipe(Effect.andThen(store.conclude(conclusion)), Effect.tap(() => at("afterSecondCommit")))
      }))
  )

/** The real refunds with a place to die before and after what reserves one. */
export const mortalRefundStore = (at: AtPoint) =>
  Layer.effect(
    RefundStore,
    Effect.map(RefundStore, (refunds) =>
      RefundStore.of({
        ...refunds,
        reserve: (original, decide) =>
          at("beforeRefundCommit").pipe(Effect.andThen(refunds.reserve(original, decide)), Effect.tap(() => at("afterRefundCommit")))
      }))
  )

/** The real claims with a place to die when one has been taken. */
export const mortalUnresolvedOperations = (at: AtPoint) =>
  Layer.effect(
    UnresolvedOperations,
    Effect.map(UnresolvedOperations, (unresolved) =>
      UnresolvedOperations.of({
        ...unresolved,
        claimDue: (options) => unresolved.claimDue(options).pipe(Effect.tap((claims) => claims.length > 0 ? at("afterClaim") : Effect.void))
      }))
  )
