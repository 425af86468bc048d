import {
  type FiscalDocumentId,
  formatDecimal,
  isAsOffered,
  isDocument,
  openLedger,
  type Operation,
  originalLost,
  type RefundLedger,
  type RefundReservation,
  type RefundReserved,
  RefundStore,
  type StoredRefund,
  type Tenant,
  type WorkflowId
} from "@overa/domain"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { operationById, readKeyHolder } from "./operations/readers.ts"
import { raiseItems } from "./operations/raise.ts"
import { reserveInTransaction } from "./operations/reserve.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { holdUp } from "./restore/holdUp.ts"
import { lostRefundsBeside } from "./restore/lostRefunds.ts"
import { entriesOf, moveAccount, openAccount, raiseOverRefunded, readAccount } from "./refunds/refundLedger.ts"
import { toStoreUnavailable } from "./PgFailure.ts"
import { decodeOperation, type OperationRow } from "./rows/OperationRow.ts"

const insertWorkflow = `insert into refund_workflows
    (organization_id, workflow_id, environment, original_id, refund_id, copy_id, holds, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`
const insertEntries = `insert into refund_entries (organization_id, workflow_id, line_index, quantity, amount)
  select $1::uuid, $2::uuid, line_index, quantity::numeric, amount::numeric
  from unnest($3::int4[], $4::text[], $5::text[]) as e (line_index, quantity, amount)`

interface WorkflowRow {
  readonly refund_id: string
  readonly copy_id: string | null
}

const workflowInTenant = `select refund_id, copy_id from refund_workflows
  where organization_id = $1 and workflow_id = $2 and environment = $3`

const storeWorkflow = Effect.fnUntraced(function*(statements: PgStatements, kept: RefundReservation, evenTooMuch: boolean) {
  const { operation, attempt } = kept.reservation
  // A refund whose element could not be opened has failed at once: it holds nothing.
  const holds = attempt === null ? "RELEASED" : "HELD"
  yield* statements.query(insertWorkflow, [
    operation.organizationId,
    kept.workflowId,
    operation.environment,
    kept.originalId,
    operation.id,
    kept.copyId,
    holds,
    new Date(DateTime.toEpochMillis(operation.createdAt))
  ])
  yield* statements.query(insertEntries, [
    operation.organizationId,
    kept.workflowId,
    kept.entries.map((entry) => entry.originalLineIndex),
    kept.entries.map((entry) => formatDecimal(entry.quantity)),
    kept.entries.map((entry) => formatDecimal(entry.amount))
  ])
  if (holds === "RELEASED") return
  const original = { organizationId: operation.organizationId, id: kept.originalId }
  const moved = yield* moveAccount(statements, original, kept.entries, { direction: 1, evenTooMuch })
  if (!evenTooMuch) return
  const refund = { organizationId: operation.organizationId, operationId: operation.id, at: operation.createdAt }
  yield* raiseOverRefunded(statements, refund, kept.originalId, moved)
})

/**
 * The operation that has the key: another request's, or the own one where this commit was sent before and its answer was lost. The own one counts as taken
 * too where its attempt was ended in the commit (`holdUp`).
 */
const explainTaken = Effect.fnUntraced(function*(statements: PgStatements, kept: RefundReservation) {
  const { operation } = kept.reservation
  const existing = yield* readKeyHolder(statements, operation)
  if (existing === null) return yield* Effect.die(new Error(`Operation ${operation.id} exists under another key`))
  const isOwn = isDocument(existing) && isAsOffered(existing, operation)
  const answer: RefundReserved = isOwn ? { _tag: "Reserved", kept } : { _tag: "KeyTaken", existing }
  return answer
})

