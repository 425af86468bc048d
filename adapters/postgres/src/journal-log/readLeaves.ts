import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import type { TransitionRow } from "../rows/TransitionRow.ts"
import { type ExtrasOwner, hasExtras, leafAttempts, type LeafAttemptRow, type LeafExtras, leafTransitions } from "./leafRows.ts"

const none: LeafExtras = { transitions: [], attempts: [] }

type Owned<Row> = Row & { readonly operation_id: string }

/** The rows of other tables that belong to an organization's operations; most operations have none, and then no query is sent. */
export const readExtras = Effect.fnUntraced(function*(statements: PgStatements, organizationId: string, rows: ReadonlyArray<ExtrasOwner>) {
  const ids = rows.filter(hasExtras).map((row) => row.operation_id)
  if (ids.length === 0) return () => none
  const transitions = Map.groupBy(yield* statements.query<Owned<TransitionRow>>(leafTransitions, [organizationId, ids]), (row) => row.operation_id)
  const attempts = Map.groupBy(yield* statements.query<LeafAttemptRow>(leafAttempts, [organizationId, ids]), (row) => row.operation_id)
  return (operationId: string): LeafExtras => ({ transitions: transitions.get(operationId) ?? [], attempts: attempts.get(operationId) ?? [] })
})
