import {
  type Concluded,
  type Conclusion,
  type FiscalDocumentId,
  type Operation,
  OperationStore,
  type OrganizationId,
  type Redrive,
  type Reservation,
  type Reserved,
  StoreUnavailable,
  type Tenant
} from "@overa/domain"
import { Data, DateTime, Effect, Equal, Layer, Option } from "effect"
import { constraints } from "./constraints.ts"
import { CommitBatcher } from "./operations/CommitBatcher.ts"
import {
  concludeMany,
  concludeManyParameters,
  concludeOne,
  concludeOneParameters,
  type MovedRow,
  statusAfter
} from "./operations/concludeStatement.ts"
import { expireLeaseStatement } from "./operations/leaseStatements.ts"
import { redriveParameters, redriveStatement } from "./operations/redriveStatement.ts"
import { RememberedOperations } from "./operations/RememberedOperations.ts"
import { reserveMany, reserveManyParameters, reserveOne, reserveOneParameters } from "./operations/reserveStatement.ts"
import { settleRefund } from "./refunds/settleRefund.ts"
import { PgDatabase, type PgQueries, type PgStatements } from "./PgDatabase.ts"
import { PgFailure, toStoreUnavailable } from "./PgFailure.ts"
import { attemptColumns, type AttemptRow, decodeAttempt } from "./rows/AttemptRow.ts"
import { decodeBuyerDetails, decodeOperation, operationColumns, type OperationRow, utcOrNull } from "./rows/OperationRow.ts"
import { decodeTransition, type TransitionRow } from "./rows/TransitionRow.ts"

/** How long a commit may take before its caller is told that nobody knows. */
const defaultPatienceMillis = 12_000

/** What operations on their way may take of the memory: some thousands of usual sales. */
const rememberedCharacters = 32 * 1_024 * 1_024

const operationById = `select ${operationColumns} from operations o where o.organization_id = $1 and o.operation_id = $2`
const operationByKey = `select ${operationColumns} from operations o
  where o.organization_id = $1 and o.key_role = $2 and o.key = $3`