const reserveRefund = Effect.fnUntraced(function*<E>(
  statements: PgStatements,
  original: Operation,
  decide: (ledger: RefundLedger) => Result.Result<RefundReservation, E>
) {
  yield* openAccount(statements, original)
  const decided = decide(yield* readAccount(statements, original, "locked"))
  if (Result.isFailure(decided)) return Result.fail(decided.failure)
  return Result.succeed(yield* unlessSigned(statements, yield* keep(statements, decided.success, false)))
})

/** Where a restore lost another refund of the receipt, this one may give back what was given back: it is held up, and holds its quantities until a person has looked. */
const unlessSigned = Effect.fnUntraced(function*(statements: PgStatements, reserved: RefundReserved) {
  if (reserved._tag !== "Reserved" || reserved.kept.reservation.attempt === null) return reserved
  const { reservation } = reserved.kept
  const lost = yield* lostRefundsBeside(statements, reservation.operation)
  if (lost === null) return reserved
  yield* holdUp(statements, reservation, lost)
  return yield* explainTaken(statements, reserved.kept)
})

const keep = Effect.fnUntraced(function*(statements: PgStatements, kept: RefundReservation, evenTooMuch: boolean) {
  const reserved = yield* reserveInTransaction(statements, kept.reservation)
  if (!reserved) return yield* explainTaken(statements, kept)
  yield* storeWorkflow(statements, kept, evenTooMuch)
  return { _tag: "Reserved", kept } satisfies RefundReserved
})

/** What was decided before is held again, whatever other refunds took after the store lost it. */
const reserveRefundAgain = Effect.fnUntraced(function*(statements: PgStatements, original: Operation, kept: RefundReservation) {
  yield* openAccount(statements, original)
  yield* readAccount(statements, original, "locked")
  const reserved: RefundReserved = yield* keep(statements, kept, true)
  const { createdAt, id: operationId, organizationId } = kept.reservation.operation
  if (reserved._tag === "Reserved" && (yield* statements.query(operationById, [original.organizationId, original.id])).length === 0) {
    yield* raiseItems(statements, { organizationId, operationId, at: createdAt }, [originalLost(original)])
  }
  return reserved
})

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const { keyed } = database
  const operation = ({ environment, organizationId }: Tenant, id: string | null) =>
    id === null
      ? Effect.succeed<Operation | null>(null)
      : Effect.map(keyed.read<OperationRow>(`${operationById} and environment = $3`, [organizationId, id, environment]), ([row]) => row === undefined ? null : decodeOperation(row))

  return RefundStore.of({
    ledger: Effect.fn("RefundStore.ledger")(function*(original: Operation) {
      const ledger = yield* readAccount(keyed, original, "unlocked").pipe(Effect.catch(toStoreUnavailable))
      return ledger.lines.length === 0 ? openLedger(original.content.items) : ledger
    }, keyed.confirmed),
    reserve: (original, decide) => database.transaction((statements) => reserveRefund(statements, original, decide)),
    reserveAgain: (original, kept) => database.transaction((statements) => reserveRefundAgain(statements, original, kept)),
    get: Effect.fn("RefundStore.get")(function*(tenant: Tenant, id: WorkflowId) {
      const { organizationId, environment } = tenant
      const [row] = yield* keyed.read<WorkflowRow>(workflowInTenant, [organizationId, id, environment])
      if (row === undefined) return Option.none<StoredRefund>()
      const refund = yield* operation(tenant, row.refund_id)
      if (refund === null) return Option.none<StoredRefund>()
      const copy = yield* operation(tenant, row.copy_id)
      const entries = yield* entriesOf(keyed, organizationId, id).pipe(Effect.catch(toStoreUnavailable))
      return Option.some<StoredRefund>({ id, refund, copyId: row.copy_id as FiscalDocumentId | null, copy, entries })
    }, keyed.confirmed)
  })
})

/** Refund workflows; their documents are concluded through `PgOperationStore`, which updates the workflows in the same commit. */
export const layerRefundStore: Layer.Layer<RefundStore, never, PgDatabase> = Layer.effect(RefundStore, make)
