import { isCarriedOnByService, pauseAfterSearch, type Reservation } from "@overa/domain"
import { Effect } from "effect"
import { concludeParameters, concludeStatement } from "../operations/concludeStatement.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { notSent } from "../workflows/notSent.ts"
import { type Kept, putBackInto } from "./keptAttempts.ts"

/**
 * A document that was just reserved gives up its attempt, in the same commit, because what a restore lost may be signed already. It has the attempts that were kept for it, or a
 * person is told of those of other documents and it is in doubt. So no caller that reads its commit again sends it. Run again, it changes nothing more.
 */
export const holdUp = Effect.fnUntraced(function*(tx: PgStatements, { attempt: offered, operation, transitions }: Reservation, kept: Kept) {
  const { attempt, createdAt: at, id: operationId, organizationId, workflow } = operation
  const actor = transitions.at(-1)?.actor ?? "api"
  if (offered !== null) {
    const conclusion = notSent({ organizationId, operationId, workflow, attempt, at, actor, attemptOutcome: "NOT_SENT" }, "PFR_SUBMISSION_CANCELLED_BEFORE_SEND")
    const nextCheckAfterMillis = isCarriedOnByService(operation) ? pauseAfterSearch(1) : null
    yield* tx.query(concludeStatement, concludeParameters({ ...conclusion, nextCheckAfterMillis }))
  }
  yield* putBackInto(tx, { organizationId, at }, operationId, kept)
})
