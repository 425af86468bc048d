import { isCarriedOnByService, pauseAfterSearch, type Reservation } from "@overa/domain"
import { Effect } from "effect"
import { concludeParameters, concludeStatement } from "../operations/concludeStatement.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { notSent } from "../workflows/notSent.ts"
import { type Kept, putBackInto } from "./keptAttempts.ts"

/**
 * Ends the attempt of a document that was just reserved, in the same commit, because a document that a restore lost may be signed already. Kept attempts of this document are added
 * to it, and are searched for. Kept attempts of other documents go to the attention list, and this document is in doubt. A caller that reads the commit again finds no attempt in
 * flight, and sends nothing. A second run changes nothing.
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