const portError = <A>(effect: Effect.Effect<A, PgFailure | StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
  Effect.catchTag(effect, "PgFailure", toStoreUnavailable)

const readers = (database: PgQueries) => {
  const first = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.map(database.read<OperationRow>(sql, params), (rows) => Option.map(Option.fromNullishOr(rows[0]), decodeOperation))
  return {
    byId: (organizationId: OrganizationId, id: FiscalDocumentId) => first(operationById, [organizationId, id]),
    byKey: (key: { readonly organizationId: OrganizationId; readonly role: string; readonly key: string }) =>
      first(operationByKey, [key.organizationId, key.role, key.key]),
    inTenant: (tenant: Tenant, id: FiscalDocumentId) =>
      first(`${operationById} and o.environment = $3`, [tenant.organizationId, id, tenant.environment])
  }
}

type Readers = ReturnType<typeof readers>

const reservations = (database: PgQueries, patienceMillis: number) => {
  const stored = (rows: ReadonlyArray<{ readonly operation_id: string }>) => new Set(rows.map((row) => row.operation_id))
  return new CommitBatcher<Reservation, boolean>({
    keyOf: ({ operation }) => `${operation.organizationId} ${operation.boundKey.role} ${operation.boundKey.key}`,
    // The content is the body read: about as large again.
    sizeOf: ({ operation }) => 2 * operation.boundKey.body.length,
    one: (item) => Effect.map(database.query(reserveOne, reserveOneParameters(item)), (rows) => rows.length === 1),
    many: (items) =>
      Effect.map(database.query<{ readonly operation_id: string }>(reserveMany, reserveManyParameters(items)), (rows) => {
        const ids = stored(rows)
        return items.map(({ operation }) => ids.has(operation.id))
      })
  }, patienceMillis)
}

type Move = { readonly _tag: "Moved"; readonly row: MovedRow } | { readonly _tag: "Stayed" } | { readonly _tag: "NumberTaken" }

const moveOf = (row: MovedRow | undefined): Move => (row === undefined ? { _tag: "Stayed" } : { _tag: "Moved", row })

const conclusions = (database: PgQueries, patienceMillis: number) =>
  new CommitBatcher<Conclusion, Move>({
    keyOf: ({ organizationId, operationId }) => `${organizationId} ${operationId}`,
    sizeOf: ({ answer, answerText }) => 2 * (answer?.text.length ?? answerText?.length ?? 0),
    one: (item) =>
      database.query<MovedRow>(concludeOne, concludeOneParameters(item)).pipe(
        Effect.map((rows) => moveOf(rows[0])),
        Effect.catchIf(
          (failure) => failure.constraint === constraints.invoiceNumber,
          () => Effect.succeed<Move>({ _tag: "NumberTaken" })
        )
      ),
    many: (items) =>
      Effect.map(database.query<MovedRow>(concludeMany, concludeManyParameters(items)), (rows) => {
        const byId = new Map(rows.map((row) => [row.operation_id, row]))
        return items.map(({ operationId }) => moveOf(byId.get(operationId)))
      })
  }, patienceMillis)

/** A stored key: our own operation, because this commit was sent before and not heard of, or another's. */
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

const concludedOperation = (reserved: Operation, conclusion: Conclusion, row: MovedRow): Operation => ({
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

/** The same conclusion again, because its first commit was not heard of: the row already says what it says. */
const isRepeated = (current: Operation, conclusion: Conclusion): boolean => {
  const number = conclusion.answer?.pfr.invoiceNumber
  if (number !== undefined) return current.answer?.pfr.invoiceNumber === number
  return current.status === statusAfter(conclusion.event) && current.attempt === conclusion.attempt &&
    current.failureCode === conclusion.failureCode && Equal.equals(current.updatedAt, conclusion.at)
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

class NumberIsTaken extends Data.TaggedError("NumberIsTaken")<{}> {}

const concludeAndSettle = Effect.fnUntraced(
  function*(statements: PgStatements, conclusion: Conclusion, workflowId: string) {
    const rows = yield* statements.query<MovedRow>(concludeOne, concludeOneParameters(conclusion))
    if (rows.length > 0) yield* settleRefund(statements, conclusion, workflowId)
    return moveOf(rows[0])
  },
  // The violation ends the transaction; nothing of it is kept.
  Effect.catchIf(
    (failure) => failure instanceof PgFailure && failure.constraint === constraints.invoiceNumber,
    () => Effect.fail(new NumberIsTaken())
  )
)

/** A refund document's outcome, with what it settles, as one commit of several statements. */
const concludeRefund = (transaction: PgDatabase["Service"]["transaction"], conclusion: Conclusion, workflowId: string) =>
  transaction((statements) => concludeAndSettle(statements, conclusion, workflowId)).pipe(
    Effect.catchIf((error) => error instanceof NumberIsTaken, () => Effect.succeed<Move>({ _tag: "NumberTaken" }))
  )

const makeConclude = (
  batcher: CommitBatcher<Conclusion, Move>,
  transaction: PgDatabase["Service"]["transaction"],
  read: Readers,
  remembered: RememberedOperations
) =>
  Effect.fnUntraced(function*(conclusion: Conclusion) {
    const move = conclusion.workflow?.type === "REFUND"
      ? yield* concludeRefund(transaction, conclusion, conclusion.workflow.id)
      : yield* portError(batcher.submit(conclusion))
    if (move._tag !== "Moved") return yield* explainUnmoved(read, conclusion, move)
    const reserved = remembered.take(conclusion.organizationId, conclusion.operationId)
    if (reserved !== undefined) {
      return { _tag: "Applied", operation: concludedOperation(reserved, conclusion, move.row) } satisfies Concluded
    }
    // The commit is durable; if only this read fails, the caller asks again and finds its own conclusion.
    return yield* explainUnmoved(read, conclusion, { _tag: "Stayed" })
  })

const make = Effect.fnUntraced(function*(options: { readonly patienceMillis: number }) {
  const { keyed: database, transaction } = yield* PgDatabase
  const read = readers(database)
  const reserving = reservations(database, options.patienceMillis)
  const concluding = conclusions(database, options.patienceMillis)
  const remembered = new RememberedOperations(rememberedCharacters)

  return OperationStore.of({
    reserve: Effect.fnUntraced(function*(reservation: Reservation) {
      const reserved = yield* portError(reserving.submit(reservation))
      if (!reserved) return yield* explainUnreserved(read, reservation)
      if (reservation.attempt !== null) remembered.remember(reservation.operation)
      return { _tag: "Reserved" } satisfies Reserved
    }),
    redrive: Effect.fn("OperationStore.redrive")(function*(redrive: Redrive) {
      const rows = yield* database.read(redriveStatement, redriveParameters(redrive))
      if (rows.length === 1) remembered.remember(redrive.operation)
      return rows.length === 1
    }),
    conclude: makeConclude(concluding, transaction, read, remembered),
    expireLease: Effect.fn("OperationStore.expireLease")(function*({ organizationId, operationId }, actor, at) {
      yield* database.read(expireLeaseStatement, [organizationId, operationId, actor, new Date(DateTime.toEpochMillis(at))])
      return yield* read.byId(organizationId, operationId)
    }),
    findByKey: read.byKey,
    get: read.inTenant,
    transitions: Effect.fn("OperationStore.transitions")(function*(tenant: Tenant, id: FiscalDocumentId) {
      const rows = yield* database.read<TransitionRow>(
        `select t.from_status, t.to_status, t.at, t.cause, t.actor, t.attempt from transitions t
         join operations o using (organization_id, operation_id)
         where t.organization_id = $1 and t.operation_id = $2 and o.environment = $3 order by t.position`,
        [tenant.organizationId, id, tenant.environment]
      )
      return rows.map(decodeTransition)
    }),
    attempts: Effect.fn("OperationStore.attempts")(function*(organizationId: OrganizationId, id: FiscalDocumentId) {
      const rows = yield* database.read<AttemptRow>(
        `select ${attemptColumns} from attempts a where a.organization_id = $1 and a.operation_id = $2 order by a.number`,
        [organizationId, id]
      )
      return rows.map(decodeAttempt)
    })
  })
})

/** The durable operations. `patienceMillis` bounds every commit (default 12 s). */
export const layerOperationStore = (
  options: { readonly patienceMillis?: number } = {}
): Layer.Layer<OperationStore, never, PgDatabase> =>
  Layer.effect(OperationStore, make({ patienceMillis: options.patienceMillis ?? defaultPatienceMillis }))
