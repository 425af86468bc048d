import {
  type Concluded,
  type Conclusion,
  type Operation,
  OperationHistory,
  OperationStore,
  type Reservation,
  type Reserved,
  type StoreUnavailable,
  traceStep,
  whileInDoubt
} from "@overa/domain"
import { DateTime, Effect, Equal, Layer, Option } from "effect"
import { conclude, type Move } from "./operations/conclude.ts"
import { type MovedRow, statusAfter } from "./operations/concludeStatement.ts"
import { readEvidence } from "./operations/evidence.ts"
import { expireLeases } from "./operations/leaseStatements.ts"
import { type Readers, readers } from "./operations/readers.ts"
import { redrive } from "./operations/redrive.ts"
import { RememberedOperations } from "./operations/RememberedOperations.ts"
import { reserve } from "./operations/reserve.ts"
import { PgDatabase } from "./PgDatabase.ts"
import { type PgFailure, toStoreUnavailable } from "./PgFailure.ts"
import { decodeBuyerDetails, historyLineStart, utcOrNull } from "./rows/OperationRow.ts"

/** How much memory operations in flight may take, in characters: some thousands of usual sales. */
const rememberedCharacters = 32 * 1_024 * 1_024

const portError = <A>(effect: Effect.Effect<A, PgFailure | StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
  Effect.catchTag(effect, "PgFailure", toStoreUnavailable)

/** The holder of a key that exists: the own operation, because this commit was sent before and its answer was lost, or another one. */
const explainUnreserved = Effect.fnUntraced(function*(read: Readers, { operation }: Reservation) {
  const existing = yield* read.byKey({ organizationId: operation.organizationId, ...operation.boundKey })
  if (Option.isNone(existing)) {
    return yield* Effect.die(new Error(`Operation ${operation.id} exists under another key than it is reserved with`))
  }
  const answer: Reserved = existing.value.id === operation.id
    ? { _tag: "Reserved" }
    : { _tag: "KeyTaken", existing: existing.value }
  return answer
})

const concludedOperation = (reserved: Operation, conclusion: Conclusion, row: MovedRow): Operation => {
  const operation = movedOperation(reserved, conclusion, row)
  return row.in_doubt ? whileInDoubt(operation) : operation
}

const movedOperation = (reserved: Operation, conclusion: Conclusion, row: MovedRow): Operation => ({
  ...reserved,
  status: statusAfter(conclusion.event),
  attempt: row.attempt,
  failureCode: conclusion.failureCode,
  rejection: conclusion.rejection,
  answer: conclusion.answer,
  buyerDetails: conclusion.buyerDetails ?? decodeBuyerDetails(row.buyer_details),
  updatedAt: conclusion.at,
  nextCheckAt: utcOrNull(row.next_check_at)
})

/** The same conclusion again, because the answer to its first commit was lost: the row already contains it. */
const isRepeated = (current: Operation, conclusion: Conclusion): boolean => {
  const number = conclusion.answer?.pfr.invoiceNumber
  if (number !== undefined) return current.answer?.pfr.invoiceNumber === number
  return (current.inDoubt ?? current.status) === statusAfter(conclusion.event) && current.attempt === conclusion.attempt &&
    (current.inDoubt !== undefined || current.failureCode === conclusion.failureCode) && Equal.equals(current.updatedAt, conclusion.at)
}

const explainUnmoved = Effect.fnUntraced(function*(read: Readers, conclusion: Conclusion, move: Exclude<Move, { _tag: "Moved" }>) {
  const found = yield* read.byId(conclusion.organizationId, conclusion.operationId)
  const answer: Concluded = Option.isNone(found)
    ? { _tag: "Missing" }
    : move._tag === "NumberTaken"
    ? { _tag: "NumberTaken", current: found.value }
    : isRepeated(found.value, conclusion)
    ? { _tag: "Applied", operation: found.value }
    : { _tag: "Superseded", current: found.value }
  return answer
})

const concluding = (database: PgDatabase["Service"], read: Readers, remembered: RememberedOperations) => {
  const commit = conclude(database)
  return Effect.fnUntraced(function*(conclusion: Conclusion) {
    const move = yield* portError(commit(conclusion))
    if (move._tag !== "Moved") return yield* explainUnmoved(read, conclusion, move)
    const reserved = remembered.take(conclusion.organizationId, conclusion.operationId)
    if (reserved !== undefined) {
      return { _tag: "Applied", operation: concludedOperation(reserved, conclusion, move.row) } satisfies Concluded
    }
    // The commit is durable; if only this read fails, the caller repeats the call and finds its own conclusion.
    return yield* explainUnmoved(read, conclusion, { _tag: "Stayed" })
  }, traceStep("OperationStore.conclude"))
}

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const { keyed } = database
  const read = readers(keyed)
  const commitFirst = reserve(database)
  const driveAgain = redrive(database)
  const remembered = new RememberedOperations(rememberedCharacters)

  return OperationStore.of({
    reserve: Effect.fnUntraced(function*(reservation: Reservation) {
      if (!(yield* portError(commitFirst(reservation)))) return yield* explainUnreserved(read, reservation)
      if (reservation.attempt !== null) remembered.remember(reservation.operation)
      return { _tag: "Reserved" } satisfies Reserved
    }, traceStep("OperationStore.reserve")),
    redrive: Effect.fn("OperationStore.redrive")(function*(asked) {
      const won = yield* portError(driveAgain(asked))
      if (won) remembered.remember(asked.operation)
      return won
    }),
    conclude: concluding(database, read, remembered),
    expireLease: Effect.fn("OperationStore.expireLease")(function*({ organizationId, operationId }, actor, at) {
      const line = historyLineStart({ to: "OUTCOME_UNKNOWN", at, cause: "leaseExpired", actor })
      yield* keyed.read(expireLeases, [organizationId, [operationId], line, DateTime.toDateUtc(at)])
      return yield* read.byId(organizationId, operationId)
    }),
    findByKey: read.byKey,
    get: read.inTenant
  })
})

const makeHistory = Effect.map(PgDatabase, ({ keyed }) => {
  const read = readers(keyed)
  return OperationHistory.of({
    transitions: read.transitions,
    attempts: (organizationId, id) => portError(read.attempts(organizationId, id)),
    evidence: (organizationId, id) => readEvidence(keyed, organizationId, id)
  })
})

/** The durable operations and their history. */
export const layerOperationStore: Layer.Layer<OperationStore | OperationHistory, never, PgDatabase> = Layer.merge(
  Layer.effect(OperationStore, make),
  Layer.effect(OperationHistory, makeHistory)
)
