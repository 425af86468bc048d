import { type FiscalDocumentId, giveBack, type LostAttempt, type Operation, type OrganizationId, type Transition } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { addSearchedAttempt, makeSearched, reopenAttempt } from "./addSearched.ts"
import { keepAttempts } from "../restore/keptAttempts.ts"
import { concernsNoOther } from "../restore/lostBeside.ts"
import { readAttempts } from "./readers.ts"

const locked = "select status, attempt from operations where organization_id = $1 and operation_id = $2 for update"

/** Gives an attempt that the store lost back to its operation, in the transaction that raises its item; where that is lost too, keeps it for the next one of its key. */
export const giveBackAttempt = Effect.fnUntraced(function*(
  tx: PgStatements,
  { operationId: id, organizationId }: { readonly organizationId: OrganizationId; readonly operationId: FiscalDocumentId },
  { actor, attempt, of }: LostAttempt,
  at: Transition["at"]
) {
  const [row] = yield* tx.query<Pick<Operation, "attempt" | "status">>(locked, [organizationId, id])
  if (row === undefined) return yield* keepAttempts(tx, of, of.boundKey, { attempts: [attempt], fingerprint: of.boundKey.fingerprint.digest }, concernsNoOther)
  const [operation, by] = [{ organizationId, id }, { status: row.status, actor, at }]
  const back = giveBack(row, yield* readAttempts(tx, organizationId, id), attempt)
  switch (back._tag) {
    case "ADD":
      return yield* addSearchedAttempt(tx, { operation, attempt: { ...attempt, operationId: id, number: row.attempt + 1 } }, by)
    case "USE_UP":
      return yield* makeSearched(tx, operation, row.attempt + 1, by)
    case "SEARCH":
      yield* reopenAttempt(tx, operation, back.number)
      return yield* makeSearched(tx, operation, row.attempt, by)
    case "NOTHING":
      return
  }
})
