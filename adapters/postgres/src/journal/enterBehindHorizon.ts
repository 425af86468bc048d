import type { Operation } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { entryOf, insertEntries, insertPending } from "./journalEntries.ts"
import { openHorizon } from "./receiptsFoundSince.ts"

/** $1 organization, $2 environment, $3 creation time. */
const lockHorizon = `select taken_to >= $3::timestamptz as has_passed from journal_horizons
where organization_id = $1 and environment = $2 for update`

/** $1 organization, $2 environment, $3 creation time. */
const beginsAt = `update journal_horizons set first_at = least(first_at, $3::timestamptz) where organization_id = $1 and environment = $2`

/**
 * Enters a document into the journal's tables as part of the commit that stores it, where the horizon has passed its creation time: what is taken back may be
 * older than anything that the upkeep looks for again. It then waits for its outcome like every other document. One that the horizon has not passed is left
 * to the upkeep: reports read all receipts after the horizon from their documents, and would count one that is summed already twice. The horizon's lock is
 * waited for and held, because a pass that runs meanwhile does not see the document.
 */
export const enterBehindHorizon = Effect.fnUntraced(function*(tx: PgStatements, operation: Operation) {
  const scope = [operation.organizationId, operation.environment]
  const createdAt = DateTime.toDateUtc(operation.createdAt)
  yield* tx.query(openHorizon, scope)
  const [horizon] = yield* tx.query<{ readonly has_passed: boolean }>(lockHorizon, [...scope, createdAt])
  if (horizon?.has_passed !== true) return
  yield* tx.query(beginsAt, [...scope, createdAt])
  yield* tx.query(insertEntries, [...scope, JSON.stringify([entryOf(operation, operation)])])
  yield* tx.query(insertPending, [...scope, [operation.id]])
})
