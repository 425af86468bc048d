import type { Tenant } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import type { LeafRow } from "./leafRows.ts"
import * as sql from "./logStatements.ts"
import { noOperation, positionBehind, type RunningTransactions, type SealingPosition } from "./sealingPosition.ts"

/** A document with transitions to seal. */
export interface UnsealedRow extends LeafRow {
  readonly moved_by: string | null
  /** Leaves that the log has of it. */
  readonly taken: number
  readonly waited_millis: number
}

/** What a look at a log found, and where the next one begins. */
export interface Unsealed {
  readonly rows: ReadonlyArray<UnsealedRow>
  readonly position: SealingPosition
  /** Whether there may be more at once. */
  readonly more: boolean
}

/** Operations of one page of a sweep; most are sealed and cost a look at two indexes. */
const page = 5_000
const daily = 24 * 60 * 60_000

/** What moved since, in the order of the transactions. */
const readMoved = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, position: SealingPosition, running: RunningTransactions, atOnce: number) {
  const rows = yield* tx.query<UnsealedRow>(sql.movedRows, [
    tenant.organizationId, tenant.environment, position.moved_by, position.operation_id, running.next, atOnce
  ])
  const more = rows.length === atOnce
  return { rows, position: positionBehind(position, running, rows, more), more } satisfies Unsealed
})

/** What is not in the log of a page of all operations, whoever moved them. */
const readPage = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, position: SealingPosition, now: Date, atOnce: number) {
  const [end] = yield* tx.query<{ readonly last: string; readonly rows: number }>(sql.pageEnd, [tenant.organizationId, position.swept_to, page])
  if (end === undefined) return { rows: [], position: { ...position, swept_to: noOperation, swept_at: now }, more: false } satisfies Unsealed
  const rows = yield* tx.query<UnsealedRow>(sql.sweptRows, [tenant.organizationId, tenant.environment, position.swept_to, end.last, atOnce])
  const last = rows.at(-1)
  if (rows.length === atOnce && last !== undefined) return { rows, position: { ...position, swept_to: last.operation_id }, more: true } satisfies Unsealed
  const isEnd = end.rows < page
  return { rows, position: { ...position, swept_to: isEnd ? noOperation : end.last, swept_at: isEnd ? now : position.swept_at }, more: !isEnd } satisfies Unsealed
})

/**
 * What there is to seal of a log: first everything that was there when it was first looked at, then what moves. Once a day everything is looked at
 * again, so that nothing stays out for good because a number of a transaction was not what it should be: on several servers each gives its own.
 */
export const readUnsealed = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, position: SealingPosition, running: RunningTransactions, atOnce: number) {
  const now = DateTime.toDateUtc(yield* DateTime.now)
  if (position.swept_at === null) {
    const swept = yield* readPage(tx, tenant, position, now, atOnce)
    return { ...swept, more: true }
  }
  const moved = yield* readMoved(tx, tenant, position, running, atOnce)
  if (now.getTime() - position.swept_at.getTime() <= daily) return moved
  return moved.rows.length > 0 ? { ...moved, more: true } : yield* readPage(tx, tenant, moved.position, now, atOnce)
})
