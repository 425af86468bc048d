import type { MemoryOperations, StoredOperation } from "@overa/adapter-memory"
import { PgDatabase, type PgFailure, type PgQueries, toStoreUnavailable } from "@overa/adapter-postgres"
import { AdvanceCases, type AttentionItem, type FiscalDocumentId, OperationHistory, OperationStore, RefundStore, type WorkflowId } from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { tenant } from "../place.ts"

type Memory = MemoryOperations["Service"]

/** The rows without the doubt that readers see in them: what the store itself has. */
export const withoutDoubt = (database: PgDatabase["Service"]): PgDatabase["Service"] => {
  const asStored = <Row extends object>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => rows.map((row) => "in_doubt" in row ? { ...row, in_doubt: false } : row)
  const queries = ({ query }: PgQueries): PgQueries => ({
    query: <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) => Effect.map(query<Row>(sql, params), asStored),
    read: <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) =>
      Effect.map(query<Row>(sql, params), asStored).pipe(Effect.catchTag("PgFailure", toStoreUnavailable))
  })
  return PgDatabase.of({ ...database, ...queries(database), keyed: queries(database.keyed) })
}

interface WorkRow {
  readonly environment: string
  readonly lease_until: Date | null
  readonly next_check_at: Date | null
  readonly checks: number
}

interface ItemRow {
  readonly kind: AttentionItem["kind"]
  readonly detail: string
  readonly evidence: string | null
  readonly raised_at: Date
  readonly acknowledged_at: Date | null
}

const workOf = "select environment, lease_until, next_check_at, checks from operations where organization_id = $1 and operation_id = $2"
const itemsOf = `select kind, detail, evidence, raised_at, acknowledged_at from attention where organization_id = $1 and operation_id = $2
  order by raised_at, kind, detail`

const millisOrNull = (date: Date | null): number | null => date === null ? null : date.getTime()

const readStored = Effect.fnUntraced(function*(database: PgDatabase["Service"], id: FiscalDocumentId) {
  const of = [tenant.organizationId, id]
  const [work] = yield* database.query<WorkRow>(workOf, of)
  // Rows of other environments only hold a key.
  if (work === undefined || work.environment !== tenant.environment) return null
  const history = yield* OperationHistory
  const operation = yield* Effect.map(Effect.flatMap(OperationStore, (store) => store.get(tenant, id)), Option.getOrThrow)
  const items = yield* database.query<ItemRow>(itemsOf, of)
  return {
    operation,
    attempts: [...yield* history.attempts(tenant.organizationId, id)],
    transitions: [...yield* history.transitions(tenant, id)],
    answerTexts: new Map(),
    attention: items.map(({ acknowledged_at, detail, evidence, kind, raised_at }) => ({
      kind,
      detail,
      evidence,
      at: DateTime.toUtc(DateTime.makeUnsafe(raised_at.getTime())),
      isAcknowledged: acknowledged_at !== null
    })),
    leaseUntil: millisOrNull(work.lease_until),
    nextCheckAt: millisOrNull(work.next_check_at),
    checks: work.checks
  } satisfies StoredOperation
})

/** Reads one operation into the view, or removes it there. */
export const viewOperation = Effect.fnUntraced(function*(memory: Memory, database: PgDatabase["Service"], id: FiscalDocumentId) {
  const stored = yield* readStored(database, id)
  const before = memory.byId.get(id)
  const holder = stored ?? before
  const key = holder === undefined ? "" : `${holder.operation.organizationId} ${holder.operation.boundKey.role} ${holder.operation.boundKey.key}`
  if (stored === null) {
    memory.byId.delete(id)
    if (memory.byKey.get(key) === id) memory.byKey.delete(key)
    return
  }
  memory.byId.set(id, stored)
  memory.byKey.set(key, id)
})

/** Reads every case and refund into the view. */
export const viewWorkflows = Effect.fnUntraced(function*(memory: Memory, database: PgDatabase["Service"]) {
  const [stores, cases] = [yield* RefundStore, yield* AdvanceCases]
  const own = [tenant.organizationId]
  const refunds = yield* database.query<{ readonly id: WorkflowId; readonly original_id: FiscalDocumentId; readonly refund_id: FiscalDocumentId; readonly copy_id: FiscalDocumentId | null; readonly holds: "HELD" | "CONSUMED" | "RELEASED" }>(
    "select workflow_id as id, original_id, refund_id, copy_id, holds from refund_workflows where organization_id = $1 order by created_at, 1",
    own
  )
  for (const { copy_id: copyId, holds, id, original_id: originalId, refund_id: refundId } of refunds) {
    const stored = yield* stores.get(tenant, id)
    const entries = Option.isSome(stored) ? stored.value.entries : []
    memory.refunds.set(id, { workflowId: id, originalId, refundId, copyId, entries, holds })
  }
  const opened = yield* database.query<{ readonly id: WorkflowId }>(
    "select case_id as id from advance_cases where organization_id = $1 order by created_at, 1",
    own
  )
  for (const { id } of opened) memory.cases.set(id, (yield* Effect.map(cases.get(tenant, id), Option.getOrThrow)).opened)
})

export type ViewFailure = PgFailure
