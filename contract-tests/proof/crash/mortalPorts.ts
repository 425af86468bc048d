import { AdvanceCases, OperationStore, ProformaTrainingDocuments, RefundStore, UnresolvedOperations } from "@overa/domain"
import { Effect, Layer } from "effect"
import type { AtPoint } from "./CrashPoint.ts"

/** The real store, with a crash point before and after each of its commits. */
export const mortalOperationStore = (at: AtPoint) =>
  Layer.effect(
    OperationStore,
    Effect.map(OperationStore, (store) =>
      OperationStore.of({
        ...store,
        reserve: (reservation) =>
          at("beforeFirstCommit").pipe(Effect.andThen(store.reserve(reservation)), Effect.tap(() => at("afterFirstCommit"))),
        redrive: (redrive) =>
          at("beforeSending").pipe(Effect.andThen(store.redrive(redrive)), Effect.tap(() => at("afterMarkedSent"))),
        conclude: (conclusion) =>
          at("beforeSecondCommit").pipe(Effect.andThen(store.conclude(conclusion)), Effect.tap(() => at("afterSecondCommit")))
      }))
  )

/** The real refunds, with a crash point before and after the reservation. */
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

/** The real cases, with a crash point before and after each of their commits. */
export const mortalAdvanceCases = (at: AtPoint) =>
  Layer.effect(
    AdvanceCases,
    Effect.map(AdvanceCases, (cases) =>
      AdvanceCases.of({
        ...cases,
        open: (opened) => at("beforeCaseOpening").pipe(Effect.andThen(cases.open(opened)), Effect.tap(() => at("afterCaseOpening"))),
        reserve: (opened, decide) =>
          at("beforeCaseCommit").pipe(Effect.andThen(cases.reserve(opened, decide)), Effect.tap(() => at("afterCaseCommit"))),
        redrive: (opened, redrive, decide) =>
          at("beforeSending").pipe(Effect.andThen(cases.redrive(opened, redrive, decide)), Effect.tap(() => at("afterMarkedSent")))
      }))
  )

/** The real proforma and training documents, with a crash point before and after the reservation. */
export const mortalProformaTraining = (at: AtPoint) =>
  Layer.effect(
    ProformaTrainingDocuments,
    Effect.map(ProformaTrainingDocuments, (documents) =>
      ProformaTrainingDocuments.of({
        ...documents,
        reserve: (reservation) =>
          at("beforeProformaCommit").pipe(Effect.andThen(documents.reserve(reservation)), Effect.tap(() => at("afterProformaCommit")))
      }))
  )

/** The real claims, with a crash point after a claim. */
export const mortalUnresolvedOperations = (at: AtPoint) =>
  Layer.effect(
    UnresolvedOperations,
    Effect.map(UnresolvedOperations, (unresolved) =>
      UnresolvedOperations.of({
        ...unresolved,
        claimDue: (options) => unresolved.claimDue(options).pipe(Effect.tap((claims) => claims.length > 0 ? at("afterClaim") : Effect.void))
      }))
  )
