import type { NotedChange, Tenant } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

const insert = `insert into noted_changes (organization_id, environment, source, type, at, subject_id, operation_id)
values ($1, $2, $3, $4, $5, $6, $7) on conflict on constraint noted_changes_pk do nothing`

/** Notes changes in the transaction that makes them; the worker gives their events numbers. Source: docs/adr/0202. */
export const noteChanges = Effect.fnUntraced(function*(
  statements: PgStatements,
  { environment, organizationId }: { readonly organizationId: string; readonly environment: Tenant["environment"] },
  changes: ReadonlyArray<NotedChange>
) {
  for (const { at, documentId, source, subjectId, type } of changes) {
    yield* statements.query(insert, [organizationId, environment, source, type, DateTime.toDateUtc(at), subjectId, documentId])
  }
})
