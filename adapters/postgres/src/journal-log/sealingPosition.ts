import type { PgStatements } from "../PgDatabase.ts"
import type { Tenant } from "@overa/domain"
import { Effect } from "effect"
import * as sql from "./logStatements.ts"

/** The position up to which a log's sealer has read. Transaction numbers are texts. */
export interface SealingPosition {
  readonly moved_by: string
  readonly operation_id: string
  readonly cluster: string
  readonly swept_to: string
  /** Null until all operations were compared with the log once. */
  readonly swept_at: Date | null
}

/** Transactions before `first` have ended; none from `next` on has begun. */
export interface RunningTransactions {
  readonly first: string
  readonly next: string
}

/** The moment of a pass; `now` is the time of the database's clock. */
export interface SealingMoment extends RunningTransactions {
  readonly now: Date
}

/** Before every operation. */
export const noOperation = "00000000-0000-0000-0000-000000000000"

const isBefore = (one: string, other: string): boolean => BigInt(one) < BigInt(other)

/** The position of a log that was never read: transactions that run now or later are found from here, everything else by the first sweep. */
const newPosition = (cluster: string, running: RunningTransactions): SealingPosition => ({
  moved_by: running.first,
  operation_id: noOperation,
  cluster,
  swept_to: noOperation,
  swept_at: null
})

/**
 * The position to continue from. A transaction number has a meaning only on the server that gave it, and a number still to be given cannot have been
 * seen. In both cases everything is read again.
 */
export const positionOn = (cluster: string, running: RunningTransactions, stored: SealingPosition | undefined): SealingPosition =>
  stored === undefined || stored.cluster !== cluster || isBefore(running.next, stored.moved_by) ? newPosition(cluster, running) : stored

interface MovedRow {
  readonly moved_by: string | null
  readonly operation_id: string
}

/**
 * The position after rows that were read in its order. It never passes the first transaction that still runs: rows that this transaction commits have
 * its number, and would never be read.
 */
export const positionBehind = (position: SealingPosition, running: RunningTransactions, rows: ReadonlyArray<MovedRow>, wasFull: boolean): SealingPosition => {
  const last = rows.at(-1)
  if (wasFull && last !== undefined && last.moved_by !== null && isBefore(last.moved_by, running.first)) {
    return { ...position, moved_by: last.moved_by, operation_id: last.operation_id }
  }
  return isBefore(position.moved_by, running.first) ? { ...position, moved_by: running.first, operation_id: noOperation } : position
}

/** The stored position, or the first one. */
export const readPosition = Effect.fnUntraced(function*(tx: PgStatements, { environment, organizationId }: Tenant, cluster: string, running: RunningTransactions) {
  const [stored] = yield* tx.query<SealingPosition>(sql.positionOf, [organizationId, environment])
  return positionOn(cluster, running, stored)
})

/** Stores the position together with the leaves sealed up to it, in one commit. */
export const putPosition = (tx: PgStatements, { environment, organizationId }: Tenant, position: SealingPosition) =>
  tx.query(sql.putPosition, [
    organizationId, environment, position.moved_by, position.operation_id, position.cluster, position.swept_to, position.swept_at
  ])
