import { isSameAttempt, type Redrive } from "@overa/domain"
import { Effect } from "effect"
import { recordDeed } from "../administration/activity.ts"
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

const firstAttempt = (statements: PgStatements, redrive: NextAttempt) =>
  Effect.map(statements.query(firstAttemptStatement, firstAttemptParameters(redrive)), ({ length }) => length === 1)

const laterAttempt = Effect.fnUntraced(function*(statements: PgStatements, redrive: NextAttempt) {
  const moved = yield* statements.query(laterAttemptStatement, laterAttemptParameters(redrive))
  if (moved.length === 0) return false
  yield* statements.query(insertAttempt, insertAttemptParameters(redrive))
  return true
})

/** The attempt, and the act of the operator who has it made; true when this caller won. */
const nextAttempt = Effect.fnUntraced(function*(statements: PgStatements, redrive: NextAttempt) {
  const won = yield* redrive.attempt.number === 1 ? firstAttempt(statements, redrive) : laterAttempt(statements, redrive)
  if (won) yield* recordDeed(statements, redrive.operation, redrive.deed)
  return won
})

/** A redrive that is repeated because its answer was lost finds its own attempt: it won the first time. */
const isOurs = Effect.fnUntraced(function*(statements: PgStatements, { attempt, operation }: NextAttempt) {
  const stored = yield* readAttempts(statements, operation.organizationId, operation.id)
  const last = stored.at(-1)
  return last !== undefined && isSameAttempt(last, attempt) && last.outcome === null
})

/** The next attempt as part of a larger commit; true when this caller won. */
export const redriveInTransaction = Effect.fnUntraced(function*(statements: PgStatements, redrive: NextAttempt) {
  return (yield* nextAttempt(statements, redrive)) || (yield* isOurs(statements, redrive))
})

/** The next attempt by compare-and-set; true when this caller won. */
export const redrive = ({ keyed, transaction }: PgDatabase["Service"]) =>
  Effect.fnUntraced(function*(redrive: Redrive) {
    const won = redrive.attempt.number === 1 && redrive.deed === undefined
      ? yield* firstAttempt(keyed, redrive)
      : yield* transaction((statements) => nextAttempt(statements, redrive))
    // An attempt that an unanswered commit stored is sent only once it is wherever commits must be.
    return won || (yield* keyed.confirmed(isOurs({ query: keyed.query }, redrive), redrive.operation))
  })
