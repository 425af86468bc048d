import { type AttentionItem, type Conclusion, FiscalDocumentUnreadable } from "@overa/domain"
import { Cause, DateTime, Effect, Result } from "effect"
import { createHash } from "node:crypto"
import type { PgStatements } from "../PgDatabase.ts"
import { storableText } from "../rows/storedJson.ts"
import { doubtAfterRaising } from "./inDoubt.ts"

/** A finding is raised once: an hourly search that finds it again adds no new row. */
export const raiseStatement = `insert into attention (organization_id, operation_id, kind, detail, evidence, raised_at, finding)
values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`

const findingOf = (item: AttentionItem): string =>
  createHash("sha256").update(JSON.stringify([item.kind, item.detail, item.evidence])).digest("hex")

/** Puts items on the attention list, in the transaction of the given statements. */
export const raiseItems = Effect.fnUntraced(function*(
  statements: PgStatements,
  about: Pick<Conclusion, "organizationId" | "operationId" | "at">,
  items: ReadonlyArray<AttentionItem>
) {
  for (const item of items) {
    yield* statements.query(raiseStatement, [
      about.organizationId,
      about.operationId,
      storableText(item.kind),
      storableText(item.detail),
      item.evidence === null ? null : storableText(item.evidence),
      new Date(DateTime.toEpochMillis(about.at)),
      findingOf(item)
    ])
  }
  yield* doubtAfterRaising(statements, about, items)
})

// One open item for each such operation. If it is acknowledged and the row is not repaired, the next read raises it again.
const statement = `insert into attention (organization_id, operation_id, kind, detail, evidence, raised_at, finding)
select $1::uuid, $2::uuid, 'OPERATION_UNREADABLE', $3, null, now(), 'unreadable ' || count(*)::text
from attention a where a.organization_id = $1 and a.operation_id = $2 and a.kind = 'OPERATION_UNREADABLE'
having count(*) filter (where a.acknowledged_at is null) = 0
on conflict do nothing`

/** Puts an operation that cannot be read on the attention list. */
export const raiseUnreadable = (statements: PgStatements, organizationId: string, unreadable: FiscalDocumentUnreadable) =>
  statements.query(statement, [organizationId, unreadable.operationId, storableText(String(unreadable.cause))])

/** Wraps an effect that reads operations of one organization: an unreadable one is raised for attention before the effect fails. */
export const raisingUnreadable = (statements: PgStatements, organizationId: string) => <A, E, R>(reading: Effect.Effect<A, E, R>) =>
  Effect.tapCause(reading, (cause) => {
    const defect = Result.getOrNull(Cause.findDefect(cause))
    return defect instanceof FiscalDocumentUnreadable ? Effect.ignore(raiseUnreadable(statements, organizationId, defect)) : Effect.void
  })
