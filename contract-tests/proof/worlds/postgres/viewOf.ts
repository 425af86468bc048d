import type { MemoryOperations, StoredOperation } from "@overa/adapter-memory"
import { PgDatabase, type PgQueries, toStoreUnavailable } from "@overa/adapter-postgres"
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
  return PgDatabase.of({ ...database, ...queries(database), keyed: { ...database.keyed, ...queries(database.keyed) } })
}

/** What is asked at the same time is sent without waiting for answers. */
const atOnce = { concurrency: "unbounded" } as const

interface WorkRow {
  readonly environment: string
  readonly lease_until: Date | null
  readonly next_check_at: Date | null
  readonly checks: number
  readonly items: ReadonlyArray<ItemRow> | null
}

interface ItemRow {
  readonly kind: AttentionItem["kind"]
  readonly detail: string
  readonly evidence: string | null
  readonly at: number
  readonly isAcknowledged: boolean
}

/** What no port tells: the work on an operation, and the items about it. */
const workOf = `select environment, lease_until, next_check_at, checks, (
  select json_agg(json_build_object('kind', a.kind, 'detail', a.detail, 'evidence', a.evidence, 'at', extract(epoch from a.raised_at) * 1000,
    'isAcknowledged', a.acknowledged_at is not null) order by a.raised_at, a.kind, a.detail)
  from attention a where a.organization_id = $1 and a.operation_id = $2) as items
from operations where organization_id = $1 and operation_id = $2`

const millisOrNull = (date: Date | null): number | null => date === null ? null : date.getTime()

const readStored = Effect.fnUntraced(function*(database: PgDatabase["Service"], id: FiscalDocumentId) {
  const [work] = yield* database.query<WorkRow>(workOf, [tenant.organizationId, id])
  // Rows of other environments only hold a key.
  if (work === undefined || work.environment !== tenant.environment) return null
  const operation = Effect.map(Effect.flatMap(OperationStore, (store) => store.get(tenant, id)), Option.getOrThrow)
  const attempts = Effect.flatMap(OperationHistory, (history) => history.attempts(tenant.organizationId, id))
  const [current, sent] = yield* Effect.all([operation, attempts], atOnce)
  return {
    operation: current,
    attempts: [...sent],
    transitions: [],
    answerTexts: new Map(),
    attention: (work.items ?? []).map(({ at, ...item }) => ({ ...item, at: DateTime.toUtc(DateTime.makeUnsafe(at)) })),
    leaseUntil: millisOrNull(work.lease_until),
    nextCheckAt: millisOrNull(work.next_check_at),
    checks: work.checks
  } satisfies StoredOperation
})

/** Reads the transitions of every operation in the view; only the checks at the end ask for them. */
export const viewTransitions = Effect.fnUntraced(function*(memory: Memory) {
  const history = yield* OperationHistory
  yield* Effect.forEach(memory.byId, ([id, stored]) =>
    Effect.map(history.transitions(tenant, id), (transitions) => {
      stored.transitions = [...transitions]
    }), atOnce)
})

/** Puts one operation into the view, or removes it there. */
const putOperation = (memory: Memory, id: FiscalDocumentId, stored: StoredOperation | null): void => {
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
}

/** Reads operations into the view, and removes there what is not stored. */
export const viewOperations = Effect.fnUntraced(function*(memory: Memory, database: PgDatabase["Service"], ids: Iterable<FiscalDocumentId>) {
  const read = yield* Effect.forEach(ids, (id) => Effect.map(readStored(database, id), (stored) => ({ id, stored })), atOnce)
  for (const { id, stored } of read) putOperation(memory, id, stored)
})

/** Reads every case and refund into the view. */
export const viewWorkflows = Effect.fnUntraced(function*(memory: Memory, database: PgDatabase["Service"]) {
  const [stores, cases] = [yield* RefundStore, yield* AdvanceCases]
  const own = [tenant.organizationId]
  const refunds = yield* database.query<{ readonly id: WorkflowId; readonly original_id: FiscalDocumentId; readonly refund_id: FiscalDocumentId; readonly copy_id: FiscalDocumentId | null; readonly holds: "HELD" | "CONSUMED" | "RELEASED" }>(
    "select workflow_id as id, original_id, refund_id, copy_id, holds from refund_workflows where organization_id = $1 order by created_at, 1",
    own
  )
  const kept = yield* Effect.forEach(refunds, (row) => Effect.map(stores.get(tenant, row.id), (stored) => ({ ...row, entries: Option.isSome(stored) ? stored.value.entries : [] })), atOnce)
  for (const { copy_id: copyId, entries, holds, id, original_id: originalId, refund_id: refundId } of kept) {
    memory.refunds.set(id, { workflowId: id, originalId, refundId, copyId, entries, holds })
  }
  const opened = yield* database.query<{ readonly id: WorkflowId }>(
    "select case_id as id from advance_cases where organization_id = $1 order by created_at, 1",
    own
  )
  for (const stored of yield* Effect.forEach(opened, ({ id }) => Effect.map(cases.get(tenant, id), Option.getOrThrow), atOnce)) {
    memory.cases.set(stored.opened.id, stored.opened)
    // In the order in which the store has a case's documents.
    for (const document of stored.documents) {
      const seen = memory.byId.get(document.id)
      memory.byId.delete(document.id)
      if (seen !== undefined) memory.byId.set(document.id, seen)
    }
  }
})
