import type { Tenant } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { isCutByBytes } from "../rows/firstWithinBytes.ts"
import type { LeafRow } from "./leafRows.ts"
import * as sql from "./logStatements.ts"
import { noOperation, positionBehind, type RunningTransactions, type SealingMoment, type SealingPosition } from "./sealingPosition.ts"

/** A document with transitions to seal. */
export interface UnsealedRow extends LeafRow {
  readonly moved_by: string | null
  /** The number of its leaves in the log. */
  readonly taken: number
  readonly waited_millis: number
  /** The number of documents selected, of which the first ones by their bytes were read. */
  readonly selected: number
}

/** The result of reading a log, and the position for the next reading. */
export interface Unsealed {
  readonly rows: ReadonlyArray<UnsealedRow>
  readonly position: SealingPosition
  /** Whether more can be read at once. */
  readonly more: boolean
}

/** Operations of one page of a sweep; most are sealed and cost a look-up in two indexes. */
const page = 5_000
const daily = 24 * 60 * 60_000

/** The documents that changed since, in the order of the transactions. */
const readMoved = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, position: SealingPosition, running: RunningTransactions, atOnce: number) {
  const rows = yield* tx.query<UnsealedRow>(sql.movedRows, [
    tenant.organizationId, tenant.environment, position.moved_by, position.operation_id, running.next, atOnce
  ])
  const more = rows.length === atOnce || isCutByBytes(rows)
  return { rows, position: positionBehind(position, running, rows, more), more } satisfies Unsealed
})

/** The documents of a page of all operations that are not in the log, whichever transaction changed them. */
const readPage = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, position: SealingPosition, now: Date, atOnce: number) {
  const [end] = yield* tx.query<{ readonly last: string; readonly rows: number }>(sql.pageEnd, [tenant.organizationId, position.swept_to, page])
  if (end === undefined) return { rows: [], position: { ...position, swept_to: noOperation, swept_at: now }, more: false } satisfies Unsealed
  const rows = yield* tx.query<UnsealedRow>(sql.sweptRows, [tenant.organizationId, tenant.environment, position.swept_to, end.last, atOnce])
  const last = rows.at(-1)
  if ((rows.length === atOnce || isCutByBytes(rows)) && last !== undefined) return { rows, position: { ...position, swept_to: last.operation_id }, more: true } satisfies Unsealed
  const isEnd = end.rows < page
  return { rows, position: { ...position, swept_to: isEnd ? noOperation : end.last, swept_at: isEnd ? now : position.swept_at }, more: !isEnd } satisfies Unsealed
})

/**
 * The transitions of a log that are to be sealed: first everything that existed at the first reading, then each change. Once a day everything is read
 * again, so that no document stays out of the log because of a wrong transaction number: on several servers each one numbers its own transactions.
 */
export const readUnsealed = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, position: SealingPosition, running: SealingMoment, atOnce: number) {
  if (position.swept_at === null) {
    const swept = yield* readPage(tx, tenant, position, running.now, atOnce)
    return { ...swept, more: true }
  }
  const moved = yield* readMoved(tx, tenant, position, running, atOnce)
  // A clock that was ahead, and is right again, must not put the next sweep off until then.
  if (Math.abs(running.now.getTime() - position.swept_at.getTime()) <= daily) return moved
  return moved.rows.length > 0 ? { ...moved, more: true } : yield* readPage(tx, tenant, moved.position, running.now, atOnce)
})
