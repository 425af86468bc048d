import { createHash } from "node:crypto"
import type { AttentionItem, Conclusion } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { doubtAfterRaising } from "./inDoubt.ts"
import { storableText } from "../rows/storedJson.ts"

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
