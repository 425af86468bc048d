import { isSameAttempt, type Redrive } from "@overa/domain"
import { Effect } from "effect"
import type { PgDatabase, PgStatements } from "../PgDatabase.ts"
import { readAttempts } from "./readers.ts"
import {
  firstAttemptParameters,
  firstAttemptStatement,
  insertAttempt,
  insertAttemptParameters,
  laterAttemptParameters,
  laterAttemptStatement,
  type NextAttempt
} from "./redriveStatement.ts"

const laterAttempt = Effect.fnUntraced(function*(statements: PgStatements, redrive: NextAttempt) {
  const moved = yield* statements.query(laterAttemptStatement, laterAttemptParameters(redrive))
  if (moved.length === 0) return false
  yield* statements.query(insertAttempt, insertAttemptParameters(redrive))
  return true
})

/** A redrive that is repeated because its answer was lost finds its own attempt: it won the first time. */
const isOurs = Effect.fnUntraced(function*(statements: PgStatements, { attempt, operation }: NextAttempt) {
  const stored = yield* readAttempts(statements, operation.organizationId, operation.id)
  const last = stored.at(-1)
  return last !== undefined && isSameAttempt(last, attempt) && last.outcome === null
})

/** The next attempt as part of a larger commit; true when this caller won. */
export const redriveInTransaction = Effect.fnUntraced(function*(statements: PgStatements, redrive: NextAttempt) {
  const won = redrive.attempt.number === 1
    ? (yield* statements.query(firstAttemptStatement, firstAttemptParameters(redrive))).length === 1
    : yield* laterAttempt(statements, redrive)
  return won || (yield* isOurs(statements, redrive))
})

/** The next attempt by compare-and-set; true when this caller won. */
export const redrive = ({ keyed, transaction }: PgDatabase["Service"]) =>
  Effect.fnUntraced(function*(redrive: Redrive) {
    const won = redrive.attempt.number === 1
      ? (yield* keyed.read(firstAttemptStatement, firstAttemptParameters(redrive))).length === 1
      : yield* transaction((statements) => laterAttempt(statements, redrive))
    // An attempt that an unanswered commit stored is sent only once it is wherever commits must be.
    return won || (yield* keyed.confirmed(isOurs({ query: keyed.query }, redrive), redrive.operation))
  })
