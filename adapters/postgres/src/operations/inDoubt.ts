import { type AttentionItem, doubtedStatuses, doubtKinds, raisesDoubt } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

// `operations.in_doubt`: an item of `doubtKinds` about the operation is open. The column is changed by the commit that raises or acknowledges an item, and
// only there, so that reads and the compare-and-set of a next attempt need no other table.

const quoted = (names: ReadonlyArray<string>): string => names.map((name) => `'${name}'`).join(", ")

/** Whether a row of `operations` has a status that may not be told while it is in doubt. */
export const hidesStatus = (alias: string): string => `(${alias}.in_doubt and ${alias}.status in (${quoted(doubtedStatuses)}))`

const lock = "select operation_id from operations where organization_id = $1 and operation_id = $2 for update"

const openItems = `select count(*)::int as open from attention
  where organization_id = $1 and operation_id = $2 and acknowledged_at is null and kind in (${quoted(doubtKinds)})`

const setDoubt = "update operations set in_doubt = $3 where organization_id = $1 and operation_id = $2 and in_doubt <> $3"

interface About {
  readonly organizationId: string
  readonly operationId: string
}

/** Locks the operation: of two commits that raise or acknowledge items about it, the later one sees what the earlier one did. */
export const lockDoubt = (statements: PgStatements, { operationId, organizationId }: About) => statements.query(lock, [organizationId, operationId])

/** Brings the column in line with the items, in the commit that changed them. The caller has locked the operation. */
export const followItems = Effect.fnUntraced(function*(statements: PgStatements, { operationId, organizationId }: About) {
  const [row] = yield* statements.query<{ readonly open: number }>(openItems, [organizationId, operationId])
  yield* statements.query(setDoubt, [organizationId, operationId, (row?.open ?? 0) > 0])
})

/** Follows items that were raised. One that was acknowledged before is not raised again, and leaves no new doubt. */
export const doubtAfterRaising = Effect.fnUntraced(function*(statements: PgStatements, about: About, items: ReadonlyArray<AttentionItem>) {
  if (!items.some(raisesDoubt)) return
  yield* lockDoubt(statements, about)
  yield* followItems(statements, about)
})
